import { BlockList, isIP } from 'node:net'
import type { Cluster } from '../api/context.ts'
import { labelSelector } from '../selectors.ts'
import { namespaces, networkPolicies, type NetworkPolicy, type Pod } from '../types.ts'

type Rule = NonNullable<NetworkPolicy['spec']['ingress']>[number]
type Peer = NonNullable<Rule['from']>[number]
type PolicyPort = NonNullable<Rule['ports']>[number]

/** One end of a connection: a pod, or an address that no pod has. */
export type End = { pod?: Pod; addresses: readonly string[] }
export type Protocol = 'TCP' | 'UDP' | 'SCTP'
export type Port = { protocol: Protocol; port: number }
export type Direction = 'Egress' | 'Ingress'

function inNetwork(address: string, cidr: string): boolean {
  const [base = '', bits = ''] = cidr.split('/')
  const family = isIP(base) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(address) !== isIP(base)) return false
  const list = new BlockList()
  list.addSubnet(base, Number(bits), family)
  return list.check(address, family)
}

const isHost = ({ pod }: End) => pod?.spec.hostNetwork === true

function isPeer({ store }: Cluster, peer: Peer, { pod, addresses }: End, own: string): boolean {
  const { podSelector, namespaceSelector, ipBlock } = peer
  if (ipBlock) {
    const { cidr, except = [] } = ipBlock
    return addresses.some((one) => inNetwork(one, cidr) && !except.some((inner) => inNetwork(one, inner)))
  }
  // A pod in the network of its node is its node, which has no labels.
  if (!pod || pod.spec.hostNetwork) return false
  const space = pod.metadata.namespace ?? ''
  if (!namespaceSelector && space !== own) return false
  const labels = store.get(namespaces, undefined, space)?.metadata.labels
  if (namespaceSelector && !labelSelector(namespaceSelector)(labels)) return false
  return labelSelector(podSelector ?? {})(pod.metadata.labels)
}

function isPort(rule: PolicyPort, { protocol, port }: Port, receiver: Pod | undefined): boolean {
  if ((rule.protocol ?? 'TCP') !== protocol) return false
  if (rule.port === undefined) return true
  if (typeof rule.port === 'number') return port >= rule.port && port <= (rule.endPort ?? rule.port)
  const ports = receiver?.spec.containers.flatMap((container) => container.ports ?? []) ?? []
  return ports.some(
    (one) => one.name === rule.port && (one.protocol ?? 'TCP') === protocol && one.containerPort === port,
  )
}

/** Whether the policies of one direction let a connection pass at the pod that they are about. */
function passes(cluster: Cluster, direction: Direction, subject: End, other: End, port: Port): boolean {
  const { pod } = subject
  if (!pod || isHost(subject)) return true
  const holding = cluster.store
    .list(networkPolicies, pod.metadata.namespace)
    .filter(
      ({ spec }) =>
        spec.policyTypes?.includes(direction) && labelSelector(spec.podSelector ?? {})(pod.metadata.labels),
    )
  if (holding.length === 0) return true
  const receiver = direction === 'Ingress' ? pod : other.pod
  return holding.some(({ metadata, spec }) => {
    const rules: Rule[] = (direction === 'Ingress' ? spec.ingress : spec.egress) ?? []
    return rules.some((rule) => {
      const { ports = [] } = rule
      const peers = peersOf(rule, direction)
      const own = metadata.namespace ?? ''
      const isNamed = peers.length === 0 || peers.some((peer) => isPeer(cluster, peer, other, own))
      return isNamed && (ports.length === 0 || ports.some((one) => isPort(one, port, receiver)))
    })
  })
}

function peersOf(rule: Rule, direction: Direction): Peer[] {
  const peers: unknown = Reflect.get(rule, direction === 'Ingress' ? 'from' : 'to')
  // The API has refused anything but a list of peers.
  return Array.isArray(peers) ? (peers as Peer[]) : []
}

function isNodeOf({ pod, addresses }: End, target: Pod): boolean {
  if (pod) return pod.spec.hostNetwork === true && pod.spec.nodeName === target.spec.nodeName
  const node = target.status?.hostIP
  return node !== undefined && addresses.includes(node)
}

/**
 * Where the NetworkPolicies of the cluster drop a connection; undefined where they let it pass. As in most clusters, a pod
 * reaches itself, a node reaches its own pods, replies pass, and policies do not hold for pods in the network of their node.
 */
export function droppedAt(cluster: Cluster, from: End, to: End, port: Port): Direction | undefined {
  if (from.pod && from.pod.metadata.uid === to.pod?.metadata.uid) return undefined
  if (!passes(cluster, 'Egress', from, to, port)) return 'Egress'
  if (to.pod && isNodeOf(from, to.pod)) return undefined
  return passes(cluster, 'Ingress', to, from, port) ? undefined : 'Ingress'
}
