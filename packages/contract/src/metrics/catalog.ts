import type { MeasuredType } from './measured.ts'
import { clusterMetrics, databaseMetrics, organizationMetrics, processMetrics } from './names.ts'

/** Units of metrics, and of what is computed from them where the unit is still known. */
export const metricUnits = [
  'millicores',
  'cores',
  'bytes',
  'bytes_per_second',
  'percent',
  'ms',
  'seconds',
  'count',
  'per_second',
  'per_minute',
] as const
export type MetricUnit = (typeof metricUnits)[number]

export type MetricDescription = {
  entity: MeasuredType
  meaning: string
  unit: MetricUnit
  /** Labels that its series can have besides those of the entity. A series without any is of the entity as a whole. */
  labels: readonly string[]
}

type MetricName =
  | (typeof clusterMetrics)[keyof typeof clusterMetrics]
  | (typeof databaseMetrics)[keyof typeof databaseMetrics]
  | (typeof organizationMetrics)[keyof typeof organizationMetrics]
  | (typeof processMetrics)[keyof typeof processMetrics]

const parts = ['node', 'namespace', 'kind', 'workload', 'pod']
const planned = ['node', 'namespace', 'kind', 'workload']

const ofCluster = (meaning: string, unit: MetricUnit, labels: readonly string[] = []): MetricDescription => ({
  entity: 'cluster',
  meaning,
  unit,
  labels,
})

const ofDatabase = (
  meaning: string,
  unit: MetricUnit,
  labels: readonly string[] = [],
): MetricDescription => ({
  entity: 'database',
  meaning,
  unit,
  labels,
})

const ofOrganization = (
  meaning: string,
  unit: MetricUnit,
  labels: readonly string[] = [],
): MetricDescription => ({ entity: 'organization', meaning, unit, labels })

const c = clusterMetrics
const d = databaseMetrics
const o = organizationMetrics
const p = processMetrics

/** Every metric that Bey collects: what it means, its unit and its labels. All of them are gauges. */
export const metricCatalog: Readonly<Record<MetricName, MetricDescription>> = {
  [c.cpuUsed]: ofCluster('CPU time in use', 'millicores', parts),
  [c.cpuRequested]: ofCluster('CPU time that pods request', 'millicores', planned),
  [c.cpuLimit]: ofCluster('CPU limit, where every pod has one', 'millicores', planned),
  [c.cpuAllocatable]: ofCluster('CPU time that pods can have', 'millicores', ['node']),
  [c.memoryUsed]: ofCluster('Memory in use', 'bytes', parts),
  [c.memoryRequested]: ofCluster('Memory that pods request', 'bytes', planned),
  [c.memoryLimit]: ofCluster('Memory limit, where every pod has one', 'bytes', planned),
  [c.memoryAllocatable]: ofCluster('Memory that pods can have', 'bytes', ['node']),
  [c.nodes]: ofCluster('Nodes of the cluster', 'count'),
  [c.pods]: ofCluster('Pods of the cluster', 'count'),
  [c.podsByPhase]: ofCluster('Pods in a phase', 'count', ['phase']),
  [c.podsByHealth]: ofCluster('Pods of a health; ended pods do not count', 'count', ['health']),
  [c.podsNotReady]: ofCluster('Pods that are not ready; ended pods do not count', 'count'),
  [c.restarts]: ofCluster('Restarts of containers', 'per_minute'),
  [d.connections]: ofDatabase('Open connections', 'count'),
  [d.connectionsMax]: ofDatabase('Connections that the server allows', 'count'),
  [d.connectionsByState]: ofDatabase('Connections in a state', 'count', ['state']),
  [d.waiting]: ofDatabase('Sessions that wait for a lock', 'count'),
  [d.transactions]: ofDatabase('Committed transactions', 'per_second'),
  [d.rollbacks]: ofDatabase('Rolled back transactions', 'per_second'),
  [d.statements]: ofDatabase('Statements or commands', 'per_second'),
  [d.cacheHit]: ofDatabase('Reads answered from the cache', 'percent'),
  [d.size]: ofDatabase('Size on disk', 'bytes'),
  [d.longestQuery]: ofDatabase('Age of the longest running query', 'ms'),
  [d.load]: ofDatabase('Sessions at work, by what they wait for', 'count', ['wait']),
  [d.lockWait]: ofDatabase('Longest wait for a lock', 'ms'),
  [d.deadlocks]: ofDatabase('Deadlocks', 'per_minute'),
  [d.statementP95]: ofDatabase('Mean time of a statement that 95 of 100 calls stay within', 'ms'),
  [d.replicationLag]: ofDatabase('How far the standby that is furthest behind is', 'ms'),
  [d.checkpoints]: ofDatabase('Checkpoints', 'per_minute'),
  [d.temporaryBytes]: ofDatabase('Temporary files written', 'bytes_per_second'),
  [d.walBytes]: ofDatabase('Write-ahead log written', 'bytes_per_second'),
  [d.rowsRead]: ofDatabase('Rows that statements fetched', 'per_second'),
  [d.rowsWritten]: ofDatabase('Rows inserted, updated or deleted', 'per_second'),
  [d.cores]: ofDatabase('Processor cores of the machine', 'cores'),
  [o.thingsByHealth]: ofOrganization('Things of a service, by health', 'count', ['service', 'health']),
  [o.runsStarted]: ofOrganization('Runs that were queued', 'per_minute', ['workflow']),
  [o.runsEnded]: ofOrganization('Runs that ended', 'per_minute', ['workflow']),
  [o.runsFailed]: ofOrganization('Runs that failed or timed out', 'per_minute', ['workflow']),
  [o.runDuration]: ofOrganization('How long ended runs took, on average', 'seconds', ['workflow']),
  [o.runsActive]: ofOrganization('Runs at work or waiting', 'count'),
  [o.runsQueued]: ofOrganization('Runs that wait to begin', 'count'),
  [p.cpu]: ofOrganization('Processor of one core in use by a process of Bey', 'percent', ['process']),
  [p.memory]: ofOrganization('Memory of a process of Bey', 'bytes', ['process']),
  [p.heap]: ofOrganization('JavaScript heap in use', 'bytes', ['process']),
  [p.loopDelay]: ofOrganization('Delay of the event loop, 99th percentile', 'ms', ['process']),
  [p.requests]: ofOrganization('Requests answered', 'per_second', ['process']),
  [p.requestErrors]: ofOrganization('Requests answered with a failure of the server', 'per_second', [
    'process',
  ]),
  [p.requestTime]: ofOrganization('Time to answer a request, on average', 'ms', ['process']),
  [p.sockets]: ofOrganization('Open live connections', 'count', ['process']),
  [p.connections]: ofOrganization('Open connections to the database', 'count', ['process']),
  [p.connectionWaits]: ofOrganization('Work that waits for a connection', 'count', ['process']),
}

/** The description of a metric; undefined for a name that no collector of this version writes. */
export function metricDescription(name: string): MetricDescription | undefined {
  return Object.hasOwn(metricCatalog, name) ? metricCatalog[name as MetricName] : undefined // an own key is a name
}
