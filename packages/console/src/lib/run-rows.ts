import type { Run } from '@bey/contract'
import { isRunOver } from '@bey/contract'
import { useNow } from './now.ts'
import { runRow } from './run-text.ts'

/** Runs in words, those that still run with a duration that ticks. */
export function useRunRows(runs: readonly Run[] | undefined) {
  const now = useNow(runs?.some((run) => !isRunOver(run.status)) ?? false)
  return runs && withLongest(runs.map((run) => runRow(run, now)))
}

/** Each row with the duration of the longest run of its workflow among them; null where there is no other. */
export function withLongest<Row extends { name: string; durationMs: number | null }>(rows: readonly Row[]) {
  const byName = Map.groupBy(rows, ({ name }) => name)
  return rows.map((row) => {
    const durations = (byName.get(row.name) ?? []).flatMap(({ durationMs }) => durationMs ?? [])
    return { ...row, longestMs: durations.length > 1 ? Math.max(...durations) : null }
  })
}
