import { parseRange } from '@bey/contract/networks/ranges'
import type {
  PodLabels,
  RulePeer,
  RuleProtocol,
  SecurityRule,
} from '@bey/contract/networks/security-group-rules'

import type { Spec } from '../policy-rows.ts'

/** One thing that a policy opens: one peer on one port. An empty port stands for every port of the protocol. */
export type Opening = Pick<SecurityRule, 'direction' | 'protocol' | 'peer'> & { port: string }

/** A policy in the terms of security groups. */
export type ReadPolicy = { labels: PodLabels; filtersIn: boolean; filtersOut: boolean; openings: Opening[] }

/** A member that rules of security groups cannot express, such as `ingress[0].from[1].ipBlock.except`. */
export type Inexpressible = { member: string; reason: string }

/** The label that Kubernetes gives each namespace: its name. */
const nameLabel = 'kubernetes.io/metadata.name'

class Refusal extends Error {
  readonly found: Inexpressible
  constructor(member: string, reason: string) {
    super(`${member}: ${reason}`)
    this.found = { member, reason }
  }
}

/**
 * Reads the `spec` of a NetworkPolicy of a namespace in the terms of security groups, with the defaults of Kubernetes
 * (NetworkPolicySpec, networking.k8s.io/v1), or says which member they cannot express.
 */
export function readOpenings(spec: Spec, namespace: string): ReadPolicy | Inexpressible {
  try {
    onlyMembers(spec, '', ['podSelector', 'policyTypes', 'ingress', 'egress'])
    const labels = labelsOf(spec['podSelector'], 'podSelector')
    const [ingress, egress] = [listOf(spec['ingress'], 'ingress'), listOf(spec['egress'], 'egress')]
    const types = listOf(spec['policyTypes'], 'policyTypes')
    const hasTypes = types.length > 0
    const filtersIn = hasTypes ? types.includes('Ingress') : true
    const filtersOut = hasTypes ? types.includes('Egress') : egress.length > 0
    const openings = [
      // Rules of a direction that the policy does not close have no effect in Kubernetes.
      ...(filtersIn ? ingress.flatMap((rule, at) => ofRule(rule, `ingress[${at}]`, 'in', namespace)) : []),
      ...(filtersOut ? egress.flatMap((rule, at) => ofRule(rule, `egress[${at}]`, 'out', namespace)) : []),
    ]
    const unique = new Map(openings.map((each) => [openingKey(each), each]))
    return { labels, filtersIn, filtersOut, openings: [...unique.values()] }
  } catch (error) {
    if (error instanceof Refusal) return error.found
    throw error
  }
}

/** The same text for the same opening. */
export const openingKey = ({ direction, protocol, port, peer }: Opening): string =>
  JSON.stringify([direction, protocol, port, peerKey(peer)])

function peerKey(peer: RulePeer): unknown {
  if (peer.kind !== 'workload') return peer
  const labels = Object.entries(peer.labels).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { ...peer, labels }
}

function ofRule(
  given: unknown,
  at: string,
  direction: SecurityRule['direction'],
  namespace: string,
): Opening[] {
  const side = direction === 'in' ? 'from' : 'to'
  const rule = objectOf(given, at)
  onlyMembers(rule, at, ['ports', side])
  const named = listOf(rule[side], `${at}.${side}`)
  const peers: RulePeer[] =
    named.length === 0
      ? [{ kind: 'anywhere' }]
      : named.flatMap((peer, nth) => peersOf(peer, `${at}.${side}[${nth}]`, namespace))
  const ports = listOf(rule['ports'], `${at}.ports`).map((port, nth) => portOf(port, `${at}.ports[${nth}]`))
  const asked = ports.length === 0 ? [{ protocol: 'any' as const, port: '' }] : ports
  return peers.flatMap((peer) => asked.map((port) => ({ direction, ...port, peer })))
}

function peersOf(given: unknown, at: string, own: string): RulePeer[] {
  const peer = objectOf(given, at)
  onlyMembers(peer, at, ['podSelector', 'namespaceSelector', 'ipBlock'])
  if (peer['ipBlock'] !== undefined) return [rangeOf(peer['ipBlock'], `${at}.ipBlock`)]
  const labels = labelsOf(peer['podSelector'], `${at}.podSelector`)
  const namespaces =
    peer['namespaceSelector'] === undefined
      ? [own]
      : namespacesOf(peer['namespaceSelector'], `${at}.namespaceSelector`)
  return namespaces.map((namespace) =>
    Object.keys(labels).length === 0
      ? { kind: 'namespace', namespace }
      : { kind: 'workload', namespace, labels },
  )
}

