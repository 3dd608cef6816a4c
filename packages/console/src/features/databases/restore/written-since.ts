/**
 * Rows that were written after a moment, by averages a second of steps that begin at a time in ms. A step that the moment lies in
 * counts for its part after it; undefined where nothing was measured after it.
 */
export function writtenSince(
  times: readonly number[],
  averages: readonly (number | null)[],
  stepMs: number,
  atMs: number,
): number | undefined {
  let rows: number | undefined
  for (const [index, average] of averages.entries()) {
    const endMs = (times[index] ?? 0) + stepMs
    if (average === null || endMs <= atMs) continue
    rows = (rows ?? 0) + average * (Math.min(stepMs, endMs - atMs) / 1_000)
  }
  return rows === undefined ? undefined : Math.round(rows)
}
