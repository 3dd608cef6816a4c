import { valueText } from './chart-layout.ts'
import type { TimeAreaProps } from './time-area.tsx'
import { TimeArea } from './time-area.tsx'
import { axisHeight } from './time-axis.tsx'
import { laneHeight } from './mark-lane.tsx'
import { HoverBox } from './hover-box.tsx'
import { Truncated } from '../truncated.tsx'
import { shortNames, textWidth } from './short-names.ts'

const leastRowPx = 9
const namePx = 14

export interface ValueRowsProps extends Omit<TimeAreaProps, 'children' | 'hover' | 'spokenValues' | 'width'> {
  title: string
  rows: readonly { name: string; values: readonly (number | null)[] }[]
  boxWidth: number
  format: (value: number) => string
  /** The CSS colour of a cell. */
  colorOf: (value: number) => string
}

/** One row per series, one cell per step: values as colours. Every value is named beside the pointer. */
export function ValueRows({ title, rows, boxWidth, format, colorOf, ...area }: ValueRowsProps) {
  const { times, height } = area
  const room = height - axisHeight - laneHeight
  const shown = rows.slice(0, Math.max(1, Math.floor(room / leastRowPx)))
  const rowPx = Math.min(22, room / Math.max(1, shown.length))
  const names = shortNames(shown.map(({ name }) => name))
  const labelWidth = textWidth(names, { least: 48, most: boxWidth * 0.42 }) + 12
  const width = Math.max(60, boxWidth - labelWidth - 8)
  // Names need more room than rows have where there are many.
  const everyName = Math.ceil(namePx / rowPx)
  return (
    <div className="relative" style={{ paddingLeft: labelWidth }}>
      <TimeArea
        {...area}
        width={width}
        spokenValues={(index) =>
          shown.map(({ name, values }) => `${name} ${valueText(values[index], format)}`).join(', ')
        }
        hover={(index, x, marks) => (
          <HoverBox
            at={times[index] ?? 0}
            index={index}
            panels={[{ title, height: 0, series: shown.slice(0, 10), format }]}
            marks={marks}
            x={x}
            width={width}
          />
        )}
      >
        <div style={{ paddingTop: laneHeight }}>
          {shown.map(({ name, values }, place) => (
            <div key={name} className="relative" style={{ height: rowPx }}>
              {place % everyName === 0 ? (
                <span
                  className="absolute right-full pr-2 text-meta text-text-2"
                  style={{ width: labelWidth, top: (rowPx - namePx) / 2, lineHeight: `${namePx}px` }}
                >
                  <Truncated tooltip={name} keepsEnd>
                    {names[place] ?? name}
                  </Truncated>
                </span>
              ) : null}
              <div
                aria-hidden
                data-live-color=""
                className="absolute inset-x-0 top-px bottom-px"
                style={{ background: gradientOf(values, colorOf) }}
              />
            </div>
          ))}
          {rows.length > shown.length ? (
            <p className="absolute right-full bottom-0 pr-6 text-meta whitespace-nowrap text-text-3">
              {rows.length - shown.length} more
            </p>
          ) : null}
        </div>
      </TimeArea>
    </div>
  )
}

/** Hard stops: a cell a step. A step without a value is empty. */
function gradientOf(values: readonly (number | null)[], colorOf: (value: number) => string): string {
  const cell = 100 / Math.max(1, values.length)
  const stops: string[] = []
  let start = 0
  let color = ''
  for (const [index, value] of [...values, undefined].entries()) {
    const next = value === undefined ? '' : value === null ? 'transparent' : colorOf(value)
    if (next === color) continue
    if (color !== '') stops.push(`${color} ${start.toFixed(3)}% ${(index * cell).toFixed(3)}%`)
    start = index * cell
    color = next
  }
  return stops.length === 0 ? 'none' : `linear-gradient(to right, ${stops.join(', ')})`
}
