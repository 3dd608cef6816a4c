import { parseRange } from './ranges.ts'
import type { NetworkProblem } from './rules.ts'

export const securityGroupLimits = {
  perNetwork: 50,
  rules: 200,
  targets: 50,
  ports: 20,
  labels: 20,
  note: 200,
} as const

export const ruleDirections = ['in', 'out'] as const
export type RuleDirection = (typeof ruleDirections)[number]

export const ruleProtocols = ['any', 'tcp', 'udp', 'sctp'] as const
export type RuleProtocol = (typeof ruleProtocols)[number]

export type PodLabels = Record<string, string>

/** Who a rule lets in, or whom it lets one call. Namespaces, workloads and services are those of the target's own cluster. */
export type RulePeer =
  | { kind: 'anywhere' }
  | { kind: 'range'; cidr: string }
  | { kind: 'subnet'; name: string }
  /** The ranges of a named set of the network. */
  | { kind: 'set'; name: string }
  | { kind: 'group'; groupId: string }
  | { kind: 'namespace'; namespace: string }
  | { kind: 'workload'; namespace: string; labels: PodLabels }
  /** The pods that it selects now; a rule for leaving names its ports, and opens the ports of the pods behind them. */
  | { kind: 'service'; namespace: string; name: string }
  /** A database of the organization: its pods where it runs in the target's cluster, or else the addresses of its host. */
  | { kind: 'database'; databaseId: string }

export type SecurityRule = {
  direction: RuleDirection
  action: 'allow' | 'deny'
  protocol: RuleProtocol
  /** `443`, `8000-8100`, or the name of a port; none: every port. */
  ports: string[]
  peer: RulePeer
  note: string
}

/** Pods of a namespace: those with all these labels, or all where there are none. */
export type RuleTarget = { clusterId: number; namespace: string; labels: PodLabels }

export type SecurityGroupDraft = {
  /** Whether what comes in is closed but for the rules, and what goes out. */
  filtersIn: boolean
  filtersOut: boolean
  rules: SecurityRule[]
  targets: RuleTarget[]
}

/** What of a network and its other groups a group is checked against. */
export type GroupSurroundings = {
  subnets: readonly string[]
  /** Names of its named sets. */
  sets: readonly string[]
  groupIds: readonly string[]
  /** Clusters that take part: all of their namespaces where `namespaces` is null. */
  attached: readonly { clusterId: number; namespaces: readonly string[] | null }[]
}

export type PortRange = { from: number; to: number } | { name: string }

/** A port as it is written, or why it is none. */
export function parsePort(text: string): PortRange | { problem: string } {
  const written = text.trim()
  const match = /^(\d{1,6})(?:\s*-\s*(\d{1,6}))?$/.exec(written)
  if (match === null) {
    if (/^(?=.*[a-z])[a-z0-9]([a-z0-9-]{0,13}[a-z0-9])?$/.test(written)) return { name: written }
    return { problem: `"${written}" is no port: write 443, 8000-8100, or the name of a port such as http.` }
  }
  const from = Number(match[1])
  const to = match[2] === undefined ? from : Number(match[2])
  if (from < 1 || to < 1 || from > 65_535 || to > 65_535) {
    return { problem: `Ports are numbers from 1 to 65535; "${written}" is not.` }
  }
  if (from > to) return { problem: `"${written}" runs backwards: write ${to}-${from}.` }
  return { from, to }
}

/** Everything that is wrong with a group, by the path of its field: `rules.2.ports`. */
export function groupProblems(group: SecurityGroupDraft, around: GroupSurroundings): NetworkProblem[] {
  const problems: NetworkProblem[] = []
  const say = (path: string, message: string | undefined) => {
    if (message !== undefined) problems.push({ path, message })
  }
  for (const [at, target] of group.targets.entries()) say(`targets.${at}`, targetProblem(target, around))
  for (const [at, rule] of group.rules.entries()) {
    const path = `rules.${at}`
    if (rule.action === 'deny') {
      say(
        `${path}.action`,
        'Network policies of Kubernetes only let in: what no rule lets in is closed. Leave the rule out, or narrow the one that lets it in.',
      )
    }
    if (rule.protocol === 'any' && rule.ports.length > 0) {
      say(`${path}.ports`, 'Ports belong to a protocol: choose TCP, UDP or SCTP.')
    }
    for (const port of rule.ports) {
      const parsed = parsePort(port)
      if ('problem' in parsed) say(`${path}.ports`, parsed.problem)
    }
    say(`${path}.peer`, peerProblem(rule.peer, around))
    const isFiltered = rule.direction === 'in' ? group.filtersIn : group.filtersOut
    if (!isFiltered) {
      const what = rule.direction === 'in' ? 'comes in' : 'goes out'
      say(`${path}.direction`, `It has no effect: everything that ${what} is open. Close it first.`)
    }
  }
  return problems
}

