import { endpointName } from '@bey/contract/reachability/endpoint-name'
import type { CompiledPolicies } from '@bey/contract/reachability/compile'
import type { Group } from '@bey/contract/reachability/group'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { createPolicyReader, type ReachabilityNeeds } from '../reachability/read-policies.ts'
import { edgesOf, seenBetween, type PolicyPaths, policyPathsOf } from './flow-edges.ts'
import { flowNodes, type Grouping } from './flow-nodes.ts'

type Drawn = { groups: Group[]; total: number; paths: PolicyPaths }

/** Groupings of one cluster whose paths are kept, until something changes that they depend on. */
const mostGroupings = 4

/** The flow map of a cluster, from what is watched of it and from the connections that it reports. */
export function flowRoutes(needs: ReachabilityNeeds): Handlers<'networks.flows.map'> {
  const read = createPolicyReader(needs)
  const known = new WeakMap<CompiledPolicies, Map<string, Drawn>>()

  function drawnOf(compiled: CompiledPolicies, grouping: Grouping): Drawn {
    const key = `${grouping.by} ${[...grouping.opened].toSorted().join()}`
    const own = known.get(compiled) ?? new Map<string, Drawn>()
    known.set(compiled, own)
    const before = own.get(key)
    if (before !== undefined) return before
    const { groups, total } = flowNodes(compiled, grouping)
    const drawn = { groups, total, paths: policyPathsOf(compiled, groups) }
    own.set(key, drawn)
    const [oldest] = own.keys()
    if (own.size > mostGroupings && oldest !== undefined) own.delete(oldest)
    return drawn
  }

  return {
    async 'networks.flows.map'({ caller, params, query }) {
      const { by, open, ...asked } = query
      const { compiled, basis } = await read(caller.organizationId, params.id)
      const log = await needs.observed.read(caller.organizationId, params.id, compiled.snapshot)
      const grouping = { by, opened: new Set(open.split(',').filter((name) => name !== '')) }
      const { groups, total, paths } = drawnOf(compiled, grouping)
      const { seen, unplaced } = seenBetween(log, groups, grouping)
      const idOf = ({ endpoint }: Group) => endpointName(endpoint)
      const isObserved = log.source !== null
      return {
        nodes: groups.map((group) => ({ id: idOf(group), ...presentNode(group) })),
        nodeCount: total,
        ...edgesOf(paths, seen, asked, { isKnown: basis.doubt === null, isObserved, idOf }),
        observedBy: log.source,
        notObserved: log.source === null ? log.reason : null,
        observedSince:
          log.source === null || log.sinceMs === null ? null : new Date(log.sinceMs).toISOString(),
        incomplete: log.source === null ? null : log.incomplete,
        unplaced,
        ...basis,
      }
    },
  }
}

function presentNode({ endpoint, name, namespace, ends }: Group) {
  const { kind } = endpoint
  return {
    kind: kind === 'namespace' ? kind : kind === 'address' ? ('outside' as const) : ('workload' as const),
    name: kind === 'address' ? 'outside' : name,
    namespace: kind === 'namespace' ? name : (namespace ?? null),
    pods: ends.filter(({ pod }) => pod !== undefined).length,
  }
}
