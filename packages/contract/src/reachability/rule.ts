import type { IpNetwork } from './ip-network.ts'
import type { Direction, PolicyRef } from './policy.ts'
import type { Protocol } from './snapshot.ts'

/** Ports of one protocol, or of all where it is absent: a range with both ends (from 0 where it is about all), or those that pods give a name to. */
export type PortTest = { protocol?: Protocol } & ({ from: number; to: number } | { name: string })

export type CompiledBlock = { network: IpNetwork; except: readonly IpNetwork[]; text: string }

/** One peer of a rule. It matches what any of its parts matches. */
export type CompiledPeer = {
  /** Its place in the rule's list, from 0. */
  index: number
  /** By the number of a class of pods: 1 where its pods match, by labels or by address. */
  classes?: Uint8Array
  blocks: readonly CompiledBlock[]
  /** The family of the addresses of a block, by which it matches pods; absent where it matches by labels. */
  family?: 4 | 6
  /** Names of the nodes that match; `all` for every node. */
  nodes?: ReadonlySet<string> | 'all'
  /** Matches the node of the pod itself. */
  ownNode?: boolean
  /** Matches every address that is neither of a pod nor of a node. */
  world?: boolean
  /** Why nobody can say from the policies alone whether it matches. */
  doubt?: string
}

/** One rule of a policy, ready to be asked. */
export type CompiledRule = {
  policy: PolicyRef
  direction: Direction
  /** Where it stands in the policy: `spec.ingress[1]`. */
  path: string
  /** Its number among its list, from 1, as people count. */
  number: number
  action: 'allow' | 'deny' | 'pass'
  peers: readonly CompiledPeer[] | 'all'
  ports: readonly PortTest[] | 'all'
  /** Why a match is not certain. */
  doubt?: string
  /** The peers and ports in words: `pods app=web of namespaces team=shop, TCP 80`. */
  text: string
}

/** Everything that decides one direction for the pods of one class, in the order of asking. */
export type RuleChain = {
  admin: CompiledRule[]
  /** All policies of the chain, each once, in the order of asking. */
  asked: PolicyRef[]
  /** Policies that choose these pods for this direction. */
  policies: PolicyRef[]
  /** Those of them that isolate: what none of their rules allows is closed. */
  isolating: PolicyRef[]
  deny: CompiledRule[]
  allow: CompiledRule[]
  baseline: CompiledRule[]
}

/** A fault of a policy. The part that it concerns matches nothing. */
export type PolicyProblem = { policy: PolicyRef; path: string; text: string }