function targetProblem({ clusterId, namespace }: RuleTarget, { attached }: GroupSurroundings) {
  const cluster = attached.find((each) => each.clusterId === clusterId)
  if (cluster === undefined) return 'Its cluster does not take part in this network. Attach it first.'
  if (cluster.namespaces !== null && !cluster.namespaces.includes(namespace)) {
    return `The namespace "${namespace}" does not take part in this network. Attach it first.`
  }
  if (namespace.startsWith('kube-')) return 'Bey leaves the namespaces of the cluster itself alone.'
  return undefined
}

function peerProblem(peer: RulePeer, { subnets, sets, groupIds }: GroupSurroundings): string | undefined {
  if (peer.kind === 'range') {
    const range = parseRange(peer.cidr)
    return 'problem' in range ? range.problem : undefined
  }
  if (peer.kind === 'subnet' && !subnets.includes(peer.name)) {
    return `This network has no subnet "${peer.name}" any more. Choose another peer.`
  }
  if (peer.kind === 'set' && !sets.includes(peer.name)) {
    return `This network has no named set "${peer.name}" any more. Choose another peer.`
  }
  if (peer.kind === 'group' && !groupIds.includes(peer.groupId)) {
    return 'The group that it names is gone. Choose another peer.'
  }
  if (peer.kind === 'service' && (peer.namespace === '' || peer.name === '')) {
    return 'Enter the namespace and the name of a service.'
  }
  if (peer.kind === 'database' && peer.databaseId === '') return 'Choose a database.'
  return undefined
}

/** A rule as people read it: `TCP 443, 8443`. */
export function portsText({ protocol, ports }: Pick<SecurityRule, 'protocol' | 'ports'>): string {
  if (protocol === 'any') return 'any'
  return ports.length === 0
    ? `${protocol.toUpperCase()}, every port`
    : `${protocol.toUpperCase()} ${ports.join(', ')}`
}

/** What a rule covers of another: both at once is the same as the first alone. */
export function coveredBy(rules: readonly SecurityRule[]): (number | undefined)[] {
  return rules.map((rule, at) => {
    const found = rules.findIndex(
      (other, index) => index !== at && covers(other, rule) && (!covers(rule, other) || index < at),
    )
    return found === -1 ? undefined : found
  })
}

function covers(wide: SecurityRule, narrow: SecurityRule): boolean {
  return (
    wide.direction === narrow.direction &&
    wide.action === narrow.action &&
    coversPorts(wide, narrow) &&
    coversPeer(wide.peer, narrow.peer)
  )
}

function coversPorts(wide: SecurityRule, narrow: SecurityRule): boolean {
  if (wide.protocol === 'any') return true
  if (wide.protocol !== narrow.protocol) return false
  if (wide.ports.length === 0) return true
  const of = (ports: readonly string[]) =>
    ports.map(parsePort).filter((port): port is PortRange => !('problem' in port))
  return (
    narrow.ports.length > 0 &&
    of(narrow.ports).every((port) =>
      of(wide.ports).some((other) =>
        'name' in port || 'name' in other
          ? 'name' in port && 'name' in other && port.name === other.name
          : other.from <= port.from && port.to <= other.to,
      ),
    )
  )
}

function coversPeer(wide: RulePeer, narrow: RulePeer): boolean {
  if (wide.kind === 'anywhere') return true
  if (wide.kind === 'range' && narrow.kind === 'range') {
    const [outer, inner] = [parseRange(wide.cidr), parseRange(narrow.cidr)]
    if ('problem' in outer || 'problem' in inner) return false
    return outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last
  }
  if (wide.kind === 'namespace' && narrow.kind === 'workload') return wide.namespace === narrow.namespace
  return JSON.stringify(wide) === JSON.stringify(narrow)
}
