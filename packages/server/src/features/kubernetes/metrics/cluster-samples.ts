import type { HealthState } from '@bey/contract'
import { clusterMetrics } from '@bey/contract/metrics/names'
import type { Sample } from '../../../platform/metrics/metrics.ts'
import type { ClusterAssessment } from '../health/assessor.ts'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import type { PodEntry } from '../watch/entries.ts'
import type { NodeUsage, Usage } from './usage.ts'

/** Pods of one cluster whose use is kept; of more, those that request the most. */
const maxPods = 20_000

type Sums = {
  used: NodeUsage | undefined
  requested: NodeUsage
  /** Undefined once one of the pods has no limit. */
  limit: { cpuMillicores: number | undefined; memoryBytes: number | undefined }
}

/**
 * Every series of a cluster at one moment: use against requests, limits and allocatable of the cluster, its nodes and
 * workloads, the use of its pods, and how many pods there are in each phase and state of health, are not ready, and
 * restarted. What is not measured has no sample.
 */
export function clusterSamples(
  cache: ClusterCache,
  assessment: ClusterAssessment,
  usage: Usage | undefined,
  restartsPerMinute?: number,
): Sample[] {
  const workloadOf = workloads(cache)
  const whole = newSums()
  const ofNodes = new Map<string, Sums>()
  const ofWorkloads = new Map<string, Sums & { labels: Record<string, string> }>()
  const pods: Sample[] = []
  const phases: Record<string, number> = { Pending: 0, Running: 0, Succeeded: 0, Failed: 0, Unknown: 0 }
  const states: Record<HealthState, number> = { healthy: 0, starting: 0, degraded: 0, failing: 0, unknown: 0 }
  let podCount = 0
  let notReady = 0

  for (const [pod, health] of assessment.pods) {
    podCount += 1
    phases[pod.phase] = (phases[pod.phase] ?? 0) + 1
    if (pod.isTerminal) continue
    if (!isReady(pod)) notReady += 1
    states[health.state] += 1
    const used = usage?.pods.get(`${pod.namespace}/${pod.name}`)
    if (used && podCount <= maxPods) {
      push(pods, used, { namespace: pod.namespace, pod: pod.name }, 'days')
    }
    if (pod.node !== null) {
      add(whole, pod, used)
      add(kept(ofNodes, pod.node, newSums), pod, used)
    }
    const workload = workloadOf(pod)
    if (workload) {
      const key = `${workload['namespace']}/${workload['kind']}/${workload['workload']}`
      add(
        kept(ofWorkloads, key, () => ({ ...newSums(), labels: workload })),
        pod,
        used,
      )
    }
  }

  const samples: Sample[] = []
  const sumOfNodes = { cpuMillicores: 0, memoryBytes: 0 }
  const allocatable = { cpuMillicores: 0, memoryBytes: 0 }
  const nodes: Sample[] = []
  for (const node of assessment.nodes.keys()) {
    allocatable.cpuMillicores += node.cpuMillicores
    allocatable.memoryBytes += node.memoryBytes
    const used = usage?.nodes.get(node.name)
    if (used) {
      sumOfNodes.cpuMillicores += used.cpuMillicores
      sumOfNodes.memoryBytes += used.memoryBytes
    }
    const labels = { node: node.name }
    push(nodes, used, labels)
    pushRequested(nodes, ofNodes.get(node.name)?.requested ?? { cpuMillicores: 0, memoryBytes: 0 }, labels)
    pushAllocatable(nodes, node, labels)
  }
  // Of part of the nodes it would look like too little use of all of them.
  const isWhole = usage !== undefined && usage.nodes.size > 0
  push(samples, isWhole ? sumOfNodes : undefined)
  pushRequested(samples, whole.requested)
  pushAllocatable(samples, allocatable)
  samples.push({ metric: clusterMetrics.nodes, value: assessment.nodes.size })
  samples.push({ metric: clusterMetrics.pods, value: podCount })
  for (const [phase, value] of Object.entries(phases)) {
    samples.push({ metric: clusterMetrics.podsByPhase, labels: { phase }, value })
  }
  for (const [health, value] of Object.entries(states)) {
    samples.push({ metric: clusterMetrics.podsByHealth, labels: { health }, value })
  }
  samples.push({ metric: clusterMetrics.podsNotReady, value: notReady })
  if (restartsPerMinute !== undefined) {
    samples.push({ metric: clusterMetrics.restarts, value: restartsPerMinute })
  }
  samples.push(...nodes)
  for (const { labels, used, requested, limit } of ofWorkloads.values()) {
    push(samples, used, labels)
    pushRequested(samples, requested, labels)
    if (limit.cpuMillicores !== undefined) {
      samples.push({ metric: clusterMetrics.cpuLimit, labels, value: limit.cpuMillicores })
    }
    if (limit.memoryBytes !== undefined) {
      samples.push({ metric: clusterMetrics.memoryLimit, labels, value: limit.memoryBytes })
    }
  }
  // Last: where the room ends, it is these that find none.
  return samples.concat(pods)
}

