export type WrittenPicture = {
  /** The highest average, in rows a second. */
  most: number
  /** Points of a polygon for each stretch without a gap. */
  areas: string[]
}

/** What is drawn of averages, one a step that begins at a time in ms; undefined where none was measured. */
export function writtenPicture(
  times: readonly number[],
  values: readonly (number | null)[],
  stepMs: number,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  width: number,
  height: number,
): WrittenPicture | undefined {
  const measured = values.filter((value) => value !== null)
  if (measured.length === 0) return undefined
  const most = Math.max(...measured)
  const xOf = (ms: number) => (((ms - fromMs) / (toMs - fromMs)) * width).toFixed(1)
  const yOf = (value: number) => (height - 1 - (most === 0 ? 0 : value / most) * (height - 4)).toFixed(1)
  const areas: string[] = []
  let points: string[] = []
  let endMs = 0
  const close = () => {
    if (points.length > 0) areas.push([...points, `${xOf(endMs)},${height - 1}`].join(' '))
    points = []
  }
  for (const [index, value] of values.entries()) {
    const at = times[index]
    if (value === null || at === undefined) {
      close()
      continue
    }
    if (points.length === 0) points.push(`${xOf(at)},${height - 1}`)
    endMs = at + stepMs
    points.push(`${xOf(at)},${yOf(value)}`, `${xOf(endMs)},${yOf(value)}`)
  }
  close()
  return { most, areas }
}