function rangeOf(given: unknown, at: string): RulePeer {
  const block = objectOf(given, at)
  onlyMembers(block, at, ['cidr', 'except'])
  if (listOf(block['except'], `${at}.except`).length > 0) {
    throw new Refusal(`${at}.except`, 'A rule opens a whole range; it cannot leave a part of it out.')
  }
  const cidr = String(block['cidr'])
  const range = parseRange(cidr)
  if ('problem' in range) throw new Refusal(`${at}.cidr`, range.problem)
  return { kind: 'range', cidr }
}

function namespacesOf(given: unknown, at: string): string[] {
  const selector = objectOf(given, at)
  onlyMembers(selector, at, ['matchLabels', 'matchExpressions'])
  const byLabel = Object.entries(objectOf(selector['matchLabels'] ?? {}, `${at}.matchLabels`))
  const byExpression = listOf(selector['matchExpressions'], `${at}.matchExpressions`)
  const [label, ...labels] = byLabel
  if (label === undefined && byExpression.length === 0) {
    throw new Refusal(at, 'It chooses every namespace; a rule names one namespace, or opens to anywhere.')
  }
  if (label !== undefined && labels.length === 0 && byExpression.length === 0 && label[0] === nameLabel) {
    return [String(label[1])]
  }
  const [expression, ...others] = byExpression
  if (label === undefined && others.length === 0) {
    const { key, operator, values } = objectOf(expression, `${at}.matchExpressions[0]`)
    if (key === nameLabel && operator === 'In') {
      return listOf(values, `${at}.matchExpressions[0].values`).map(String)
    }
  }
  throw new Refusal(at, `A rule names a namespace by its name, the label ${nameLabel}, and by nothing else.`)
}

function labelsOf(given: unknown, at: string): PodLabels {
  const selector = objectOf(given ?? {}, at)
  onlyMembers(selector, at, ['matchLabels', 'matchExpressions'])
  if (listOf(selector['matchExpressions'], `${at}.matchExpressions`).length > 0) {
    throw new Refusal(`${at}.matchExpressions`, 'Pods are chosen by labels with their values alone.')
  }
  const labels = objectOf(selector['matchLabels'] ?? {}, `${at}.matchLabels`)
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, String(value)]))
}

const protocols: Readonly<Record<string, RuleProtocol>> = { TCP: 'tcp', UDP: 'udp', SCTP: 'sctp' }

function portOf(given: unknown, at: string): Pick<Opening, 'protocol' | 'port'> {
  const port = objectOf(given, at)
  onlyMembers(port, at, ['protocol', 'port', 'endPort'])
  const named = port['protocol'] ?? 'TCP'
  const protocol = typeof named === 'string' ? protocols[named] : undefined
  if (protocol === undefined) throw new Refusal(`${at}.protocol`, 'A rule is about TCP, UDP or SCTP.')
  const from = portText(port['port'], `${at}.port`)
  const to = portText(port['endPort'], `${at}.endPort`)
  return { protocol, port: to === '' || to === from ? from : `${from}-${to}` }
}

function portText(given: unknown, at: string): string {
  if (given === undefined) return ''
  if (typeof given === 'number' || typeof given === 'string') return String(given)
  throw new Refusal(at, 'It is neither a number nor the name of a port.')
}

function onlyMembers(object: Record<string, unknown>, at: string, known: readonly string[]): void {
  const other = Object.keys(object).find((key) => !known.includes(key) && object[key] !== undefined)
  if (other === undefined) return
  throw new Refusal(at === '' ? other : `${at}.${other}`, 'Rules of security groups know no such member.')
}

function objectOf(given: unknown, at: string): Record<string, unknown> {
  // Neither a list nor a text: what is read of it is checked member by member.
  if (typeof given === 'object' && given !== null && !Array.isArray(given))
    return given as Record<string, unknown>
  throw new Refusal(at, 'It is not an object.')
}

function listOf(given: unknown, at: string): unknown[] {
  if (given === undefined || given === null) return []
  if (Array.isArray(given)) return given
  throw new Refusal(at, 'It is not a list.')
}
