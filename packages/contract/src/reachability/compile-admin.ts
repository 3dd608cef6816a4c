import { toProtocol, type CompiledPolicy } from './compile-standard.ts'
import { labelTest, selectorText } from './label-selector.ts'
import { compileBlock } from './ip-block.ts'
import type { PodClasses } from './pod-classes.ts'
import type { AdminPeer, AdminPolicy, AdminPort, AdminRule, Direction, PolicyRef } from './policy.ts'
import { ruleText, selectedText } from './rule-text.ts'
import type { CompiledPeer, CompiledRule, PolicyProblem, PortTest } from './rule.ts'
import type { NodeFacts } from './snapshot.ts'

const actions = { Allow: 'allow', Deny: 'deny', Pass: 'pass' } as const

function compilePort({ portNumber, portRange, namedPort }: AdminPort): PortTest | string {
  if (namedPort !== undefined) return { name: namedPort }
  const protocol = toProtocol(portNumber?.protocol ?? portRange?.protocol ?? 'TCP')
  if (protocol === undefined) return 'The protocol is none of TCP, UDP and SCTP.'
  if (portNumber) return { protocol, from: portNumber.port, to: portNumber.port }
  if (!portRange) return 'A port needs a number, a range or a name.'
  if (portRange.end < portRange.start) return `The range ${portRange.start} to ${portRange.end} is reversed.`
  return { protocol, from: portRange.start, to: portRange.end }
}

function peerText({ namespaces, pods, networks = [], nodes }: AdminPeer): string {
  if (namespaces) return selectedText({}, namespaces)
  if (pods) return selectedText(pods.podSelector, pods.namespaceSelector)
  return nodes ? `nodes ${selectorText(nodes)}` : networks.join(', ')
}

/** Compiles an AdminNetworkPolicy or a BaselineAdminNetworkPolicy. */
export function compileAdmin(
  source: AdminPolicy,
  classes: PodClasses,
  nodes: readonly NodeFacts[],
): CompiledPolicy {
  const { name, isBaseline = false, spec } = source
  const policy: PolicyRef = { kind: isBaseline ? 'BaselineAdminNetworkPolicy' : 'AdminNetworkPolicy', name }
  const problems: PolicyProblem[] = []
  const fault = (path: string, text: string) => void problems.push({ policy, path, text })
  const compilePeer = (peer: AdminPeer, index: number, path: string): CompiledPeer => {
    if (peer.namespaces) return { index, blocks: [], classes: classes.matching({}, peer.namespaces) }
    if (peer.pods) {
      const { podSelector, namespaceSelector } = peer.pods
      return { index, blocks: [], classes: classes.matching(podSelector, namespaceSelector) }
    }
    if (peer.nodes) {
      const test = labelTest(peer.nodes)
      const names = nodes.filter(({ labels = {} }) => test(labels)).map((node) => node.name)
      return { index, blocks: [], nodes: new Set(names) }
    }
    if (!peer.networks?.length) fault(path, 'A peer without a selector or a network matches nothing.')
    const blocks = (peer.networks ?? []).flatMap((cidr) => {
      const block = compileBlock({ cidr })
      if (typeof block !== 'string') return [block]
      fault(`${path}.networks`, block)
      return []
    })
    return { index, blocks }
  }
  const compileRule = (rule: AdminRule, direction: Direction, index: number): CompiledRule => {
    const path = `spec.${direction}[${index}]`
    const side = direction === 'ingress' ? 'from' : 'to'
    const listed = rule[side] ?? []
    const peers = listed.map((peer, i) => compilePeer(peer, i, `${path}.${side}[${i}]`))
    const ports: PortTest[] = []
    for (const [i, port] of (rule.ports ?? []).entries()) {
      const test = compilePort(port)
      if (typeof test === 'string') fault(`${path}.ports[${i}]`, test)
      else ports.push(test)
    }
    const tests = rule.ports?.length ? ports : 'all'
    const text = ruleText(listed.map(peerText), tests)
    const action = actions[rule.action]
    return { policy, direction, path, number: index + 1, action, peers, ports: tests, text }
  }
  const { subject } = spec
  const named = (['ingress', 'egress'] as const).filter((direction) => spec[direction]?.length)
  return {
    source,
    policy,
    selected: subject.pods
      ? classes.matching(subject.pods.podSelector, subject.pods.namespaceSelector)
      : classes.matching({}, subject.namespaces ?? {}),
    directions: named,
    isolates: [],
    rules: named.flatMap((direction) =>
      (spec[direction] ?? []).map((rule, index) => compileRule(rule, direction, index)),
    ),
    priority: spec.priority ?? 0,
    isBaseline,
    problems,
  }
}
