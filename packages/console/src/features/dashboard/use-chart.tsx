import type { Dashboard } from '@bey/contract'
import { busiestClusters, clusterMetrics, clusterUse } from '@bey/contract'
import { useMemo } from 'react'
import { averagesOf, percentOf, useMetrics, useSteadyIds } from '../../data/metrics.ts'
import { useChartRange } from '../../entities/metrics/chart-range.ts'
import { wholePercent } from '../../entities/metrics/metric-format.ts'
import { MetricChart } from '../../entities/metrics/metric-chart.tsx'
import { NoMetrics, NothingMeasured } from '../../entities/metrics/no-metrics.tsx'
import type { ChartPanel } from '../../ui/chart/chart-types.ts'
import { lastIndex } from '../../ui/chart/chart-layout.ts'
import { sinceText } from '../../ui/time-text.ts'
import { useChangeMarks } from './change-marks.ts'

const { cpuUsed, cpuAllocatable, memoryUsed, memoryAllocatable } = clusterMetrics
const ticks = [0, 25, 50, 75]

/** Use of allocatable, by cluster: CPU and memory on one axis, with what changed between them. */
export function UseChart({ figures, hasTrouble }: { figures: Dashboard | undefined; hasTrouble: boolean }) {
  const range = useChartRange('24h')
  const rows = useMemo(() => busiestClusters(figures?.clusterRows ?? []), [figures])
  const list = useMetrics(clusterUse(useSteadyIds(rows.map(({ id }) => id)), range))
  const marks = useChangeMarks(figures, range)
  const panel = (title: string, height: number, used: string, allocatable: string): ChartPanel => {
    const series = rows.flatMap(({ id, title: name }) => {
      const values = percentOf(averagesOf(list.data, id, used), averagesOf(list.data, id, allocatable))
      return lastIndex(values) < 0 ? [] : [{ name, values }]
    })
    const most = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
    return {
      title,
      height,
      series,
      top: most > 78 ? 105 : 80,
      ticks: most > 78 ? [...ticks, 100] : ticks,
      format: wholePercent,
    }
  }
  // Clusters that do not answer have no figures, and a chart of nothing says nothing.
  if (figures && rows.length === 0) return null
  const { summary } = figures ?? {}
  const isFailing = summary?.state === 'failing' && summary.since !== null
  const all = figures?.clusterRows.length ?? 0
  return (
    <MetricChart
      title={
        all > rows.length
          ? `Use of allocatable, by the ${rows.length} busiest of ${all} clusters`
          : 'Use of allocatable, by cluster'
      }
      range={range}
      periods={['6h', '24h', '7d']}
      list={list}
      panels={[
        panel('CPU', hasTrouble ? 100 : 252, cpuUsed, cpuAllocatable),
        panel('Memory', hasTrouble ? 68 : 166, memoryUsed, memoryAllocatable),
      ]}
      marks={marks}
      trouble={
        isFailing && summary.since !== null
          ? { since: Date.parse(summary.since), text: `failing since ${sinceText(summary.since)}` }
          : undefined
      }
      empty={isMeasured(figures) ? <NothingMeasured /> : <NoMetrics />}
    />
  )
}

const isMeasured = (figures: Dashboard | undefined) =>
  figures?.clusterRows.some(({ capacity }) => capacity.cpuMillicores.used !== null) ?? true
