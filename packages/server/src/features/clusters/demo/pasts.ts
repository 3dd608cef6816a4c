import type { DemoCluster, DemoScaling, DemoWorkload } from '../../../platform/demo.ts'
import type { ClusterPast, ProviderCluster } from '../provider.ts'
import { applications, atVersion, changed } from './applications.ts'
import {
  autoscaler,
  configMap,
  cronJob,
  disruptionBudget,
  ingress,
  namespace,
  type Program,
  program,
  settingsName,
  workload,
} from './objects.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const gibibyte = 1024 ** 3
/** From the change that causes the incident until its pods fail. */
const causeTakesMs = 20 * secondMs

type DemoClusterPlan = {
  mood: DemoCluster['mood']
  title: string
  region: string
  description: string
  nodeGroups: ProviderCluster['nodeGroups']
  /** Names of the applications that run there. */
  runs: readonly string[]
  seed: number
  /** As the programs of the applications run there. */
  adapt?: (given: Program) => Program
}

/** Who wrote what when, beside the objects of the beginning: for the audit trail of the demo. */
type DemoChange = {
  at: Date
  cluster: DemoCluster['mood']
  by: 'teo' | 'kaya' | 'noor' | 'mara'
  namespace: string
  name: string
}

const controlPlane = { name: 'control-plane', count: 1, cpuCores: 2, memoryBytes: 4 * gibibyte }

/** The last words of a program that lacks its configuration. */
const searchDies = [
  '{"level":"info","msg":"search 5.1.0 starting"}',
  '{"level":"info","msg":"reading configuration","path":"/etc/search/search.yaml"}',
  '{"level":"error","msg":"index.shards is missing: since 5.1.0 the number of shards has no default"}',
  'panic: invalid configuration: index.shards is missing',
  'exit status 1',
].join('\n')

/** The three clusters of a demo. Two weeks ago each was as its applications are written down; then it changed. */
export const demoClusters: readonly DemoClusterPlan[] = [
  {
    mood: 'incident',
    title: 'prod-eu',
    region: 'eu-central',
    description: 'Serves Europe',
    nodeGroups: [controlPlane, { name: 'workers', count: 6, cpuCores: 8, memoryBytes: 32 * gibibyte }],
    runs: ['shop', 'catalog'],
    seed: 11,
  },
  {
    mood: 'healthy',
    title: 'prod-us',
    region: 'us-east',
    description: 'Serves the Americas',
    nodeGroups: [controlPlane, { name: 'workers', count: 8, cpuCores: 8, memoryBytes: 32 * gibibyte }],
    runs: ['shop', 'catalog', 'payments', 'insight'],
    seed: 12,
  },
  {
    mood: 'rollout',
    title: 'staging',
    region: 'eu-central',
    description: 'Where releases are tried',
    nodeGroups: [controlPlane, { name: 'workers', count: 3, cpuCores: 8, memoryBytes: 16 * gibibyte }],
    runs: ['shop', 'payments'],
    seed: 13,
    adapt: (given) => ({
      ...given,
      replicas: given.name === 'storefront' ? 6 : 1,
      cpu: Math.ceil((given.cpu ?? 100) / 2),
    }),
  },
]

/** What happened in a cluster of a demo since its beginning. */
export function pastOf({ mood, runs, seed, adapt }: DemoClusterPlan, moments: Moments): ClusterPast {
  return {
    seed,
    chapters: [
      beginning(moments.now, runs, adapt),
      ...changesOf(mood, moments).map((change) => chapterOf(change, moments)),
    ],
  }
}

/** The workloads of a cluster of a demo, with what their pods request together. */
export function workloadsOf({ runs, adapt = (given) => given }: DemoClusterPlan): DemoWorkload[] {
  return runs.flatMap((namespaceName) =>
    (applications[namespaceName] ?? [])
      .map(adapt)
      .map(({ name, replicas = 1, cpu = 100, memory = 128, volume }) => ({
        namespace: namespaceName,
        kind: volume ? 'StatefulSet' : 'Deployment',
        name,
        cores: (cpu * replicas) / 1_000,
        gib: (memory * replicas) / 1_024,
      })),
  )
}

/** When nodes were added and removed: once for good, and for a load test of one day. */
export function scalingsOf(mood: DemoCluster['mood'], now: Date): DemoScaling[] {
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  const at = (daysAgo: number, hours: number) => new Date(today - daysAgo * dayMs + hours * hourMs)
  if (mood === 'healthy') return [{ at: at(26, 9), by: 'kaya', group: 'workers', from: 6, to: 8 }]
  if (mood === 'incident') return []
  return [
    { at: at(1, 6), by: 'noor', group: 'workers', from: 3, to: 12 },
    { at: at(1, 23), by: 'noor', group: 'workers', from: 12, to: 3 },
  ]
}

type Moments = { now: Date; incidentAt: Date }
type Change = DemoChange & { program: Program; passMs: number }

