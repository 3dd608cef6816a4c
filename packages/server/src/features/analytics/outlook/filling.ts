import type { Dashboard, Outlook } from '@bey/contract'
import { clusterMetrics, dashboardClusters } from '@bey/contract'
import { forecastFull, forecastRules, forecastText } from '@bey/contract/analytics/capacity-forecast'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import { floorTo } from '../../../platform/metrics/steps.ts'

type Filling = Outlook['filling'][number]

const stepMs = 6 * 3_600_000
const dayMs = 86_400_000

const resources = [
  { resource: 'CPU', metric: clusterMetrics.cpuRequested, of: 'cpuMillicores' },
  { resource: 'memory', metric: clusterMetrics.memoryRequested, of: 'memoryBytes' },
] as const

/** When the requests of pods will have taken all that clusters can allocate, from the last 30 days. */
export async function readFilling(
  metrics: Pick<Metrics, 'read'>,
  organizationId: number,
  rows: Dashboard['clusterRows'],
  nowMs: number,
): Promise<Filling[]> {
  const shown = rows.slice(0, dashboardClusters)
  const toMs = floorTo(nowMs, stepMs) + stepMs
  const range = { fromMs: toMs - forecastRules.days * dayMs, toMs, stepMs }
  const asked = shown.flatMap(({ id }) =>
    resources.map(({ metric }) => ({ entity: { type: 'cluster', id: String(id) }, metric })),
  )
  const points = await metrics.read(organizationId, asked, range)
  const filling = shown.flatMap(({ id, title, capacity }, row) =>
    resources.flatMap(({ resource, of }, index): Filling[] => {
      const { requested, allocatable } = capacity[of]
      if (allocatable === 0) return []
      const averages = points[row * resources.length + index]?.averages ?? []
      const forecast = forecastFull(averages, allocatable, range)
      return [
        {
          key: `${id}/${resource}`,
          clusterId: id,
          name: title,
          href: `/kubernetes/clusters/${id}`,
          resource,
          share: Number((requested / allocatable).toFixed(4)),
          fullAt: forecast.state === 'fills' ? new Date(forecast.atMs).toISOString() : null,
          text: forecastText(forecast, nowMs),
        },
      ]
    }),
  )
  const soonest = ({ fullAt }: Filling) => (fullAt === null ? Number.POSITIVE_INFINITY : Date.parse(fullAt))
  return filling.toSorted((a, b) => soonest(a) - soonest(b) || b.share - a.share)
}
