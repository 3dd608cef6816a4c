import { useTimeStyle } from '../time-style.ts'
import { dayText, shortTime } from '../time-text.ts'
import { valueText } from './chart-layout.ts'
import type { ChartMark, ChartPanel } from './chart-types.ts'

export interface ChartTableProps {
  label: string
  times: readonly number[]
  panels: readonly ChartPanel[]
  marks: readonly ChartMark[]
  height: number
}

/** What a chart shows, as figures: the newest first, in the room of the chart. */
export function ChartTable({ label, times, panels, marks, height }: ChartTableProps) {
  useTimeStyle()
  const columns = panels.flatMap(({ title, series, references = [], format }) =>
    [...series, ...references].map((each) => ({ ...each, title, format })),
  )
  const stepMs = (times[1] ?? 0) - (times[0] ?? 0)
  const rows = [...times.keys()]
    .filter((row) => columns.some(({ values }) => values[row] != null))
    .toReversed()
  return (
    <section
      aria-label={`${label}, table`}
      // A box that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      style={{ height }}
      className="overflow-auto border-y border-line -outline-offset-2"
    >
      <table className="w-full text-small tabular-nums">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="text-text-2">
            <th scope="col" className="sticky top-0 bg-bg px-2 py-1.5 text-left font-normal">
              Time
            </th>
            {columns.map(({ name, title }) => (
              <th
                key={`${title}/${name}`}
                scope="col"
                className="sticky top-0 bg-bg px-2 py-1.5 text-right font-normal whitespace-nowrap"
              >
                <span className="block text-text-3">{title}</span>
                {name}
              </th>
            ))}
            {marks.length > 0 ? (
              <th scope="col" className="sticky top-0 bg-bg px-2 py-1.5 text-left font-normal">
                Changes
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const at = times[row] ?? 0
            const changes = marks.filter((mark) => mark.at >= at && mark.at < at + stepMs)
            return (
              <tr key={at} className="border-t border-line align-top">
                <th scope="row" className="px-2 py-1 text-left font-normal whitespace-nowrap text-text-2">
                  <time dateTime={new Date(at).toISOString()} data-tooltip-time={new Date(at).toISOString()}>
                    {dayText(new Date(at))}, {shortTime(new Date(at))}
                  </time>
                </th>
                {columns.map(({ name, title, values, format }) => (
                  <td key={`${title}/${name}`} className="px-2 py-1 text-right">
                    {valueText(values[row], format)}
                  </td>
                ))}
                {marks.length > 0 ? (
                  <td className="min-w-44 px-2 py-1 text-left text-text-2">{changeText(changes)}</td>
                ) : null}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

const shownChanges = 3

function changeText(changes: readonly ChartMark[]): string {
  const texts = changes.slice(0, shownChanges).map(({ text }) => text)
  const more = changes.length - texts.length
  return texts.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
