import type { Dashboard, HandlerOutput, Permission, ServiceName, ServiceRow } from '@bey/contract'
import {
  clusterMetrics,
  dashboardClusters,
  databaseMetrics,
  organizationMetrics,
  serviceStepSeconds,
} from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import { mayNow } from '../../../platform/keys/key-rights.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { AskedSeries, Points, ReadRange } from '../../../platform/metrics/read.ts'
import { floorTo } from '../../../platform/metrics/steps.ts'
import { failedStatuses, queuedRuns, type QueuedRun } from '../since/happened-store.ts'
import type { SinceReader } from '../since/since.ts'
import { marksOf, readChanges } from './marks.ts'
import { cellsOf, eventsBySteps, round, sharesOf } from './strip-cells.ts'
import { readThings, type ServiceHealth, type ServiceThings } from './things.ts'

export type ServicesParts = ServiceHealth & {
  database: Pick<Database, 'readTenant'>
  dashboard: (organizationId: number) => Promise<Dashboard>
  metrics: Pick<Metrics, 'read'>
  clock: Clock
}

type Strips = HandlerOutput<'analytics.services'>
type Range = ReadRange & { count: number }

/** Databases whose transactions are summed up for the row of databases. */
const maxDatabases = 100

/** How each cluster and service was over a time that ends now, as far as the reader's role may know. */
export function createServices(parts: ServicesParts) {
  const { database, metrics, clock } = parts

  return async (
    reader: SinceReader,
    hours: keyof typeof serviceStepSeconds,
    figures?: Dashboard,
  ): Promise<Strips> => {
    const { organizationId, role } = reader
    const now = clock.now()
    const range = rangeOf(now.getTime(), hours)
    const window = { organizationId, from: new Date(range.fromMs), to: now }
    const may = (permission: Permission) => mayNow(role, permission)
    const [dashboard, things, runs, changes] = await Promise.all([
      figures ?? parts.dashboard(organizationId),
      readThings(parts, organizationId, now),
      may('workflows.read') ? database.readTenant(organizationId, (db) => queuedRuns(db, window)) : [],
      readChanges(database, reader, window),
    ])
    const isUsed = ({ service, total }: ServiceThings) => total > 0 && may(servicePages[service].permission)
    const clusters = may('clusters.read') ? await clusterRows(organizationId, dashboard, range) : []
    const rows = await serviceRows(organizationId, things.filter(isUsed), runs, range)
    return {
      from: new Date(range.fromMs).toISOString(),
      to: new Date(range.toMs).toISOString(),
      stepMs: range.stepMs,
      rows: [...clusters, ...rows],
      clustersLeftOut: may('clusters.read')
        ? dashboard.clusterRows.length + dashboard.unreachableClusters.length - clusters.length
        : 0,
      marks: marksOf(runs, changes),
    }
  }

  async function clusterRows(
    organizationId: number,
    dashboard: Dashboard,
    range: Range,
  ): Promise<ServiceRow[]> {
    const unreachable = dashboard.unreachableClusters.slice(0, dashboardClusters)
    const shown = dashboard.clusterRows.slice(0, dashboardClusters - unreachable.length)
    const ids = [...unreachable, ...shown].map(({ id }) => String(id))
    const asked = ids.flatMap((id) => clusterSeries(id))
    const points = await metrics.read(organizationId, asked, range)
    const perCluster = asked.length / Math.max(1, ids.length)
    const ofIndex = (index: number) => points.slice(index * perCluster, (index + 1) * perCluster)
    return [
      ...unreachable.map(({ id, title, reason }, index): ServiceRow => ({
        ...clusterBase(id, title, ofIndex(index)),
        state: 'unknown',
        trouble: reason,
        detail: '',
        figure: null,
      })),
      ...shown.map((row, index): ServiceRow => {
        const base = clusterBase(row.id, row.title, ofIndex(unreachable.length + index))
        const cpu = row.capacity.cpuMillicores
        return {
          ...base,
          state: row.health.state,
          trouble: clusterTrouble(row),
          detail: clusterDetail(row),
          figure:
            cpu.used === null || !cpu.allocatable
              ? null
              : `${Math.round((100 * cpu.used) / cpu.allocatable)}% CPU`,
        }
      }),
    ]
  }

  async function serviceRows(
    organizationId: number,
    things: readonly ServiceThings[],
    runs: readonly QueuedRun[],
    range: Range,
  ): Promise<ServiceRow[]> {
    const entity = { type: 'organization', id: String(organizationId) }
    const recorded = things.flatMap(({ service }) =>
      (['healthy', 'failing', 'degraded', 'unknown'] as const).map((health) => ({
        entity,
        metric: organizationMetrics.thingsByHealth,
        labels: { service, health },
      })),
    )
    const databases = (await parts.databaseHealth(organizationId)).slice(0, maxDatabases)
    const transactions = databases.map(({ id }) => ({
      entity: { type: 'database', id },
      metric: databaseMetrics.transactions,
    }))
    const points = await metrics.read(organizationId, [...recorded, ...transactions], range)
    const sums = sumOf(points.slice(recorded.length), range.count)
    return things.map((each, index): ServiceRow => {
      const [healthy, failing, degraded, unknown] = points.slice(index * 4, index * 4 + 4)
      const worse = (degraded?.maxima ?? []).map((value, step) =>
        value === null ? null : value + (unknown?.maxima[step] ?? 0),
      )
      return {
        key: each.service,
        name: servicePages[each.service].name,
        href: servicePages[each.service].href,
        state:
          each.failing > 0
            ? 'failing'
            : each.degraded > 0
              ? 'degraded'
              : each.unknown > 0
                ? 'unknown'
                : 'healthy',
        trouble: each.trouble,
        detail: detailOf(each),
        cells: cellsOf(healthy?.maxima ?? [], failing?.maxima ?? [], worse),
        ...curveOf(each.service, runs, sums, range),
      }
    })
  }
}

