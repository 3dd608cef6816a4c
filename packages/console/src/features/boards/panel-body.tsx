import type { BoardPanel } from '@bey/contract'
import { lastIndex, valueText } from '../../ui/chart/chart-layout.ts'
import type { ChartMark, ChartRange } from '../../ui/chart/chart-types.ts'
import { PanelChart } from '../../ui/chart/panel-chart.tsx'
import type { SharedCursor } from '../../ui/chart/shared-cursor.ts'
import { ValueRows } from '../../ui/chart/value-rows.tsx'
import { cx } from '../../ui/class-names.ts'
import { TrendLine } from '../../ui/trend-line.tsx'
import { baseOf, severityColors, severityOf, unitFormat } from './panel-text.ts'
import type { PanelData, PanelSeries } from './panel-data.ts'

export interface PanelBodyProps {
  panel: BoardPanel
  data: PanelData
  width: number
  height: number
  marks: readonly ChartMark[]
  cursor: SharedCursor
  beforeName: string
  isPhone: boolean
  onZoom: (range: ChartRange) => void
  onZoomOut: (() => void) | undefined
  onPick: (at: number) => void
}

/** How many lines can be told apart. */
const maxLines = 12

/** What a panel with figures shows, by its kind. */
export function PanelBody(props: PanelBodyProps) {
  const { panel, data } = props
  const format = unitFormat(panel.unit, data.unit)
  switch (panel.kind) {
    case 'series':
      return <SeriesBody {...props} format={format} />
    case 'stat':
      return <StatBody {...props} format={format} />
    case 'top':
      return <TopBody {...props} format={format} />
    case 'table':
      return <TableBody {...props} format={format} />
    case 'heatmap':
    case 'history':
      return <RowsBody {...props} format={format} />
    case 'text':
      return null
  }
}

type Formatted = PanelBodyProps & { format: (value: number) => string }

const lastValue = ({ values }: Pick<PanelSeries, 'values'>) => values[lastIndex(values)] ?? null
const byNow = (series: readonly PanelSeries[]) =>
  series.toSorted((a, b) => (b.now ?? Number.NEGATIVE_INFINITY) - (a.now ?? Number.NEGATIVE_INFINITY))

function SeriesBody({ panel, data, width, height, format, beforeName, isPhone, ...area }: Formatted) {
  const shown = isPhone ? byNow(data.series).slice(0, 1) : data.series.slice(0, maxLines)
  const references = shown.flatMap(({ name, before }) =>
    before?.some((value) => value !== null) ? [{ name: `${name}, ${beforeName}`, values: before }] : [],
  )
  const unit = panel.unit === 'auto' ? (data.unit ?? 'auto') : panel.unit
  return (
    <PanelChart
      {...area}
      label={panel.title || 'Series'}
      times={data.times}
      range={data.range}
      boxWidth={width}
      height={height}
      hasEnds={!isPhone && shown.length > 1 && width > 300}
      panel={{ title: panel.title, series: shown, references, base: baseOf(unit), format }}
    />
  )
}

function StatBody({ panel, data, width, height, format }: Formatted) {
  const [first] = byNow(data.series)
  const value = first?.now ?? null
  const severity = severityOf(value, panel.thresholds)
  return (
    <div className="flex flex-col justify-center gap-2" style={{ height }}>
      <p data-live-color="" className={cx('text-figure font-semibold tabular-nums', severityText[severity])}>
        {valueText(value, format)}
      </p>
      {first && height > 90 && width > 80 ? (
        <TrendLine values={scaled(first.values)} label={`${panel.title} over the range`} />
      ) : null}
      {data.series.length > 1 ? (
        <p className="text-small text-text-3">the highest of {data.seriesCount} series</p>
      ) : null}
    </div>
  )
}

const severityText = { ok: 'text-text', warn: 'text-warn', danger: 'text-danger' } as const

/** Lines of trends reach from 0 to 1. */
function scaled(values: readonly (number | null)[]): (number | null)[] {
  const most = Math.max(0, ...values.map((value) => value ?? 0)) || 1
  return values.map((value) => (value === null ? null : value / most))
}

