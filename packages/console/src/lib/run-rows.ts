import type { Run } from '@bey/contract'
import { isRunOver } from '@bey/contract'
import { useNow } from './now.ts'
import { runRow } from './run-text.ts'

/** Runs in words, those that still run with a duration that ticks. */
export function useRunRows(runs: readonly Run[] | undefined) {
  const now = useNow(runs?.some((run) => !isRunOver(run.status)) ?? false)
  return runs?.map((run) => runRow(run, now))
}