/** What was rolled out since the beginning, oldest first. */
export function changesOf(mood: DemoCluster['mood'], { now, incidentAt }: Moments): Change[] {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const settled = 90 * secondMs
  switch (mood) {
    case 'healthy':
      return [
        {
          at: ago(9 * dayMs + 3 * hourMs),
          cluster: mood,
          by: 'mara',
          namespace: 'payments',
          name: 'gateway',
          program: atVersion('payments', 'gateway', '7.2.0'),
          passMs: settled,
        },
        {
          at: ago(4 * dayMs + 5 * hourMs),
          cluster: mood,
          by: 'kaya',
          namespace: 'shop',
          name: 'orders',
          program: atVersion('shop', 'orders', '4.8.0'),
          passMs: settled,
        },
        {
          at: ago(26 * hourMs),
          cluster: mood,
          by: 'teo',
          namespace: 'insight',
          name: 'events',
          program: atVersion('insight', 'events', '6.1.0'),
          passMs: settled,
        },
      ]
    case 'rollout':
      return [
        {
          at: ago(6 * dayMs),
          cluster: mood,
          by: 'noor',
          namespace: 'payments',
          name: 'ledger',
          program: atVersion('payments', 'ledger', '2.0.0-rc.1', { replicas: 1 }),
          passMs: settled,
        },
        {
          at: ago(70 * secondMs),
          cluster: mood,
          by: 'noor',
          namespace: 'shop',
          name: 'storefront',
          program: atVersion('shop', 'storefront', '2.16.0', { replicas: 6, minReadySeconds: 60 }),
          passMs: 65 * secondMs,
        },
      ]
    case 'incident':
      return [
        {
          at: ago(11 * dayMs),
          cluster: mood,
          by: 'teo',
          namespace: 'catalog',
          name: 'search',
          program: atVersion('catalog', 'search', '5.0.5'),
          passMs: settled,
        },
        {
          at: ago(5 * dayMs + 2 * hourMs),
          cluster: mood,
          by: 'noor',
          namespace: 'shop',
          name: 'checkout',
          program: atVersion('shop', 'checkout', '2.15.1'),
          passMs: settled,
        },
        {
          at: ago(19 * hourMs),
          cluster: mood,
          by: 'kaya',
          namespace: 'catalog',
          name: 'recommend',
          program: changed('catalog', 'recommend', {
            memory: 1024,
            changeCause: 'Give recommend more memory',
          }),
          passMs: settled,
        },
        {
          at: new Date(incidentAt.getTime() - causeTakesMs),
          cluster: mood,
          by: 'teo',
          namespace: 'catalog',
          name: 'search',
          program: atVersion('catalog', 'search', '5.1.0', {
            annotations: { 'sandbox.bey/behavior': 'crash', 'sandbox.bey/last-words': searchDies },
          }),
          passMs: now.getTime() - incidentAt.getTime(),
        },
      ]
  }
}

/**
 * How many pods failed at each of these moments: those of the program that exits, since the change that caused it took effect.
 * Pods that wait for it are not ready, which is no failure of theirs.
 */
export function failingPodsAt(
  title: string,
  versions: readonly { atMs: number }[],
  momentsMs: readonly number[],
): number[] {
  const isIncident = demoClusters.some((plan) => plan.title === title && plan.mood === 'incident')
  // The change that caused it is the newest one there.
  const sinceMs = isIncident
    ? versions.reduce((newest, { atMs }) => Math.max(newest, atMs), 0) + causeTakesMs
    : Infinity
  const pods = applications['catalog']?.find(({ name }) => name === 'search')?.replicas ?? 1
  return momentsMs.map((atMs) => (atMs >= sinceMs ? pods : 0))
}

function beginning(
  now: Date,
  names: readonly string[],
  adapt: (given: Program) => Program = (given) => given,
): ClusterPast['chapters'][number] {
  const objects = names.flatMap((name) => [
    namespace(name),
    configMap(name, settingsName, { LOG_LEVEL: 'info', REGION: 'eu-central', RELEASE_CHANNEL: 'stable' }),
    ...(applications[name] ?? []).flatMap((given) => program(name, adapt(given))),
  ])
  const extras = [
    ...(names.includes('shop')
      ? [
          ingress('shop', 'shop.ostwind.example', 'storefront', 80),
          autoscaler('shop', 'cart', 3, 6),
          disruptionBudget('shop', 'storefront'),
          cronJob('shop', 'nightly-cleanup', '10 3 * * *', 'busybox:1.37'),
        ]
      : []),
    ...(names.includes('insight') ? [cronJob('insight', 'daily-report', '0 6 * * *', 'busybox:1.37')] : []),
    ...(names.includes('catalog') ? [disruptionBudget('catalog', 'search')] : []),
  ]
  return {
    atMs: now.getTime() - 14 * dayMs,
    passMs: 2 * minuteMs,
    manager: 'kubectl',
    objects: [...objects, ...extras],
  }
}

function chapterOf(change: Change, { now }: Moments): ClusterPast['chapters'][number] {
  const atMs = change.at.getTime()
  return {
    atMs,
    // The process itself goes on from there.
    passMs: Math.min(change.passMs, now.getTime() - atMs),
    manager: 'kubectl',
    objects: [workload(change.namespace, change.program)],
  }
}
