type Values = readonly (number | null)[]

/** An area of a stacked chart, in shares: x of the width, y of the height from the top. */
export interface LoadArea<Key extends string> {
  key: Key
  /** Polygons, one for each stretch without a gap, as SVG takes their points. */
  polygons: string[]
  /** The last value that was measured; null where none was. */
  last: number | null
}

/** Areas that lie on each other, the first at the bottom. A step that was not measured is a gap in all of them. */
export function loadAreas<Key extends string>(
  series: readonly { key: Key; values: Values }[],
  top: number,
  width: number,
  height: number,
): LoadArea<Key>[] {
  const count = series[0]?.values.length ?? 0
  const isMeasured = (index: number) => series.some(({ values }) => typeof values[index] === 'number')
  const stretches = stretchesOf(count, isMeasured)
  const x = (index: number) => round((index / Math.max(1, count - 1)) * width)
  const y = (value: number) => round(height - (value / top) * height)
  const below = Array.from({ length: count }, () => 0)
  return series.map(({ key, values }) => {
    const base = [...below]
    for (let index = 0; index < count; index += 1) below[index] = (base[index] ?? 0) + (values[index] ?? 0)
    const polygons = stretches.map(([from, to]) => {
      const places = Array.from({ length: to - from + 1 }, (_, place) => from + place)
      const upper = places.map((index) => `${x(index)},${y(below[index] ?? 0)}`)
      const lower = places.toReversed().map((index) => `${x(index)},${y(base[index] ?? 0)}`)
      return [...upper, ...lower].join(' ')
    })
    return { key, polygons, last: values.findLast((value) => value !== null) ?? null }
  })
}

/** First and last step of each stretch that was measured. */
function stretchesOf(count: number, isMeasured: (index: number) => boolean): [number, number][] {
  const found: [number, number][] = []
  for (let index = 0; index < count; index += 1) {
    if (!isMeasured(index)) continue
    const open = found.at(-1)
    if (open && open[1] === index - 1) open[1] = index
    else found.push([index, index])
  }
  return found
}

/** The end of the axis: the highest stack or line, and a little more. */
export function loadTop(series: readonly { values: Values }[], line: number | null): number {
  const count = series[0]?.values.length ?? 0
  let most = line ?? 0
  for (let index = 0; index < count; index += 1) {
    most = Math.max(
      most,
      series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
    )
  }
  return most === 0 ? 1 : most * 1.15
}

const round = (value: number) => Math.round(value * 10) / 10
