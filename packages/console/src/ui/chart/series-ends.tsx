import { lastIndex, spread, valueText } from './chart-layout.ts'
import type { ChartPanel, ChartRange } from './chart-types.ts'
import { SeriesGlyph } from './series-glyph.tsx'

const leastPx = 14

/** What each line ends in, with its name and value at the right. The glyph stands on the line and before the name. */
export function SeriesEnds({
  panel,
  times,
  range,
  top,
  width,
  labelWidth,
}: {
  panel: ChartPanel
  times: readonly number[]
  range: ChartRange
  top: number
  width: number
  labelWidth: number
}) {
  const { height, format } = panel
  const yOf = (value: number) => height - Math.min(1, value / top) * height
  const ends = [
    ...panel.series.slice(0, panel.maxNamed).map((series, index) => ({ series, index })),
    ...(panel.references ?? []).map((series) => ({ series, index: -1 })),
  ].flatMap(({ series, index }) => {
    const last = lastIndex(series.values)
    const value = series.values[last]
    if (value == null) return []
    const at = times[last] ?? range.toMs
    return [
      {
        name: series.name,
        index,
        value: series.now ?? value,
        y: yOf(value),
        x: ((at - range.fromMs) / (range.toMs - range.fromMs)) * width,
      },
    ]
  })
  const rows = spread(
    ends.map(({ y }) => y),
    leastPx,
    height,
  )
  return (
    <>
      {ends.map(({ name, index, value, x, y }, place) => (
        <div key={name} className="text-small leading-[14px]">
          {index < 0 ? null : (
            <SeriesGlyph index={index} className="absolute" style={{ left: x - 4.5, top: y - 4.5 }} />
          )}
          <span
            data-series-end={name}
            style={{ left: width + 8, top: (rows[place] ?? y) - 7, width: labelWidth - 8 }}
            className="absolute flex justify-between gap-1.5 whitespace-nowrap"
          >
            <span className="min-w-0 truncate text-text-2">
              {index < 0 ? null : <SeriesGlyph index={index} className="mr-1.5 inline-block" />}
              {name}
            </span>
            <span className="tabular-nums">{valueText(value, format)}</span>
          </span>
        </div>
      ))}
    </>
  )
}
