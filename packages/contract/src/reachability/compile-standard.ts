import { compileBlock } from './ip-block.ts'
import { selectorFault, type LabelSelector } from './label-selector.ts'
import type { PodClasses } from './pod-classes.ts'
import type {
  Direction,
  PolicyRef,
  StandardPeer,
  StandardPolicy,
  StandardPort,
  StandardRule,
} from './policy.ts'
import { ruleText, standardPeerText } from './rule-text.ts'
import type { CompiledPeer, CompiledRule, PolicyProblem, PortTest } from './rule.ts'
import { protocols, type ClusterSnapshot, type Protocol } from './snapshot.ts'

/** What a policy compiles to, before it is sorted into the chains of the pods that it selects. */
export type CompiledPolicy = {
  /** What it was compiled from. */
  source: unknown
  policy: PolicyRef
  /** By the number of a class: 1 where the policy selects its pods. */
  selected: Uint8Array
  /** The directions that it is about. */
  directions: readonly Direction[]
  /** Of these, those in which it isolates the pods. */
  isolates: readonly Direction[]
  rules: readonly CompiledRule[]
  /** Of an AdminNetworkPolicy. */
  priority?: number
  isBaseline?: boolean
  problems: readonly PolicyProblem[]
}

const nobody: CompiledPeer = { index: 0, blocks: [] }
const isPortNumber = (port: number) => Number.isInteger(port) && port >= 1 && port <= 65_535
export const toProtocol = (text: string): Protocol | undefined => protocols.find((one) => one === text)

function compilePort({ protocol = 'TCP', port, endPort }: StandardPort): PortTest | string {
  const known = toProtocol(protocol)
  if (known === undefined) return `The protocol "${protocol}" is none of TCP, UDP and SCTP.`
  if (port === undefined)
    return endPort === undefined
      ? { protocol: known, from: 0, to: 65_535 }
      : 'endPort has no meaning without port.'
  if (typeof port === 'string')
    return endPort === undefined
      ? { protocol: known, name: port }
      : `endPort has no meaning beside the named port "${port}".`
  if (!isPortNumber(port)) return `The port ${port} is not between 1 and 65535.`
  if (endPort === undefined) return { protocol: known, from: port, to: port }
  if (!isPortNumber(endPort)) return `The port ${endPort} is not between 1 and 65535.`
  if (endPort < port) return `The range ${port} to ${endPort} is reversed: endPort must not be below port.`
  return { protocol: known, from: port, to: endPort }
}

/** The directions of a policy as the API defaults them: ingress always, egress where there are egress rules. */
export function directionsOf({ spec }: Pick<StandardPolicy, 'spec'>): Direction[] {
  const types = spec.policyTypes ?? []
  if (types.length === 0) return spec.egress?.length ? ['ingress', 'egress'] : ['ingress']
  const named = types.map((type) => type.toLowerCase())
  return (['ingress', 'egress'] as const).filter((direction) => named.includes(direction))
}

export function compileStandard(
  source: StandardPolicy,
  classes: PodClasses,
  plugin: ClusterSnapshot['plugin'],
): CompiledPolicy {
  const { namespace, name, spec } = source
  const policy: PolicyRef = { kind: 'NetworkPolicy', namespace, name }
  const problems: PolicyProblem[] = []
  const fault = (path: string, text: string) => void problems.push({ policy, path, text })
  const checked = (selector: LabelSelector | undefined, path: string) => {
    const why = selector && selectorFault(selector)
    if (why !== undefined) fault(path, `The selector matches nothing: ${why}.`)
    return selector
  }
  const compilePeer = (peer: StandardPeer, index: number, path: string): CompiledPeer => {
    const { podSelector, namespaceSelector, ipBlock } = peer
    const isSelector = podSelector !== undefined || namespaceSelector !== undefined
    if (ipBlock && isSelector) fault(path, 'A peer is either a block of addresses or selectors, never both.')
    else if (ipBlock) {
      const block = compileBlock(ipBlock)
      if (typeof block === 'string') fault(`${path}.ipBlock`, block)
      else
        return plugin === 'cilium'
          ? { index, blocks: [block] }
          : {
              index,
              blocks: [block],
              classes: classes.inBlock(ipBlock),
              family: block.network.bits === 32 ? 4 : 6,
            }
    } else if (isSelector) {
      checked(podSelector, `${path}.podSelector`)
      checked(namespaceSelector, `${path}.namespaceSelector`)
      return {
        index,
        blocks: [],
        classes: classes.matching(podSelector ?? {}, namespaceSelector ?? namespace),
      }
    } else fault(path, 'A peer without a selector or a block matches nothing.')
    return { ...nobody, index }
  }
  const compileRule = (rule: StandardRule, direction: Direction, index: number): CompiledRule => {
    const path = `spec.${direction}[${index}]`
    const side = direction === 'ingress' ? 'from' : 'to'
    const listed = rule[side] ?? []
    const peers =
      listed.length === 0 ? 'all' : listed.map((peer, i) => compilePeer(peer, i, `${path}.${side}[${i}]`))
    const ports: PortTest[] = []
    for (const [i, port] of (rule.ports ?? []).entries()) {
      const test = compilePort(port)
      if (typeof test === 'string') fault(`${path}.ports[${i}]`, test)
      else ports.push(test)
    }
    const tests = rule.ports?.length ? ports : 'all'
    const texts = peers === 'all' ? peers : listed.map((peer) => standardPeerText(peer, namespace))
    const text = ruleText(texts, tests)
    return { policy, direction, path, number: index + 1, action: 'allow', peers, ports: tests, text }
  }
  const named = directionsOf({ spec })
  for (const [i, type] of (spec.policyTypes ?? []).entries())
    if (type !== 'Ingress' && type !== 'Egress')
      fault(`spec.policyTypes[${i}]`, `The policy type "${type}" is neither Ingress nor Egress.`)
  checked(spec.podSelector, 'spec.podSelector')
  const rules = named.flatMap((direction) =>
    (spec[direction] ?? []).map((rule, index) => compileRule(rule, direction, index)),
  )
  return {
    source,
    policy,
    selected: classes.matching(spec.podSelector ?? {}, namespace),
    directions: named,
    isolates: named,
    rules,
    problems,
  }
}
