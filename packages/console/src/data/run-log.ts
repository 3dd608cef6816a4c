import type { StepLog } from '@bey/contract'

/**
 * The lines of a run that the console holds: by `seq`, each once, perhaps with gaps that are still to be fetched.
 * `earlier` is the cursor to what lies before the first line; null at the beginning of the log.
 */
export interface RunLog {
  lines: readonly StepLog[]
  earlier: number | null
}

/** More than anybody reads on a page; the whole log can be downloaded. */
const maxLines = 20_000

/** Adds lines in any order, known ones included. Past 20,000 the earliest are let go and can be loaded again. */
export function addLines(log: RunLog, added: readonly StepLog[]): RunLog {
  const last = log.lines.at(-1)?.seq ?? 0
  if (added.length === 0) return log
  const isTail = added.every((line, index) => line.seq === last + 1 + index)
  const merged = isTail && log.lines.length > 0 ? [...log.lines, ...added] : mergeBySeq(log.lines, added)
  if (merged.length <= maxLines) return { ...log, lines: merged }
  const lines = merged.slice(-maxLines)
  return { lines, earlier: lines[0]?.seq ?? null }
}

/** The log after the run's detail was read: its last lines, and where what came before begins. */
export function addTail(log: RunLog | undefined, tail: readonly StepLog[], before: number | null): RunLog {
  if (!log || log.lines.length === 0) return { lines: mergeBySeq([], tail), earlier: before }
  return addLines(log, tail)
}

/** The log after the lines before it were read, and the cursor to those before them. */
export function addEarlier(log: RunLog, lines: readonly StepLog[], next: number | null): RunLog {
  return { lines: mergeBySeq(log.lines, lines), earlier: lines.length === 0 ? null : next }
}

/** The last `seq` before the first gap, or undefined while the lines follow each other: what comes after must be fetched. */
export function gapAfter(log: RunLog): number | undefined {
  for (const [index, line] of log.lines.entries()) {
    const next = log.lines[index + 1]
    if (next && next.seq !== line.seq + 1) return line.seq
  }
  return undefined
}

/** The lines up to the first gap: never one whose predecessor is missing. */
export function contiguousLines(log: RunLog): readonly StepLog[] {
  const gap = gapAfter(log)
  return gap === undefined ? log.lines : log.lines.filter((line) => line.seq <= gap)
}

function mergeBySeq(one: readonly StepLog[], other: readonly StepLog[]): StepLog[] {
  const bySeq = new Map(one.map((line) => [line.seq, line]))
  for (const line of other) bySeq.set(line.seq, line)
  return [...bySeq.values()].toSorted((a, b) => a.seq - b.seq)
}
