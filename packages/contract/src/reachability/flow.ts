import type { CompiledPolicies } from './compile.ts'
import { decide, type Decision, type GateState, type Party } from './decide.ts'
import { listHolds, type End } from './endpoint.ts'
import { podNetworks } from './pod-classes.ts'
import type { DatabaseFacts, ServiceFacts } from './snapshot.ts'
import type { Target } from './translate.ts'

/** What the gates of one flow say, each asked whether or not one before it is closed. */
export type FlowDecision = {
  state: GateState
  /** A pod always reaches itself. */
  isSamePod: boolean
  /** Absent where the source is no pod. */
  leaving?: Decision
  /** Absent where the target is no pod. */
  entering?: Decision
  /** Absent where the target is no database. */
  allowList?: GateState
}

/** What stands between the source and the target beside policies. */
export type Way = { service?: ServiceFacts; database?: DatabaseFacts }

/** Closed wins over unknown, unknown over open. */
export function narrowest(states: readonly (GateState | undefined)[]): GateState {
  if (states.includes('closed')) return 'closed'
  return states.includes('unknown') ? 'unknown' : 'open'
}

function nodeParties({ snapshot }: CompiledPolicies, name?: string): Party[] {
  const nodes = (snapshot.nodes ?? []).filter((one) => name === undefined || one.name === name)
  return nodes.map((node) => ({
    isNode: true,
    node: node.name,
    networks: podNetworks({ ips: node.addresses }),
  }))
}

const byPart = { all: 'open', some: 'unknown', none: 'closed' } as const

/**
 * Whether an allow-list lets a source in. Of a pod it may see the address of the pod or that of its node, which depends
 * on how the cluster leaves its network: where the two differ, the answer is unknown.
 */
function askAllowList(
  compiled: CompiledPolicies,
  from: Party,
  { allowList, service }: DatabaseFacts,
): GateState {
  if (allowList === undefined) return 'open'
  const seenAs = [from]
  if (from.podClass && !service && from.node !== undefined) seenAs.push(...nodeParties(compiled, from.node))
  const states = seenAs
    .flatMap(({ networks }) => networks)
    .map((network) => byPart[listHolds(allowList, network)])
  const [first = 'unknown'] = states
  return states.every((state) => state === first) ? first : 'unknown'
}

/**
 * Decides what lets a flow in at its target. A client outside the cluster that comes through a service with
 * `externalTrafficPolicy: Cluster` may be seen as any node: where that changes the answer, it is unknown.
 */
function askEntering(compiled: CompiledPolicies, from: Party, to: Target, service?: ServiceFacts): Decision {
  const own = decide(compiled, 'ingress', to.party, from, to.port)
  const isOutside = from.podClass === undefined && from.isNode !== true
  if (!isOutside || service === undefined || service.externalTrafficPolicy === 'Local') return own
  const others = nodeParties(compiled).map((node) => decide(compiled, 'ingress', to.party, node, to.port))
  return others.every(({ state }) => state === own.state)
    ? own
    : { ...own, state: 'unknown', because: 'seen-as-node' }
}

/** Asks every gate between one source and one target. */
export function decideFlow(
  compiled: CompiledPolicies,
  from: End,
  to: Target,
  { service, database }: Way = {},
): FlowDecision {
  if (from.pod !== undefined && from.pod === to.pod) return { state: 'open', isSamePod: true }
  const leaving = from.party.podClass && decide(compiled, 'egress', from.party, to.party, to.port)
  const entering = to.party.podClass && askEntering(compiled, from.party, to, service)
  const allowList = database && askAllowList(compiled, from.party, database)
  const state = narrowest([leaving?.state, entering?.state, allowList])
  return { state, isSamePod: false, leaving, entering, allowList }
}
