import { useTimeStyle } from '../time-style.ts'
import { dayText, shortTime } from '../time-text.ts'
import { valueText } from './chart-layout.ts'
import type { ChartMark, ChartPanel } from './chart-types.ts'
import { SeriesGlyph } from './series-glyph.tsx'

/** The values of all series at one time, and what changed then. Beside the line, on the side that has room. */
export function HoverBox({
  at,
  index,
  panels,
  marks,
  x,
  width,
}: {
  at: number
  index: number
  panels: readonly ChartPanel[]
  marks: readonly ChartMark[]
  x: number
  width: number
}) {
  useTimeStyle()
  const isLeft = x > width / 2
  const names = [
    ...new Set(
      panels.flatMap(({ series, references = [] }) => [...series, ...references].map(({ name }) => name)),
    ),
  ]
  const find = ({ series, references = [] }: ChartPanel, name: string) =>
    [...series, ...references].find((each) => each.name === name)
  return (
    <div
      data-chart-values=""
      aria-hidden
      style={isLeft ? { right: width - x + 10 } : { left: x + 10 }}
      className="pointer-events-none absolute top-1 z-10 max-w-72 rounded-popover border border-line bg-overlay px-2.5 py-2 text-small shadow-float"
    >
      <table className="tabular-nums">
        <thead>
          <tr className="text-text-2">
            <th className="pr-4 text-left font-normal whitespace-nowrap">
              {dayText(new Date(at))}, {shortTime(new Date(at))}
            </th>
            {panels.map(({ title }) => (
              <th key={title} className="pl-3 text-right font-normal whitespace-nowrap">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <td className="max-w-36 truncate pr-4">
                <Swatch index={panels[0]?.series.findIndex((series) => series.name === name) ?? -1} />
                {name}
              </td>
              {panels.map((panel) => (
                <td key={panel.title} className="pl-3 text-right whitespace-nowrap">
                  {valueText(find(panel, name)?.values[index], panel.format)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {marks.slice(0, 4).map((mark) => (
        <p key={`${mark.at}/${mark.text}`} className="mt-1 border-t border-line pt-1 text-text-2">
          {shortTime(new Date(mark.at))} {mark.text}
        </p>
      ))}
      {marks.length > 4 ? <p className="text-text-3">and {marks.length - 4} more</p> : null}
    </div>
  )
}

function Swatch({ index }: { index: number }) {
  if (index >= 0) return <SeriesGlyph index={index} className="mr-1.5 inline-block" />
  return <span aria-hidden className="mr-1.5 inline-block h-0.5 w-2.5 bg-text-3 align-middle" />
}
