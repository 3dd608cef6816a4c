import type { RunStatus } from '@bey/contract'

/** A move of a run, as far as its end tells. */
type End = { status: RunStatus; stepName: string | null; error: string | null; cancelledBy: string | null }

/** Why the work of a run that is over was not done, where its name is said already; null where it was done. */
export function failureOfEnd({ status, cancelledBy, error }: Omit<End, 'stepName'>): string | null {
  if (status === 'completed') return null
  return status === 'cancelled' ? `Cancelled by ${cancelledBy ?? nobody}.` : (error ?? 'Unknown reason')
}

const nobody = 'somebody whose account is gone'

/**
 * Why a run did not complete, in a sentence that begins with what the run does: `The change`. Undefined while it goes on
 * and when it completed.
 */
export function badEndOf(what: string, move: End): string | undefined {
  switch (move.status) {
    case 'cancelled':
      return `${what} was cancelled by ${move.cancelledBy ?? nobody}.`
    case 'failed':
    case 'timed_out':
      return `${what} failed at "${move.stepName ?? 'start'}": ${move.error ?? 'unknown reason'}`
    default:
      return undefined
  }
}