function rangeOf(nowMs: number, hours: keyof typeof serviceStepSeconds): Range {
  const stepMs = serviceStepSeconds[hours] * 1000
  const toMs = floorTo(nowMs, stepMs) + stepMs
  const count = (hours * 3_600_000) / stepMs
  return { fromMs: toMs - count * stepMs, toMs, stepMs, count }
}

const clusterSeries = (id: string): AskedSeries[] => {
  const entity = { type: 'cluster', id }
  return [
    { entity, metric: clusterMetrics.pods },
    { entity, metric: clusterMetrics.podsByHealth, labels: { health: 'failing' } },
    { entity, metric: clusterMetrics.podsByHealth, labels: { health: 'degraded' } },
    { entity, metric: clusterMetrics.cpuUsed },
    { entity, metric: clusterMetrics.cpuAllocatable },
  ]
}

function clusterBase(id: number, title: string, points: readonly Points[]) {
  const [pods, failing, degraded, used, allocatable] = points
  const cpu = (used?.averages ?? []).map((value, step) => {
    const of = allocatable?.averages[step]
    return value === null || !of ? null : round(value / of)
  })
  return {
    key: `cluster/${id}`,
    name: title,
    href: `/kubernetes/clusters/${id}`,
    cells: cellsOf(pods?.maxima ?? [], failing?.maxima ?? [], degraded?.maxima ?? []),
    trend: cpu.some((value) => value !== null) ? cpu : null,
  }
}

type ClusterRow = Dashboard['clusterRows'][number]

function clusterTrouble({ failingPods, pods, health }: ClusterRow): string | null {
  if (failingPods > 0) return `${failingPods} of ${count(pods.total, 'pod')} failing`
  return health.state === 'healthy' || health.state === 'starting' ? null : (health.detail ?? health.reason)
}

function clusterDetail({ nodes, pods, failingPods }: ClusterRow): string {
  const nodesText =
    nodes.ready === nodes.total
      ? count(nodes.total, 'node')
      : `${nodes.ready} of ${count(nodes.total, 'node')} ready`
  return failingPods > 0 ? nodesText : `${count(pods.total, 'pod')}, ${nodesText}`
}

const count = (total: number, noun: string) =>
  `${total.toLocaleString('en')} ${noun}${total === 1 ? '' : 's'}`

/** "4 networks"; hosts and certificates have no total. */
function detailOf({ service, total, trouble }: ServiceThings): string {
  if (service === 'ingress') return trouble === null ? 'hosts and certificates' : 'of hosts and certificates'
  return count(total, servicePages[service].noun)
}

function curveOf(
  service: ServiceName,
  runs: readonly QueuedRun[],
  transactions: (number | null)[],
  range: Range,
): Pick<ServiceRow, 'trend' | 'figure'> {
  if (service === 'workflows') {
    const perStep = eventsBySteps(
      runs.map(({ queuedAt }) => ({ atMs: queuedAt.getTime() })),
      range,
      range.fromMs,
    )
    const failed = runs.filter(({ status }) => failedStatuses.includes(status)).length
    return {
      trend: sharesOf(perStep),
      // Rows are read up to a bound; a figure that may be too low is not given.
      figure:
        runs.length >= 400
          ? null
          : failed > 0
            ? `${failed} of ${count(runs.length, 'run')} failed`
            : count(runs.length, 'run'),
    }
  }
  if (service === 'databases') {
    const now = transactions.findLast((value) => value !== null)
    return {
      trend: sharesOf(transactions),
      figure: now == null ? null : `${Number(now.toPrecision(2))} tx/s`,
    }
  }
  return { trend: null, figure: null }
}

function sumOf(points: readonly Points[], steps: number): (number | null)[] {
  return Array.from({ length: steps }, (_, step) => {
    const values = points.flatMap(({ averages }) => averages[step] ?? [])
    return values.length === 0 ? null : values.reduce((total, value) => total + value, 0)
  })
}

const servicePages: Readonly<
  Record<ServiceName, { name: string; noun: string; href: string; permission: Permission }>
> = {
  workflows: { name: 'Workflows', noun: 'workflow', href: '/workflows/runs', permission: 'workflows.read' },
  databases: { name: 'Databases', noun: 'database', href: '/databases', permission: 'databases.read' },
  networks: { name: 'Networks', noun: 'network', href: '/networking', permission: 'networks.read' },
  ingress: { name: 'Ingress', noun: 'host', href: '/networking/ingress', permission: 'networks.read' },
  secrets: { name: 'Secrets', noun: 'secret', href: '/secrets', permission: 'secrets.read' },
  alerts: { name: 'Alerts', noun: 'alert', href: '/analytics/alerts', permission: 'alerts.read' },
}
