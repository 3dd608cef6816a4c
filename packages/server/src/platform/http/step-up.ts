import { stepUpMinutes } from '@bey/contract/base/endpoint'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { Caller, PublicCaller } from './handlers.ts'

const validMs = stepUpMinutes * 60_000

/** Until when a proof of who is there allows dangerous acts. */
export function confirmationEnd(confirmedAt: Date): Date {
  return new Date(confirmedAt.getTime() + validMs)
}

/**
 * Throws `step_up_required` unless the caller's session was confirmed within the last 10 minutes. What holds no session,
 * such as a key, cannot confirm anything and is refused.
 */
export function requireRecentConfirmation(caller: PublicCaller & Partial<Caller>, clock: Clock): void {
  const { via, confirmedAt } = caller
  if (via !== 'session' || confirmedAt === undefined) {
    throw new AppError(
      'step_up_required',
      'This act needs a person who confirms it. Log in to the console and do it there.',
    )
  }
  if (confirmationEnd(confirmedAt) > clock.now()) return
  throw new AppError(
    'step_up_required',
    `Confirm that it is you: this act asks for a confirmation of the last ${stepUpMinutes} minutes.`,
  )
}
