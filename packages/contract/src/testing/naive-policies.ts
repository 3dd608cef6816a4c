import type { LabelSelector, Labels } from '../reachability/label-selector.ts'
import type { StandardPeer, StandardPolicy, StandardPort } from '../reachability/policy.ts'
import type { ClusterSnapshot, PodFacts, PortNumber } from '../reachability/snapshot.ts'

const number = (ip: string) => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

function inCidr(ip: string, cidr: string): boolean {
  const [base = '', length = ''] = cidr.split('/')
  const size = 2 ** (32 - Number(length))
  return Math.floor(number(ip) / size) === Math.floor(number(base) / size)
}

function selects({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Labels): boolean {
  if (!Object.entries(matchLabels).every(([key, value]) => labels[key] === value)) return false
  return matchExpressions.every(({ key, operator, values = [] }) => {
    const value = labels[key]
    if (operator === 'Exists') return value !== undefined
    if (operator === 'DoesNotExist') return value === undefined
    const isListed = value !== undefined && values.includes(value)
    return operator === 'In' ? isListed : !isListed
  })
}

function isPeer(snapshot: ClusterSnapshot, peer: StandardPeer, other: PodFacts, own: string): boolean {
  const { podSelector = {}, namespaceSelector, ipBlock } = peer
  if (ipBlock)
    return other.ips.some(
      (ip) => inCidr(ip, ipBlock.cidr) && !(ipBlock.except ?? []).some((one) => inCidr(ip, one)),
    )
  const labels = snapshot.namespaces.find(({ name }) => name === other.namespace)?.labels ?? {}
  const all = { ...labels, 'kubernetes.io/metadata.name': other.namespace }
  if (namespaceSelector ? !selects(namespaceSelector, all) : other.namespace !== own) return false
  return selects(podSelector, other.labels)
}

function isPort(rule: StandardPort, receiver: PodFacts, { protocol, port }: PortNumber): boolean {
  if ((rule.protocol ?? 'TCP') !== protocol) return false
  if (rule.port === undefined) return true
  if (typeof rule.port === 'number') return port >= rule.port && port <= (rule.endPort ?? rule.port)
  return receiver.ports.some(
    (one) => one.name === rule.port && one.protocol === protocol && one.port === port,
  )
}

/**
 * Whether valid NetworkPolicies let one pod reach another, both of them outside the network of their nodes: the text of
 * the API reference as code, asked anew for every flow. IPv4 only.
 */
export function isOpenNaively(
  snapshot: ClusterSnapshot,
  policies: readonly StandardPolicy[],
  from: PodFacts,
  to: PodFacts,
  port: PortNumber,
): boolean {
  if (from === to) return true
  const sides = [
    ['Egress', 'egress', 'to', from, to],
    ['Ingress', 'ingress', 'from', to, from],
  ] as const
  return sides.every(([type, list, side, subject, other]) => {
    const holding = policies.filter(({ namespace, spec }) => {
      const types = spec.policyTypes?.length
        ? spec.policyTypes
        : ['Ingress', ...(spec.egress?.length ? ['Egress'] : [])]
      const isChosen = namespace === subject.namespace && selects(spec.podSelector ?? {}, subject.labels)
      return isChosen && types.includes(type)
    })
    if (holding.length === 0) return true
    return holding.some(({ namespace, spec }) =>
      (spec[list] ?? []).some((rule) => {
        const peers = rule[side] ?? []
        const ports = rule.ports ?? []
        const isNamed = peers.length === 0 || peers.some((peer) => isPeer(snapshot, peer, other, namespace))
        return isNamed && (ports.length === 0 || ports.some((one) => isPort(one, to, port)))
      }),
    )
  })
}
