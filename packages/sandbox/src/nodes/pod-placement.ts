import { isActive } from '../controllers/pod-state.ts'
import { labelSelector } from '../selectors.ts'
import type { Store } from '../store/store.ts'
import { nodes, pods, type Node, type Pod } from '../types.ts'

type Term = NonNullable<
  NonNullable<
    NonNullable<Pod['spec']['affinity']>['podAntiAffinity']
  >['requiredDuringSchedulingIgnoredDuringExecution']
>[number]

function placedPods(store: Store, domainKey: string, domain: string, namespaces: readonly string[]): Pod[] {
  const places = store.list(nodes).filter((node) => node.metadata.labels?.[domainKey] === domain)
  return places
    .flatMap((node) => store.indexed(pods, 'node', node.metadata.name))
    .filter((pod) => namespaces.includes(pod.metadata.namespace ?? '') && isActive(pod))
}

function matching(store: Store, pod: Pod, node: Node, term: Term): number | undefined {
  const domain = node.metadata.labels?.[term.topologyKey]
  if (domain === undefined) return undefined
  const test = labelSelector(term.labelSelector)
  const namespaces = term.namespaces?.length ? term.namespaces : [pod.metadata.namespace ?? '']
  return placedPods(store, term.topologyKey, domain, namespaces).filter((one) => test(one.metadata.labels))
    .length
}

/** Why required pod affinity or anti-affinity keeps a pod from a node. */
export function antiAffinityMisfit(store: Store, pod: Pod, node: Node): string | undefined {
  const { affinity } = pod.spec
  for (const term of affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
    if ((matching(store, pod, node, term) ?? 0) > 0) return "node(s) didn't match pod anti-affinity rules"
  }
  for (const term of affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
    const count = matching(store, pod, node, term) ?? 0
    if (count > 0) continue
    // The first pod of a group that wants to be together has to start somewhere.
    const isSelf = labelSelector(term.labelSelector)(pod.metadata.labels)
    const test = labelSelector(term.labelSelector)
    const isFirst =
      isSelf &&
      !store.list(pods, pod.metadata.namespace).some((one) => one.spec.nodeName && test(one.metadata.labels))
    if (!isFirst) return "node(s) didn't match pod affinity rules"
  }
  return undefined
}

/** Why a topology spread constraint keeps a pod from a node. */
export function spreadMisfit(store: Store, pod: Pod, node: Node, all: readonly Node[]): string | undefined {
  for (const rule of pod.spec.topologySpreadConstraints ?? []) {
    if (rule.whenUnsatisfiable !== 'DoNotSchedule') continue
    const domain = node.metadata.labels?.[rule.topologyKey]
    if (domain === undefined)
      return "node(s) didn't match pod topology spread constraints (missing required label)"
    const test = labelSelector(rule.labelSelector)
    const counts = new Map<string, number>()
    for (const one of all) {
      const place = one.metadata.labels?.[rule.topologyKey]
      if (place === undefined) continue
      const here = store
        .indexed(pods, 'node', one.metadata.name)
        .filter(
          (other) =>
            other.metadata.namespace === pod.metadata.namespace &&
            isActive(other) &&
            test(other.metadata.labels),
        )
      counts.set(place, (counts.get(place) ?? 0) + here.length)
    }
    const own = test(pod.metadata.labels) ? 1 : 0
    const least = Math.min(...counts.values())
    if ((counts.get(domain) ?? 0) + own - least > rule.maxSkew)
      return "node(s) didn't match pod topology spread constraints"
  }
  return undefined
}