function TopBody({ panel, data, height, format, beforeName }: Formatted) {
  const measured = data.series.filter(({ now }) => now !== null)
  const rows = byNow(measured.length > 0 ? measured : data.series).slice(
    0,
    Math.max(1, Math.floor(height / 33)),
  )
  const most = Math.max(
    ...rows.flatMap((row) => [row.now ?? 0, row.before ? (lastValue({ values: row.before }) ?? 0) : 0]),
    Number.MIN_VALUE,
  )
  return (
    <ol aria-label={panel.title} className="flex flex-col overflow-hidden" style={{ height }}>
      {rows.map((row) => {
        const { now } = row
        const before = row.before ? lastValue({ values: row.before }) : null
        const severity = severityOf(now, panel.thresholds)
        return (
          <li key={row.name} className="border-t border-line py-1.5 text-small first:border-0">
            <span className="flex justify-between gap-2">
              <span className="min-w-0 truncate">{row.name}</span>
              <span className="whitespace-nowrap tabular-nums">
                <span data-live-color="" className={cx('font-medium', severityText[severity])}>
                  {valueText(now, format)}
                </span>
                {before === null ? null : (
                  <span className="text-text-2">
                    {' '}
                    was {format(before)}
                    <span className="sr-only"> {beforeName}</span>
                  </span>
                )}
              </span>
            </span>
            <span aria-hidden className="relative mt-1 block h-1 rounded-full bg-active">
              <span
                data-live-color=""
                className={cx(
                  'absolute inset-y-0 left-0 rounded-full',
                  severity === 'danger' ? 'bg-danger' : severity === 'warn' ? 'bg-warn' : 'bg-control',
                )}
                style={{ width: `${((now ?? 0) / most) * 100}%` }}
              />
              {before === null ? null : (
                <span
                  className="absolute -top-0.5 h-2 w-0.5 bg-text"
                  style={{ left: `${(before / most) * 100}%` }}
                />
              )}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function TableBody({ panel, data, height, format }: Formatted) {
  return (
    <section
      aria-label={panel.title || 'Table'}
      // A box that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="overflow-auto -outline-offset-2"
      style={{ height }}
    >
      <table className="w-full text-small tabular-nums">
        <thead>
          <tr className="text-text-3">
            <th scope="col" className="sticky top-0 bg-bg py-1 pr-2 text-left font-normal">
              Series
            </th>
            {['Now', 'Lowest', 'Highest'].map((title) => (
              <th key={title} scope="col" className="sticky top-0 bg-bg py-1 pl-2 text-right font-normal">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {byNow(data.series).map((row) => {
            const measured = row.values.filter((value) => value !== null)
            const end = (of: (...values: number[]) => number) =>
              measured.length > 0 ? of(...measured) : null
            return (
              <tr key={row.name} className="border-t border-line">
                <th scope="row" className="max-w-40 truncate py-1 pr-2 text-left font-normal">
                  {row.name}
                </th>
                {[row.now, end(Math.min), end(Math.max)].map((value, place) => (
                  // Three figures in a fixed order.
                  // oxlint-disable-next-line react/no-array-index-key
                  <td key={place} className="py-1 pl-2 text-right whitespace-nowrap">
                    {valueText(value, format)}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function RowsBody({ panel, data, width, height, format, marks, cursor, ...does }: Formatted) {
  const most = Math.max(
    ...data.series.flatMap(({ values }) => values.map((value) => value ?? 0)),
    Number.MIN_VALUE,
  )
  const isHistory = panel.kind === 'history'
  // In a heat map what belongs together stands together.
  const rows = isHistory
    ? byWorst(data.series)
    : data.series.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  return (
    <ValueRows
      marks={marks}
      cursor={cursor}
      onZoom={does.onZoom}
      onZoomOut={does.onZoomOut}
      onPick={does.onPick}
      label={panel.title || (isHistory ? 'Status history' : 'Heat map')}
      title={panel.title}
      rows={rows}
      times={data.times}
      range={data.range}
      boxWidth={width}
      height={height}
      format={format}
      colorOf={(value) =>
        isHistory
          ? severityColors[severityOf(value, panel.thresholds)]
          : `color-mix(in srgb, var(--chart-1) ${8 + Math.round(Math.max(0, value / most) * 15) * 6}%, transparent)`
      }
    />
  )
}

/** The rows with the highest values first. */
function byWorst(series: readonly PanelSeries[]): PanelSeries[] {
  const worst = ({ values }: PanelSeries) =>
    Math.max(...values.map((value) => value ?? Number.NEGATIVE_INFINITY))
  return series.toSorted((a, b) => worst(b) - worst(a))
}