/** As `kubectl get pods` counts: every container is ready. */
const isReady = ({ ready, total }: PodEntry) => total > 0 && ready === total

function push(
  samples: Sample[],
  used: NodeUsage | undefined,
  labels?: Record<string, string>,
  span: 'days' | 'year' = 'year',
): void {
  if (!used) return
  const of = { span, ...(labels && { labels }) }
  samples.push({ ...of, metric: clusterMetrics.cpuUsed, value: used.cpuMillicores })
  samples.push({ ...of, metric: clusterMetrics.memoryUsed, value: used.memoryBytes })
}

function pushRequested(samples: Sample[], of: NodeUsage, labels?: Record<string, string>): void {
  const with_ = labels ? { labels } : {}
  samples.push({ ...with_, metric: clusterMetrics.cpuRequested, value: of.cpuMillicores })
  samples.push({ ...with_, metric: clusterMetrics.memoryRequested, value: of.memoryBytes })
}

function pushAllocatable(samples: Sample[], of: NodeUsage, labels?: Record<string, string>): void {
  const with_ = labels ? { labels } : {}
  samples.push({ ...with_, metric: clusterMetrics.cpuAllocatable, value: of.cpuMillicores })
  samples.push({ ...with_, metric: clusterMetrics.memoryAllocatable, value: of.memoryBytes })
}

const newSums = (): Sums => ({
  used: undefined,
  requested: { cpuMillicores: 0, memoryBytes: 0 },
  limit: { cpuMillicores: 0, memoryBytes: 0 },
})

function add(sums: Sums, pod: PodEntry, used: NodeUsage | undefined): void {
  sums.requested.cpuMillicores += pod.cpuMillicores
  sums.requested.memoryBytes += pod.memoryBytes
  sums.limit.cpuMillicores = sumOrNone(sums.limit.cpuMillicores, pod.cpuLimitMillicores)
  sums.limit.memoryBytes = sumOrNone(sums.limit.memoryBytes, pod.memoryLimitBytes)
  if (!used) return
  sums.used ??= { cpuMillicores: 0, memoryBytes: 0 }
  sums.used.cpuMillicores += used.cpuMillicores
  sums.used.memoryBytes += used.memoryBytes
}

const sumOrNone = (sum: number | undefined, limit: number | null) =>
  sum === undefined || limit === null ? undefined : sum + limit

function kept<T>(map: Map<string, T>, key: string, make: () => T): T {
  let found = map.get(key)
  if (found === undefined) map.set(key, (found = make()))
  return found
}

/** Labels of the topmost controller of a pod that is known; the same object for pods of the same one. */
function workloads(cache: ClusterCache): (pod: PodEntry) => Record<string, string> | undefined {
  const owners = new Map<string, string>()
  for (const { namespace, name, owner } of cache.table('replicasets').values()) {
    if (owner) owners.set(`${namespace}/ReplicaSet/${name}`, owner)
  }
  for (const { namespace, name, owner } of cache.table('jobs').values()) {
    if (owner) owners.set(`${namespace}/Job/${name}`, owner)
  }
  const labels = new Map<string, Record<string, string>>()
  return ({ namespace, owner }) => {
    if (owner === null) return undefined
    const top = owners.get(`${namespace}/${owner}`) ?? owner
    return kept(labels, `${namespace}/${top}`, () => {
      const slash = top.indexOf('/')
      return { namespace, kind: top.slice(0, slash), workload: top.slice(slash + 1) }
    })
  }
}
