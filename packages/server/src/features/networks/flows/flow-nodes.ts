import { flowMapLimits as limits } from '@bey/contract/networks/flows'
import type { CompiledPolicies } from '@bey/contract/reachability/compile'
import type { Endpoint } from '@bey/contract/reachability/endpoint'
import { groupPods, outsideGroup, type Group } from '@bey/contract/reachability/group'

/** How a map is grouped: by workload everywhere, or by namespace but for those that are opened. */
export type Grouping = { by: 'namespace' | 'workload'; opened: ReadonlySet<string> }

/** The nodes of a map, what is outside the cluster last, and how many there are without the bound. */
export function flowNodes(
  compiled: CompiledPolicies,
  { by, opened }: Grouping,
): { groups: Group[]; total: number } {
  const names = compiled.snapshot.namespaces.map(({ name }) => name)
  const [open, closed] = [names.filter((name) => opened.has(name)), names.filter((name) => !opened.has(name))]
  const groups =
    by === 'workload'
      ? groupPods(compiled, 'workload')
      : [...groupPods(compiled, 'namespace', closed), ...groupPods(compiled, 'workload', open)]
  const outside = outsideGroup(compiled)
  const shown = [...groups.slice(0, limits.nodes - 1), ...(outside ? [outside] : [])]
  return { groups: shown, total: groups.length + (outside ? 1 : 0) }
}

/** The id of the node that an observed end belongs to, whether or not the map has it. */
export function nodeIdOf(end: Endpoint, { by, opened }: Grouping): string {
  if (end.kind === 'address') return outsideId
  const namespace = 'namespace' in end ? end.namespace : ''
  if (by === 'namespace' && !opened.has(namespace)) return `Namespace/${namespace}`
  const kind = end.kind === 'workload' ? (end.workloadKind ?? '') : end.kind
  return `${kind}/${namespace}/${'name' in end ? end.name : ''}`
}

const outsideId = 'Address/0.0.0.0/0'
