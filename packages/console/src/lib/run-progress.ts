import type { Run, StepRun } from '@bey/contract'

/** How far a run is, in percent: the mean of its steps, as the server counts it for lists. */
export function runProgress(
  { status }: Pick<Run, 'status'>,
  steps: readonly Pick<StepRun, 'progressPercent'>[],
): number {
  if (status === 'completed') return 100
  const sum = steps.reduce((total, { progressPercent }) => total + progressPercent, 0)
  return Math.round(sum / Math.max(1, steps.length))
}
