import { lastIndex, spread, valueText } from './chart-layout.ts'
import type { ChartPanel, ChartRange } from './chart-types.ts'
import { endGlyphs, toneOf } from './chart-types.ts'

const leastPx = 14

/** What each line ends in, with its name and value at the right; a second cue beside the colour. */
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
    ...panel.series.map((series, index) => ({ series, index })),
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
        value,
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
            <svg
              width={9}
              height={9}
              viewBox="-4.5 -4.5 9 9"
              aria-hidden
              data-live-color=""
              style={{ left: x - 4.5, top: y - 4.5, color: `var(--chart-${toneOf(index)})` }}
              className="absolute"
            >
              <EndGlyph index={index} />
            </svg>
          )}
          <span
            data-series-end={name}
            style={{ left: width + 8, top: (rows[place] ?? y) - 7, width: labelWidth - 8 }}
            className="absolute flex justify-between gap-1.5 whitespace-nowrap"
          >
            <span className="min-w-0 truncate text-text-2">
              {index < 0 ? null : (
                <span aria-hidden className="sr-only">
                  {endGlyphs[index % endGlyphs.length]}
                </span>
              )}
              {name}
            </span>
            <span className="tabular-nums">{valueText(value, format)}</span>
          </span>
        </div>
      ))}
    </>
  )
}

function EndGlyph({ index }: { index: number }) {
  const look = index % endGlyphs.length
  if (look === 0) return <circle r={3} fill="currentColor" />
  if (look === 1) return <rect x={-2.75} y={-2.75} width={5.5} height={5.5} fill="currentColor" />
  if (look === 2) return <path d="M0 -4L4 0L0 4L-4 0Z" fill="currentColor" />
  return <circle r={2.5} className="fill-bg" stroke="currentColor" strokeWidth={1.5} />
}
