import type { MetricRange } from '@bey/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { timesOf } from '../../data/metrics.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Chart, chartHeight } from '../../ui/chart/chart.tsx'
import { ChartRow, chartRowHeight } from '../../ui/chart/chart-row.tsx'
import type { ChartMark, ChartPanel } from '../../ui/chart/chart-types.ts'
import { MarkLegend } from '../../ui/chart/mark-lane.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Section } from '../../ui/section.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import type { ChartRangeControl, Period } from './chart-range.ts'
import { periodLabels } from './chart-range.ts'

export interface MetricChartProps {
  title: string
  range: ChartRangeControl
  periods: readonly Period[]
  list: Pick<UseQueryResult<MetricRange>, 'data' | 'error' | 'isFetching' | 'refetch'>
  /** Without series where nothing was measured. */
  panels: readonly ChartPanel[]
  marks?: readonly ChartMark[]
  trouble?: { since: number; text: string } | undefined
  /** Draws the panels side by side rather than one below another; called with a time that was clicked. */
  onPick?: (at: number) => void
  /** What else can be done with the chart, before its range. */
  actions?: ReactNode
  /** Shown where nothing was measured; it has the room of the chart. */
  empty: ReactNode
}

/** A chart of metrics with its heading: what the marks mean, the table, the range. It keeps its room from the start. */
export function MetricChart({
  title,
  range,
  periods,
  list,
  panels,
  marks = [],
  trouble,
  onPick,
  actions,
  empty,
}: MetricChartProps) {
  const [isTable, setTable] = useState(false)
  const { data } = list
  const failure = failureOf('Failed to read the metrics', list)
  const heights = panels.map((panel) => panel.height)
  const height = onPick ? chartRowHeight(heights[0] ?? 0) : chartHeight(heights)
  // Side by side there is no room to name the lines at their end.
  const hasReference = onPick && panels.some(({ references = [] }) => references.length > 0)
  const hasValues = panels.some(({ series }) => series.length > 0)
  const times = data ? timesOf(data) : []
  const kinds = [...new Set(marks.map(({ kind }) => kind))]
  const drawn = {
    label: title,
    times,
    range: { fromMs: Date.parse(data?.from ?? ''), toMs: Date.parse(data?.to ?? '') },
    panels,
    marks,
    isTable,
    onZoom: range.zoom,
    onZoomOut: range.zoomOut,
  }
  return (
    <Section
      title={title}
      aside={
        <span className="flex flex-wrap items-center gap-3">
          <MarkLegend
            kinds={kinds}
            hasReference={hasReference}
            isTroubled={onPick && trouble !== undefined}
          />
          {actions}
          {range.zoomOut ? (
            <Button size="small" variant="ghost" onClick={range.zoomOut}>
              Reset zoom
            </Button>
          ) : null}
          <button
            type="button"
            aria-pressed={isTable}
            disabled={!hasValues}
            onClick={() => setTable(!isTable)}
            className="h-6 underline disabled:text-text-3 disabled:no-underline hover:not-disabled:text-accent-text touch:h-9"
          >
            {isTable ? 'Chart' : 'Table'}
          </button>
          <Segmented
            label="Range"
            options={periods.map((value) => ({ value, label: periodLabels[value] }))}
            value={range.period}
            onChange={range.choose}
          />
        </span>
      }
    >
      <div style={{ minHeight: height }} className="flex flex-col">
        {failure ? (
          <ErrorState {...failure} isCompact />
        ) : data === undefined ? null : hasValues ? (
          onPick ? (
            <ChartRow {...drawn} troubleSinceMs={trouble?.since} onPick={onPick} />
          ) : (
            <Chart {...drawn} trouble={trouble} />
          )
        ) : (
          empty
        )}
        {data?.refused ? <Refused {...data.refused} /> : null}
      </div>
    </Section>
  )
}

function Refused({ count, maxSeries }: NonNullable<MetricRange['refused']>) {
  return (
    <p className="mt-1 text-small text-warn">
      {formatCount(count, 'series', 'series')} of this organization {count === 1 ? 'is' : 'are'} not kept: it
      has reached {formatCount(maxSeries, 'series', 'series')}.
    </p>
  )
}
