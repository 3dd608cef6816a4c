import type { CompiledPolicies } from './compile.ts'
import { blockHolds } from './ip-block.ts'
import type { IpNetwork } from './ip-network.ts'
import type { PodClass } from './pod-classes.ts'
import type { Direction, PolicyRef } from './policy.ts'
import type { CompiledPeer, CompiledRule, PortTest, RuleChain } from './rule.ts'
import type { PortNumber } from './snapshot.ts'

/** One end of a flow. */
export type Party = {
  /** The class of a pod; absent for nodes and for addresses outside. */
  podClass?: PodClass
  /** Where the pod runs, or which node it is. */
  node?: string
  isNode?: boolean
  /** Its addresses, or the network that is asked about. */
  networks: readonly IpNetwork[]
}

export type GateState = 'open' | 'closed' | 'unknown'

/** Why a direction is open or closed. */
export type Decision = {
  state: GateState
  because:
    | 'no-plugin'
    | 'host-network'
    | 'own-node'
    | 'no-policy'
    | 'allow-rule'
    | 'deny-rule'
    | 'no-rule'
    | 'doubtful-rule'
    | 'seen-as-node'
  rule?: CompiledRule
  /** The peer of the rule that matched, from 0; absent where the rule is about everybody. */
  peer?: number
  /** The rule matches by addresses of this family alone, and the other end has both. */
  family?: 4 | 6
  /** Policies that choose the pod for this direction, in the order of asking. */
  asked: readonly PolicyRef[]
}

type Match = { is: 'yes' | 'maybe' | 'no'; peer?: number; family?: 4 | 6 }
const none: Match = { is: 'no' }

function portMatches(
  test: PortTest,
  { protocol, port }: PortNumber,
  receiver: PodClass | undefined,
): boolean {
  if (test.protocol !== undefined && test.protocol !== protocol) return false
  if (!('name' in test)) return port >= test.from && port <= test.to
  // A named port is looked up at the pod that receives, whichever direction is asked.
  return receiver?.namedPorts.get(`${protocol}/${test.name}`)?.includes(port) ?? false
}

function peerMatches(peer: CompiledPeer, other: Party, subjectNode: string | undefined): Match['is'] {
  if (peer.doubt !== undefined) return 'maybe'
  const { podClass, isNode, node, networks } = other
  if (podClass && !podClass.hostNetwork) return peer.classes?.[podClass.id] === 1 ? 'yes' : 'no'
  if (isNode || podClass) {
    if (peer.nodes === 'all' || (node !== undefined && peer.nodes?.has(node))) return 'yes'
    if (peer.ownNode && node !== undefined && node === subjectNode) return 'yes'
  } else if (peer.world) return 'yes'
  let best: Match['is'] = 'no'
  for (const block of peer.blocks)
    for (const network of networks) {
      const held = blockHolds(block, network)
      if (held === 'all') return 'yes'
      if (held === 'some') best = 'maybe'
    }
  // Some plug-ins know the pods in a node's network by their labels; to most they are the node.
  if (podClass && peer.classes?.[podClass.id] === 1) return 'maybe'
  return best
}

const bothFamilies = 1 | 2

/** Whether a rule is about a flow with this other end; `receiver`: the class of the pod that packets arrive at. */
export function ruleMatches(
  rule: CompiledRule,
  other: Party,
  subjectNode: string | undefined,
  port: PortNumber,
  receiver: PodClass | undefined,
): Match {
  const { ports, peers } = rule
  if (ports !== 'all' && !ports.some((test) => portMatches(test, port, receiver))) return none
  if (peers === 'all') return { is: rule.doubt === undefined ? 'yes' : 'maybe' }
  let maybe: Match = none
  let families = 0
  for (const peer of peers) {
    const is = peerMatches(peer, other, subjectNode)
    const family = is === 'yes' && other.podClass?.isDualStack === true ? peer.family : undefined
    if (family !== undefined) {
      // Which of its addresses a connection comes from is not known before it is made.
      families |= family === 4 ? 1 : 2
      if (families !== bothFamilies) {
        if (maybe === none) maybe = { is: 'maybe', peer: peer.index, family }
        continue
      }
    }
    if (is === 'yes' && rule.doubt === undefined) return { is, peer: peer.index }
    if (is !== 'no' && maybe === none) maybe = { is: 'maybe', peer: peer.index }
  }
  return maybe
}

/**
 * Decides one direction of a flow for the pod `subject`. AdminNetworkPolicies come first, by priority, and their first
 * rule that matches decides unless it passes; then NetworkPolicies and Cilium's, where a rule that denies wins, and what
 * no rule allows is closed once a policy isolates the pod; then the baseline; what nobody decides is open.
 */
export function decide(
  { chains, snapshot }: CompiledPolicies,
  direction: Direction,
  subject: Party,
  other: Party,
  port: PortNumber,
): Decision {
  const { podClass } = subject
  if (snapshot.plugin === 'none') return { state: 'open', because: 'no-plugin', asked: [] }
  if (podClass === undefined) return { state: 'open', because: 'no-policy', asked: [] }
  const chain = chains[direction][podClass.id]
  if (chain === undefined) throw new Error('The pod is not of this snapshot.')
  const { asked } = chain
  if (podClass.hostNetwork) return { state: 'open', because: 'host-network', asked }
  const isOwnNode = other.node !== undefined && other.node === subject.node
  const isHost = other.isNode === true || other.podClass?.hostNetwork === true
  if (direction === 'ingress' && isHost && isOwnNode) return { state: 'open', because: 'own-node', asked }
  const receiver = direction === 'ingress' ? podClass : other.podClass
  const match = (rule: CompiledRule) => ruleMatches(rule, other, subject.node, port, receiver)
  const doubts: Doubt[] = []
  const decided = firstDecision(chain, match, doubts)
  const result: Decision = { asked, ...decided }
  const effect = { allow: 'open', deny: 'closed', pass: undefined } as const
  const doubt = doubts.find(({ rule }) => effect[rule.action] !== result.state)
  return doubt === undefined ? result : { asked, state: 'unknown', because: 'doubtful-rule', ...doubt }
}

type Doubt = { rule: CompiledRule; peer?: number; family?: 4 | 6 }
type Decided = Pick<Decision, 'state' | 'because' | 'rule' | 'peer'>

function firstDecision(chain: RuleChain, match: (rule: CompiledRule) => Match, doubts: Doubt[]): Decided {
  const find = (rules: readonly CompiledRule[]): Decided | undefined => {
    for (const rule of rules) {
      const { is, peer, family } = match(rule)
      if (is === 'maybe') doubts.push({ rule, peer, ...(family && { family }) })
      if (is !== 'yes') continue
      if (rule.action === 'pass') return undefined
      const isOpen = rule.action === 'allow'
      return { state: isOpen ? 'open' : 'closed', because: isOpen ? 'allow-rule' : 'deny-rule', rule, peer }
    }
    return undefined
  }
  const byAdmin = find(chain.admin)
  if (byAdmin) return byAdmin
  const denied = find(chain.deny)
  if (denied) return denied
  if (chain.isolating.length > 0) return find(chain.allow) ?? { state: 'closed', because: 'no-rule' }
  const allowed = find(chain.allow)
  if (allowed) return allowed
  const byBaseline = chain.policies.length === 0 ? find(chain.baseline) : undefined
  return byBaseline ?? { state: 'open', because: 'no-policy' }
}
