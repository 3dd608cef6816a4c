type Lines = {
  series: readonly { values: readonly (number | null)[] }[]
  ticks: readonly { value: number }[]
  limit: { value: number } | null
}

/**
 * Places the lines of a chart in a box with its origin at the top left: one list of points for each unbroken part of a
 * series, and the height of any value. A missing value breaks the line.
 */
export function chartGeometry(lines: Lines, width: number, height: number) {
  const all = lines.series.flatMap(({ values }) => values.filter((value) => value !== null))
  const marked = [...lines.ticks.map(({ value }) => value), ...(lines.limit ? [lines.limit.value] : [])]
  const least = [...all, ...marked].reduce((a, b) => Math.min(a, b), Infinity)
  const most = [...all, ...marked].reduce((a, b) => Math.max(a, b), -Infinity)
  const span = most - least
  const yOf = (value: number) => (span > 0 ? height - ((value - least) / span) * height : height / 2)
  const parts = lines.series.map(({ values }) => {
    const step = values.length > 1 ? width / (values.length - 1) : 0
    return unbroken(values.map((value, index) => (value === null ? null : [index * step, yOf(value)])))
  })
  return { parts, yOf }
}

type Point = [number, number]

function unbroken(points: readonly (number[] | null)[]): Point[][] {
  const parts: Point[][] = [[]]
  for (const point of points) {
    const last = parts.at(-1)
    if (point === null) {
      if (last?.length !== 0) parts.push([])
    } else last?.push([point[0] ?? 0, point[1] ?? 0])
  }
  return parts.filter((part) => part.length > 0)
}

/** Points as the `points` of an SVG polyline. */
export function polylinePoints(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
}
