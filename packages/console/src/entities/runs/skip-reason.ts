import type { StepRun } from '@bey/contract'

/** Why a step was skipped, to go on after "skipped:"; undefined where it was not, or nothing is known. */
export function skipReason({ status, note }: Pick<StepRun, 'status' | 'note'>): string | undefined {
  if (status !== 'skipped' || note === '') return undefined
  const reason = note.replace(/^Skipped: /, '')
  return /^(Its|The) /.test(reason) ? reason.charAt(0).toLowerCase() + reason.slice(1) : reason
}
