import { stamp } from '../clock.ts'
import type { Cluster } from '../api/context.ts'
import type { JsonObject } from '../json.ts'
import { quantity } from '../quantity.ts'
import { hash } from '../random.ts'
import { annotation } from './behavior.ts'
import { isUnreachable } from './reach.ts'
import { parseLabelSelector } from '../selectors.ts'
import { notFound } from '../status-error.ts'
import { nodes, pods, type Container, type Node, type Pod } from '../types.ts'

const windowSeconds = 15
const mebibyte = 2 ** 20
/** What a machine itself uses beside its pods. */
const systemUse = { cores: 0.06, memoryBytes: 420 * mebibyte }

export type Use = { cores: number; memoryBytes: number }

/** Two slow waves and a fast one, out of step from container to container: between 0 and 1, the same for the same moment. */
function wave(seed: number, timeMs: number): number {
  const phase = (seed % 6283) / 1000
  const hour = (timeMs / 3_600_000) * 2 * Math.PI
  const slow = Math.sin(hour / 24 + phase) + 0.6 * Math.sin(hour + phase * 3)
  const fast = 0.4 * Math.sin(hour * 17 + phase * 7)
  return (slow + fast + 2) / 4
}

/** What a running container uses: a share of its request, never over its limit. */
export function containerUsage(pod: Pod, container: Container, nowMs: number): Use {
  const seed = hash(`${pod.metadata.uid}/${container.name}`)
  const { requests, limits } = container.resources ?? {}
  const baseCores = requests?.['cpu'] === undefined ? 0.004 : quantity(requests['cpu']) * 0.55
  const baseBytes = requests?.['memory'] === undefined ? 24 * mebibyte : quantity(requests['memory']) * 0.7
  // A pod may say how busy it is: sandbox.bey/cpu: "300m".
  const load = annotation(pod, 'cpu')
  const cores =
    load !== undefined
      ? quantity(load) / pod.spec.containers.length
      : baseCores * (0.35 + 1.1 * wave(seed, nowMs))
  const memoryBytes = baseBytes * (0.8 + 0.35 * wave(seed >>> 3, nowMs))
  return {
    cores: Math.min(cores, limits?.['cpu'] === undefined ? Infinity : quantity(limits['cpu'])),
    memoryBytes: Math.min(
      memoryBytes,
      limits?.['memory'] === undefined ? Infinity : quantity(limits['memory']) * 0.97,
    ),
  }
}

/** What all containers of a pod use together at a moment. */
export function podUsage(pod: Pod, nowMs: number): Use {
  const sum: Use = { cores: 0, memoryBytes: 0 }
  for (const container of pod.spec.containers) {
    const use = containerUsage(pod, container, nowMs)
    sum.cores += use.cores
    sum.memoryBytes += use.memoryBytes
  }
  return sum
}

function usage({ cores, memoryBytes }: Use): JsonObject {
  return { cpu: `${Math.round(cores * 1e9)}n`, memory: `${Math.round(memoryBytes / 1024)}Ki` }
}

export function isRunning(pod: Pod): boolean {
  return pod.status?.phase === 'Running' && pod.metadata.deletionTimestamp === undefined
}

function podItem(cluster: Cluster, pod: Pod): JsonObject {
  const nowMs = cluster.clock.now()
  const { name, namespace, labels, creationTimestamp } = pod.metadata
  return {
    metadata: { name, namespace, creationTimestamp, ...(labels ? { labels } : {}) },
    timestamp: stamp(nowMs),
    window: `${windowSeconds}s`,
    containers: pod.spec.containers.map((container) => ({
      name: container.name,
      usage: usage(containerUsage(pod, container, nowMs)),
    })),
  }
}

export function podMetricsList(
  cluster: Cluster,
  namespace: string | undefined,
  selector: string,
): JsonObject {
  const isSelected = parseLabelSelector(selector)
  const items = cluster.store
    .list(pods, namespace)
    .filter((pod) => isRunning(pod) && !isUnreachable(cluster, pod) && isSelected(pod.metadata.labels ?? {}))
    .map((pod) => podItem(cluster, pod))
  return { kind: 'PodMetricsList', apiVersion: 'metrics.k8s.io/v1beta1', metadata: {}, items }
}

export function podMetrics(cluster: Cluster, namespace: string, name: string): JsonObject {
  const pod = cluster.store.get(pods, namespace, name)
  if (!pod || !isRunning(pod) || isUnreachable(cluster, pod))
    throw notFound(
      { group: 'metrics.k8s.io', resource: 'podmetrics', kind: 'PodMetrics' },
      `${namespace}/${name}`,
    )
  return { kind: 'PodMetrics', apiVersion: 'metrics.k8s.io/v1beta1', ...podItem(cluster, pod) }
}

/** What a machine uses at a moment, its own programs and the pods that run there. */
export function nodeUsage(running: readonly Pod[], nowMs: number): Use {
  const sum: Use = { ...systemUse }
  for (const pod of running) {
    const use = podUsage(pod, nowMs)
    sum.cores += use.cores
    sum.memoryBytes += use.memoryBytes
  }
  return sum
}

function nodeItem(cluster: Cluster, node: Node, running: readonly Pod[]): JsonObject {
  const nowMs = cluster.clock.now()
  const { name, labels, creationTimestamp } = node.metadata
  return {
    metadata: { name, creationTimestamp, ...(labels ? { labels } : {}) },
    timestamp: stamp(nowMs),
    window: `${windowSeconds}s`,
    usage: usage(nodeUsage(running, nowMs)),
  }
}

function runningByNode(cluster: Cluster): Map<string, Pod[]> {
  const byNode = new Map<string, Pod[]>()
  for (const pod of cluster.store.list(pods)) {
    if (!isRunning(pod) || pod.spec.nodeName === undefined) continue
    const there = byNode.get(pod.spec.nodeName)
    if (there) there.push(pod)
    else byNode.set(pod.spec.nodeName, [pod])
  }
  return byNode
}

export function nodeMetricsList(cluster: Cluster, selector: string): JsonObject {
  const isSelected = parseLabelSelector(selector)
  const running = runningByNode(cluster)
  const items = cluster.store
    .list(nodes)
    .filter((node) => !cluster.power.isOff(node.metadata.name) && isSelected(node.metadata.labels ?? {}))
    .map((node) => nodeItem(cluster, node, running.get(node.metadata.name) ?? []))
  return { kind: 'NodeMetricsList', apiVersion: 'metrics.k8s.io/v1beta1', metadata: {}, items }
}

export function nodeMetrics(cluster: Cluster, name: string): JsonObject {
  const node = cluster.store.get(nodes, undefined, name)
  if (!node || cluster.power.isOff(name))
    throw notFound({ group: 'metrics.k8s.io', resource: 'nodemetrics', kind: 'NodeMetrics' }, name)
  return {
    kind: 'NodeMetrics',
    apiVersion: 'metrics.k8s.io/v1beta1',
    ...nodeItem(cluster, node, runningByNode(cluster).get(name) ?? []),
  }
}
