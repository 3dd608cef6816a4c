import type { NamedSet } from '@bey/contract/networks/rules'
import {
  parsePort,
  type PodLabels,
  type RulePeer,
  type RuleTarget,
  type SecurityGroupDraft,
  type SecurityRule,
} from '@bey/contract/networks/security-group-rules'

import type { PolicyPlace, Spec } from '../policy-rows.ts'
import type { StandardWanted } from '../render-policies.ts'
import { nameLabel, podsIn } from './pods-in.ts'
import {
  isServicePeer,
  type ResolvedService,
  type ServicePeer,
  type ServicesOf,
  targetPorts,
} from './service-peers.ts'

export type RenderedGroup = SecurityGroupDraft & { id: string; name: string }

type Surroundings = {
  network: string
  subnets: readonly { name: string; cidr: string }[]
  sets: readonly NamedSet[]
  /** Services and databases that rules name; one that is not known opens nothing. */
  servicesOf?: ServicesOf
}

/** The policies that put groups on their targets, one for each target, with every default of Kubernetes written out. */
export function renderGroups(groups: readonly RenderedGroup[], around: Surroundings): StandardWanted[] {
  // Without a direction Kubernetes would take a policy for one that closes what comes in.
  const limiting = groups.filter(({ filtersIn, filtersOut }) => filtersIn || filtersOut)
  return limiting.flatMap((group) =>
    groupPlaces(group, around.network).map(({ target, ...place }) => ({
      ...place,
      spec: specOf(group, target, groups, around),
    })),
  )
}

/** Where the policies of a group are in clusters, in the order of its targets. */
export function groupPlaces(
  group: Pick<RenderedGroup, 'name' | 'targets'>,
  network: string,
): (PolicyPlace & { target: RuleTarget })[] {
  const inNamespace = new Map<string, number>()
  return group.targets.map((target) => {
    const { clusterId, namespace } = target
    const place = `${clusterId} ${namespace}`
    const nth = (inNamespace.get(place) ?? 0) + 1
    inNamespace.set(place, nth)
    return { clusterId, namespace, name: `bey-${network}-${group.name}${nth === 1 ? '' : `-${nth}`}`, target }
  })
}

function specOf(
  { filtersIn, filtersOut, rules }: RenderedGroup,
  target: RuleTarget,
  groups: readonly RenderedGroup[],
  around: Surroundings,
): Spec {
  const of = (direction: SecurityRule['direction'], side: 'from' | 'to') =>
    rules
      .filter((rule) => rule.direction === direction)
      .flatMap((rule) => {
        const { peer } = rule
        if (isServicePeer(peer)) {
          const service = around.servicesOf?.(target.clusterId, peer)
          return serviceEntries(rule, side, service)
        }
        const peers = peersOf(peer, target.clusterId, groups, around)
        // An empty list of peers would mean everybody.
        if (peers !== 'anywhere' && peers.length === 0) return []
        const ports = portsOf(rule)
        return [{ ...(ports.length > 0 && { ports }), ...(peers !== 'anywhere' && { [side]: peers }) }]
      })
  const [ingress, egress] = [of('in', 'from'), of('out', 'to')]
  return {
    podSelector: selectorOf(target.labels),
    policyTypes: [...(filtersIn ? ['Ingress'] : []), ...(filtersOut ? ['Egress'] : [])],
    ...(filtersIn && ingress.length > 0 && { ingress }),
    ...(filtersOut && egress.length > 0 && { egress }),
  }
}

/** A service or database: called on the ports behind its own, and let in on the ports of the rule. */
function serviceEntries(
  rule: SecurityRule,
  side: 'from' | 'to',
  service: ResolvedService | undefined,
): Spec[] {
  if (service === undefined || 'problem' in service) return []
  const ports = side === 'to' ? targetPorts(rule, service.ports) : portsOf(rule)
  // An empty list of ports would mean every port.
  if (side === 'to' && ports.length === 0) return []
  return [{ ...(ports.length > 0 && { ports }), [side]: service.peers }]
}

const selectorOf = (labels: PodLabels) => (Object.keys(labels).length === 0 ? {} : { matchLabels: labels })

function portsOf({ protocol, ports }: SecurityRule) {
  if (protocol === 'any') return []
  const word = protocol.toUpperCase()
  if (ports.length === 0) return [{ protocol: word }]
  return ports.map((text) => {
    const port = parsePort(text)
    if ('problem' in port) throw new Error(`A stored rule has the port ${text}`)
    if ('name' in port) return { port: port.name, protocol: word }
    return port.from === port.to
      ? { port: port.from, protocol: word }
      : { endPort: port.to, port: port.from, protocol: word }
  })
}

/** The peers of a rule within one cluster; none where nothing of that cluster is meant. */
function peersOf(
  peer: Exclude<RulePeer, ServicePeer>,
  clusterId: number,
  groups: readonly RenderedGroup[],
  { subnets, sets }: Surroundings,
): 'anywhere' | Spec[] {
  switch (peer.kind) {
    case 'anywhere':
      return 'anywhere'
    case 'range':
      return [{ ipBlock: { cidr: peer.cidr } }]
    case 'subnet':
      return subnets.filter(({ name }) => name === peer.name).map(({ cidr }) => ({ ipBlock: { cidr } }))
    case 'set':
      return (sets.find(({ name }) => name === peer.name)?.cidrs ?? []).map((cidr) => ({ ipBlock: { cidr } }))
    case 'namespace':
      return [{ namespaceSelector: { matchLabels: { [nameLabel]: peer.namespace } } }]
    case 'workload':
      return [podsIn(peer.namespace, peer.labels)]
    case 'group':
      return (groups.find(({ id }) => id === peer.groupId)?.targets ?? [])
        .filter((target) => target.clusterId === clusterId)
        .map(({ namespace, labels }) => podsIn(namespace, labels))
  }
}
