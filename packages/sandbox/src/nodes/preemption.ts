import { stamp } from '../clock.ts'
import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import { isActive } from '../controllers/pod-state.ts'
import { withCondition } from '../controllers/conditions.ts'
import { pods, type Node, type Pod } from '../types.ts'
import { allocatable, podRequests, type Amounts, type NodeUsage } from './requests.ts'

const component = 'default-scheduler'

function priorityOf(pod: Pod): number {
  return pod.spec.priority ?? 0
}

/** The pods that would have to leave a node for this one to fit: the least important, and no more than needed. */
function victimsOn(
  cluster: Cluster,
  pod: Pod,
  node: Node,
  requests: Amounts,
  usage: NodeUsage,
): Pod[] | undefined {
  const { name } = node.metadata
  const lower = cluster.store
    .indexed(pods, 'node', name)
    .filter((one) => isActive(one) && priorityOf(one) < priorityOf(pod))
    .toSorted(
      (a, b) =>
        priorityOf(a) - priorityOf(b) || (b.status?.startTime ?? '').localeCompare(a.status?.startTime ?? ''),
    )
  const missing = new Map<string, number>()
  for (const [resource, value] of Object.entries(requests)) {
    const over = usage.used(name, resource) + value - allocatable(node, resource)
    if (value > 0 && over > 1e-9) missing.set(resource, over)
  }
  let places = usage.podCount(name) + 1 - allocatable(node, 'pods')
  const victims: Pod[] = []
  for (const victim of lower) {
    if (places <= 0 && [...missing.values()].every((over) => over <= 1e-9)) break
    const freed = podRequests(victim.spec)
    const isHelpful =
      places > 0 || [...missing].some(([resource, over]) => over > 1e-9 && (freed[resource] ?? 0) > 0)
    if (!isHelpful) continue
    for (const [resource, over] of missing) missing.set(resource, over - (freed[resource] ?? 0))
    places -= 1
    victims.push(victim)
  }
  return places <= 0 && [...missing.values()].every((over) => over <= 1e-9) ? victims : undefined
}

/**
 * Makes room for a pod on the node where the least important pods have to leave. Returns the node's name, or
 * undefined where there is no such node or where room is being made already.
 */
export function preempt(
  cluster: Cluster,
  pod: Pod,
  candidates: readonly Node[],
  usage: NodeUsage,
): string | undefined {
  const { store, resources, recorder, registry, clock } = cluster
  if (pod.spec.preemptionPolicy === 'Never') return undefined
  const nominated = pod.status?.nominatedNodeName
  const isUnderWay =
    nominated !== undefined &&
    store
      .indexed(pods, 'node', nominated)
      .some((one) => one.metadata.deletionTimestamp && priorityOf(one) < priorityOf(pod))
  if (isUnderWay) return nominated
  const requests = podRequests(pod.spec)
  let best: { node: Node; victims: Pod[]; cost: number } | undefined
  for (const node of candidates) {
    const victims = victimsOn(cluster, pod, node, requests, usage)
    if (!victims?.length) continue
    const highest = Math.max(...victims.map(priorityOf))
    const cost = highest * 1000 + victims.length
    if (!best || cost < best.cost) best = { node, victims, cost }
  }
  if (!best) return undefined
  const { name } = best.node.metadata
  for (const victim of best.victims) {
    const message = `Preempted by pod ${pod.metadata.uid} on node ${name}`
    recorder.normal(component, victim, 'Preempted', message)
    resources.changeStatus(pods, victim, (draft) => {
      const condition = {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'PreemptionByScheduler',
        message: `${component}: preempting to accommodate a higher priority pod`,
        lastTransitionTime: stamp(clock.now()),
      }
      draft.status = {
        ...draft.status,
        conditions: withCondition(draft.status?.conditions, condition, clock.now()),
      }
    })
    deleteObject(resources, registry.stored(pods.key), victim.metadata.namespace, victim.metadata.name)
  }
  resources.changeStatus(pods, pod, (draft) => {
    draft.status = { ...draft.status, nominatedNodeName: name }
  })
  return name
}
