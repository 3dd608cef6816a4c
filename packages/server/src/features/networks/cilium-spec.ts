import type { PolicyKind } from '@bey/contract/networks/rules'

import type { Spec } from './policy-rows.ts'
import type { StandardWanted, WantedPolicy } from './render-policies.ts'

type Selector = { matchLabels?: Record<string, string>; matchExpressions?: Expression[] }
type Expression = { key: string; operator: string; values?: string[] }
type Peer = { namespaceSelector?: Selector; podSelector?: Selector; ipBlock?: { cidr: string } }
type Port = { protocol: string; port?: number | string; endPort?: number }
type Entry = { from?: Peer[]; to?: Peer[]; ports?: Port[] }

/** A policy as its network keeps it: the same rules in the words of another kind. */
export const inKind =
  (kind: PolicyKind) =>
  ({ spec, ...place }: StandardWanted): WantedPolicy => ({
    ...place,
    kind,
    spec: kind === 'NetworkPolicy' ? spec : ciliumSpec(spec),
  })

/** By which Cilium knows the namespace of a pod, and which every pod has. */
const namespaceKey = 'k8s:io.kubernetes.pod.namespace'

/**
 * The `spec` of a CiliumNetworkPolicy (`cilium.io/v2`) that opens what the `spec` of a NetworkPolicy opens. Of
 * NetworkPolicies it takes those that Bey renders: with `policyTypes`, and peers that name namespaces by their names.
 */
export function ciliumSpec(standard: Spec): Spec {
  // Rendered by Bey in the shape of the Kubernetes API.
  const { podSelector, policyTypes, ingress, egress } = standard as {
    podSelector: Selector
    policyTypes: string[]
    ingress?: Entry[]
    egress?: Entry[]
  }
  return {
    endpointSelector: podSelector,
    ...(policyTypes.includes('Ingress') && { ingress: rulesOf(ingress, 'from') }),
    ...(policyTypes.includes('Egress') && { egress: rulesOf(egress, 'to') }),
  }
}

/** An empty rule isolates and opens nothing; an empty list would not isolate. */
function rulesOf(entries: readonly Entry[] = [], side: 'from' | 'to'): Spec[] {
  return entries.length === 0 ? [{}] : entries.flatMap((entry) => rulesOfEntry(entry, side))
}

function rulesOfEntry(entry: Entry, side: 'from' | 'to'): Spec[] {
  const ports = entry.ports === undefined ? {} : { toPorts: [{ ports: entry.ports.map(portOf) }] }
  const peers = entry[side]
  if (peers === undefined) return [{ [`${side}Entities`]: ['all'], ...ports }]
  const blocks = peers.flatMap(({ ipBlock }) => ipBlock ?? [])
  const selectors = peers.filter(({ ipBlock }) => ipBlock === undefined)
  // Cilium refuses a rule that names both endpoints and ranges.
  return [
    ...(selectors.length === 0 ? [] : [{ [`${side}Endpoints`]: selectors.map(endpointsOf), ...ports }]),
    ...(blocks.length === 0 ? [] : [{ [`${side}CIDR`]: blocks.map(({ cidr }) => cidr), ...ports }]),
  ]
}

/** Port 0 is every port of the protocol. */
const portOf = ({ protocol, port = 0, endPort }: Port) => ({
  port: String(port),
  ...(endPort !== undefined && { endPort }),
  protocol,
})

function endpointsOf({ namespaceSelector = {}, podSelector = {} }: Peer): Selector {
  const names = Object.values(namespaceSelector.matchLabels ?? {})
  const listed = (namespaceSelector.matchExpressions ?? []).map((each) => ({ ...each, key: namespaceKey }))
  const everywhere = names.length + listed.length === 0 ? [{ key: namespaceKey, operator: 'Exists' }] : listed
  const [name] = names
  return {
    ...((name !== undefined || podSelector.matchLabels !== undefined) && {
      matchLabels: {
        ...(name !== undefined && { [namespaceKey]: name }),
        ...podSelector.matchLabels,
      },
    }),
    ...(everywhere.length > 0 && name === undefined && { matchExpressions: everywhere }),
  }
}
