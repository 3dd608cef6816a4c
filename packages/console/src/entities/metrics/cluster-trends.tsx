import { clusterHealthTrend, clusterMetrics, clusterTrends } from '@bey/contract'
import { averagesOf, percentOf, useMetrics } from '../../data/metrics.ts'
import { absent } from '../../lib/format.ts'
import { HealthStrip } from '../../ui/health-strip.tsx'
import type { StripState } from '../../ui/health-strip.tsx'
import { TrendLine } from '../../ui/trend-line.tsx'

const halfHours = 48

/** What rows show of clusters: a day in half-hours. */
export interface ClusterTrends {
  /** Shares (0–1) of what can be allocated. */
  cpu(id: number): readonly (number | null)[] | undefined
  memory(id: number): readonly (number | null)[] | undefined
}

const { cpuUsed, cpuAllocatable, memoryUsed, memoryAllocatable } = clusterMetrics

/** The last day of up to 200 clusters. */
export function useClusterTrends(ids: readonly number[]): ClusterTrends {
  const { data } = useMetrics(clusterTrends(ids))
  const share = (id: number, used: string, allocatable: string) => {
    const values = averagesOf(data, id, used)
    if (!values) return undefined
    return percentOf(values, averagesOf(data, id, allocatable)).map((value) =>
      value === null ? null : value / 100,
    )
  }
  return {
    cpu: (id) => share(id, cpuUsed, cpuAllocatable),
    memory: (id) => share(id, memoryUsed, memoryAllocatable),
  }
}

/** How the pods of clusters were in each half-hour of the last day; undefined until it is known. */
export function useClusterHealthStrips(ids: readonly number[]): (id: number) => StripState[] | undefined {
  const failing = useMetrics(clusterHealthTrend(ids, 'failing'))
  const degraded = useMetrics(clusterHealthTrend(ids, 'degraded'))
  return (id) => {
    if (!failing.data || !degraded.data) return undefined
    const most = (list: typeof failing.data) => list.series.find((series) => series.id === String(id))?.maxima
    const [worst, bad] = [most(failing.data), most(degraded.data)]
    const states = (worst ?? []).map((count, index): StripState => {
      if (count === null) return 'none'
      return count > 0 ? 'failing' : (bad?.[index] ?? 0) > 0 ? 'warn' : 'ok'
    })
    return [...Array.from({ length: halfHours }, (): StripState => 'none'), ...states].slice(-halfHours)
  }
}

/** A day as a line, with the share of now; "—" where the cluster does not measure it. */
export function ClusterTrend({
  label,
  values,
  tone,
}: {
  /** "CPU of prod-eu-1". */
  label: string
  values: readonly (number | null)[] | undefined
  tone?: number
}) {
  const now = values?.findLast((value) => value !== null)
  const text = now == null ? absent : `${Math.round(now * 100)}%`
  return (
    <span className="flex h-6 items-center justify-between gap-2 tabular-nums">
      {values ? (
        <TrendLine
          values={values}
          label={`${label} over 24 h, now ${text}`}
          {...(tone !== undefined && { tone })}
        />
      ) : (
        <span className="w-18" />
      )}
      <span className="text-text-2">{text}</span>
    </span>
  )
}

/** A day in half-hours, in words for who does not see them. */
export function ClusterHealthStrip({ title, states }: { title: string; states: StripState[] | undefined }) {
  if (!states) return null
  const count = (state: StripState) => states.filter((each) => each === state).length
  const label = `Health of ${title} over 24 h: ${count('failing') / 2} h failing, ${count('warn') / 2} h degraded, ${count('none') / 2} h not measured`
  return <HealthStrip states={states} label={label} />
}
