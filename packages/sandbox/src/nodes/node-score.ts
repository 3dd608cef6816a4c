import { controllerOf } from '../controllers/owner.ts'
import { isActive } from '../controllers/pod-state.ts'
import { labelSelector } from '../selectors.ts'
import type { Store } from '../store/store.ts'
import { pods, type Node, type Pod } from '../types.ts'
import { matchesTerm, repellingTaint } from './node-fit.ts'
import { allocatable, type NodeUsage } from './requests.ts'

/** How well a node suits a pod that fits on it: the higher, the better. */
export function nodeScore(store: Store, usage: NodeUsage, pod: Pod, node: Node): number {
  const { name } = node.metadata
  const share = (resource: string) => usage.used(name, resource) / Math.max(allocatable(node, resource), 1e-9)
  let points = 100 - 50 * (share('cpu') + share('memory'))
  // Replicas of one owner keep apart, and nearly empty nodes are preferred.
  const owner = controllerOf(pod)?.uid
  if (owner !== undefined) {
    const siblings = store
      .indexed(pods, 'controller', owner)
      .filter((one) => one.spec.nodeName === name && isActive(one))
    points -= siblings.length * 20
  }
  points -= usage.podCount(name) * 0.5
  if (repellingTaint(pod.spec, node, ['PreferNoSchedule'])) points -= 200
  for (const { weight, preference } of pod.spec.affinity?.nodeAffinity
    ?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
    if (matchesTerm(node, preference)) points += weight * 2
  }
  for (const { weight, podAffinityTerm } of pod.spec.affinity?.podAntiAffinity
    ?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
    const test = labelSelector(podAffinityTerm.labelSelector)
    if (store.indexed(pods, 'node', name).some((one) => isActive(one) && test(one.metadata.labels)))
      points -= weight * 2
  }
  return points
}
