import type { Cluster } from './api/context.ts'
import { quantity } from './quantity.ts'
import { nodeUsage, podUsage, type Use } from './nodes/usage.ts'
import { nodes, pods, type Pod } from './types.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Of the finest moments, for so long; then every five minutes for a day, and every hour for two weeks. */
const fineMinutes = 180
const coarseMinutes = 5
const coarseCount = 288
const hours = 336

/** What a part of a cluster used at each of the moments, in millicores and bytes. */
type PastSeries = {
  labels: Record<string, string>
  requested: readonly [cpuMillicores: number, memoryBytes: number]
  allocatable?: readonly [cpuMillicores: number, memoryBytes: number]
  cpu: number[]
  memory: number[]
}

export type PastUsage = { momentsMs: number[]; pods: number; nodes: number; series: PastSeries[] }

/**
 * What the cluster, its nodes and its workloads used up to now: the simulation of use depends on the time alone, so that
 * the past joins what is measured from now on without a step. Pods are taken to have been there all along.
 */
export function pastUsage({ store }: Cluster, nowMs: number): PastUsage {
  const momentsMs = moments(nowMs)
  const running = store.list(pods).filter(({ status }) => status?.phase === 'Running')
  const uses = new Map(running.map((pod) => [pod, momentsMs.map((at) => podUsage(pod, at))]))
  const allNodes = store.list(nodes)
  const nodeOverhead = nodeUsage([], nowMs)
  const series = (
    labels: Record<string, string>,
    of: readonly Pod[],
    machines: typeof allNodes = [],
  ): PastSeries => {
    const sums = momentsMs.map((_, index) =>
      of.reduce<Use>(
        (sum, pod) => {
          const use = uses.get(pod)?.[index]
          return {
            cores: sum.cores + (use?.cores ?? 0),
            memoryBytes: sum.memoryBytes + (use?.memoryBytes ?? 0),
          }
        },
        {
          cores: nodeOverhead.cores * machines.length,
          memoryBytes: nodeOverhead.memoryBytes * machines.length,
        },
      ),
    )
    const room = (name: 'cpu' | 'memory') =>
      machines.reduce((sum, { status }) => sum + quantity(status?.allocatable?.[name]), 0)
    return {
      labels,
      requested: [Math.round(requested(of, 'cpu') * 1000), requested(of, 'memory')],
      ...(machines.length > 0 && { allocatable: [Math.round(room('cpu') * 1000), room('memory')] as const }),
      cpu: sums.map(({ cores }) => Math.round(cores * 1000)),
      memory: sums.map(({ memoryBytes }) => Math.round(memoryBytes / 1024) * 1024),
    }
  }
  return {
    momentsMs,
    pods: running.length,
    nodes: allNodes.length,
    series: [
      series({}, running, allNodes),
      ...allNodes.map((node) =>
        series(
          { node: node.metadata.name },
          running.filter(({ spec }) => spec.nodeName === node.metadata.name),
          [node],
        ),
      ),
      ...[...byWorkload(running)].map(([key, of]) => {
        const [namespace = '', kind = '', workload = ''] = key.split('/')
        return series({ namespace, kind, workload }, of)
      }),
    ],
  }
}

function requested(of: readonly Pod[], name: 'cpu' | 'memory'): number {
  return of.reduce(
    (sum, { spec }) =>
      sum + spec.containers.reduce((all, each) => all + quantity(each.resources?.requests?.[name]), 0),
    0,
  )
}

/** By namespace, kind and name of the topmost controller. */
function byWorkload(running: readonly Pod[]): Map<string, Pod[]> {
  const groups = new Map<string, Pod[]>()
  for (const pod of running) {
    const owner = pod.metadata.ownerReferences?.[0]
    if (!owner) continue
    const isReplicaSet = owner.kind === 'ReplicaSet'
    const kind = isReplicaSet ? 'Deployment' : owner.kind
    const name = isReplicaSet ? owner.name.replace(/-[^-]+$/, '') : owner.name
    const key = `${pod.metadata.namespace}/${kind}/${name}`
    groups.set(key, [...(groups.get(key) ?? []), pod])
  }
  return groups
}

function moments(nowMs: number): number[] {
  const back = (stepMs: number, count: number) =>
    Array.from(
      { length: count },
      (_, index) => Math.floor(nowMs / stepMs) * stepMs - (count - index) * stepMs,
    )
  const fine = back(minuteMs, fineMinutes)
  const coarse = back(coarseMinutes * minuteMs, coarseCount)
  return [...new Set([...back(hourMs, hours), ...coarse, ...fine])].sort((a, b) => a - b)
}
