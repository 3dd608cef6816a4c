import type { CompiledPolicies } from './compile.ts'
import type { Decision, GateState } from './decide.ts'
import { endpointText, endsOf, workloadOf, type End, type Endpoint } from './endpoint.ts'
import { decideFlow, narrowest, type FlowDecision, type Way } from './flow.ts'
import { decisionText } from './gate-text.ts'
import type { PolicyRef } from './policy.ts'
import type { DatabaseFacts, PortNumber } from './snapshot.ts'
import { proposeForAllowList, proposeRule, type Change } from './propose-change.ts'
import { translate, type Target } from './translate.ts'

/** A rule that decides, where it stands, and which of its peers matched (from 0). */
export type DecidingRule = { policy: PolicyRef; path: string; number: number; peer?: number; text: string }

/** One place on the way where a flow is let through or not. */
export type Gate = {
  kind: 'name' | 'service' | 'leaving' | 'entering' | 'allow-list'
  state: GateState
  title: string
  subtitle: string
  /** The sentence that says why. */
  text: string
  /** Policies that were asked, in their order. */
  asked: readonly PolicyRef[]
  rule?: DecidingRule
  /** What opens a closed gate with the least change. */
  change?: Change
}

/** `partly`: some pods of the source reach some pods of the target. */
export type Reachability = 'yes' | 'no' | 'unknown' | 'partly'

export type ReachAnswer = {
  answer: Reachability
  sentence: string
  /** Of the pair of ends that has the narrowest way. */
  gates: readonly Gate[]
  from?: { pod?: string; node?: string; address?: string }
  to?: { pod?: string; node?: string; address?: string; port: PortNumber }
  /** Pairs of a source and a target, where each stands for one pod, node or address. */
  pairs: Record<GateState, number>
  /** What else is worth knowing, as sentences. */
  notes: readonly string[]
}

export type ReachOptions = {
  /** The target is called by its name: the source also has to reach the cluster's DNS. */
  isByName?: boolean
}

const dns = { namespace: 'kube-system', name: 'kube-dns' } as const

/**
 * Answers whether one end reaches another on a port of the target (of the service, where it is one). Every gate is asked,
 * also behind a closed one, so that all of them can be opened at once.
 */
export function canReach(
  compiled: CompiledPolicies,
  from: Endpoint,
  to: Endpoint,
  port: PortNumber,
  options: ReachOptions = {},
): ReachAnswer {
  if (to.kind === 'ingress')
    return unknown(`An ingress is asked about as a source: its controller reaches the services behind it.`)
  const sources = endsOf(compiled, from)
  if ('missing' in sources) return unknown(sources.missing)
  const translation = translate(compiled, to, port)
  if (translation.missing !== undefined) return unknown(translation.missing)
  const { service, targets, database } = translation
  const name = endpointText(to, compiled.snapshot.databases)
  const before: Gate[] = []
  if (options.isByName) before.push(nameGate(compiled, sources.ends, name))
  if (service)
    before.push({
      kind: 'service',
      state: service.state,
      title: 'The service',
      subtitle: 'from its address to its pods',
      text: service.text,
      asked: [],
    })
  const [first] = sources.ends
  if (database?.allowList?.length === 0 && targets.length === 0 && first)
    before.push(listGate('closed', database, first))
  const way: Way = { service: service?.facts, database }
  const { pairs, shown } = askPairs(compiled, sources.ends, targets, way)
  if (!shown) {
    const state = narrowest(before.map((gate) => gate.state))
    return finish(state === 'open' ? 'unknown' : state, before, { ...none, [state]: 1 }, [])
  }
  const gates = [...before, ...flowGates(compiled, shown, way)]
  const outer = narrowest(before.map((gate) => gate.state))
  const { source, target } = shown
  return {
    ...finish(outer, gates, pairs, notesOf(shown)),
    from: shownEnd(source),
    to: { ...shownEnd(target), port: target.port },
  }
}

const none: Record<GateState, number> = { open: 0, closed: 0, unknown: 0 }
const podText = ({ pod }: End) => pod && `${pod.namespace}/${pod.name}`

const shownEnd = (end: End) => ({ pod: podText(end), node: end.party.node, address: end.pod?.ips[0] })

function unknown(sentence: string): ReachAnswer {
  const full = `Not known: ${sentence}`
  return { answer: 'unknown', sentence: full, gates: [], pairs: { ...none, unknown: 1 }, notes: [] }
}

type Shown = { source: End; target: Target; decision: FlowDecision }

/** Ends that nothing can tell apart are asked once and counted as many times as there are. */
function alike<T extends End>(ends: readonly T[], withNode: boolean, key: (end: T) => string) {
  const groups = new Map<string, T[]>()
  for (const end of ends) {
    const { podClass, node, networks } = end.party
    const own = podClass
      ? `${podClass.id}`
      : networks.map((one) => `${one.bits}/${one.value}/${one.prefix}`).join()
    const full = `${own} ${withNode || end.party.isNode ? (node ?? '') : ''} ${key(end)}`
    const others = groups.get(full)
    if (others) others.push(end)
    else groups.set(full, [end])
  }
  return [...groups.values()]
}

function askPairs(
  compiled: CompiledPolicies,
  sources: readonly End[],
  targets: readonly Target[],
  way: Way,
): { pairs: Record<GateState, number>; shown?: Shown } {
  const isHost = ({ party }: End) => party.isNode === true || party.podClass?.hostNetwork === true
  const isAnyHost = sources.some(isHost) || targets.some(isHost)
  // Allow-lists see the addresses of single pods and of their nodes.
  const isListed = way.database?.allowList !== undefined
  const single = ({ pod, party }: End) => (isListed ? `${pod?.name} ${party.node}` : '')
  const pairs = { ...none }
  let shown: Shown | undefined
  let selfPairs = 0
  const rank = { closed: 2, unknown: 1, open: 0 }
  const show = (source: End, target: Target, decision: FlowDecision) => {
    if (shown === undefined || rank[decision.state] > rank[shown.decision.state] || shown.decision.isSamePod)
      shown = { source, target, decision }
  }
  const targetGroups = alike(targets, isAnyHost, ({ port }) => `${port.protocol}/${port.port}`)
  for (const group of alike(sources, isAnyHost, single))
    for (const others of targetGroups) {
      const selves = group.filter((one) => one.pod && others.some((other) => other.pod === one.pod)).length
      const pair = differentPair(group, others)
      selfPairs += selves
      if (selves > 0 && shown === undefined) {
        const [source] = group.filter((one) => others.some((other) => other.pod === one.pod))
        const target = others.find((other) => other.pod === source?.pod)
        if (source && target) show(source, target, { state: 'open', isSamePod: true })
      }
      if (pair === undefined) continue
      const [source, target] = pair
      const decision = decideFlow(compiled, source, target, way)
      pairs[decision.state] += group.length * others.length - selves
      show(source, target, decision)
    }
  // That each pod of a group reaches itself says nothing about the group, unless there is nothing else.
  const others = pairs.open + pairs.closed + pairs.unknown
  if (sources.length === 1 || others === 0) pairs.open += selfPairs
  return { pairs, shown }
}

function differentPair(sources: readonly End[], targets: readonly Target[]): [End, Target] | undefined {
  for (const source of sources) {
    const target = targets.find(({ pod }) => pod === undefined || pod !== source.pod)
    if (target) return [source, target]
  }
  return undefined
}

function endText({ pod, party }: End): string {
  if (pod) return workloadOf(pod).name
  if (party.isNode) return party.node ?? 'the node'
  return 'the address'
}

function policyGate(
  kind: 'leaving' | 'entering',
  decision: Decision,
  own: End,
  other: string,
  change?: Change,
): Gate {
  const { rule, state, asked, peer } = decision
  const direction = kind === 'leaving' ? 'egress' : 'ingress'
  return {
    kind,
    state,
    title: `${kind === 'leaving' ? 'Leaving' : 'Entering'} ${endText(own)}`,
    subtitle: `${direction} policies of ${own.pod?.namespace}`,
    text: decisionText(decision, direction, endText(own), other),
    asked,
    ...(rule && {
      rule: { policy: rule.policy, path: rule.path, number: rule.number, peer, text: rule.text },
    }),
    ...(change && { change }),
  }
}

function flowGates(compiled: CompiledPolicies, { source, target, decision }: Shown, way: Way): Gate[] {
  const gates: Gate[] = []
  const { leaving, entering, allowList, isSamePod } = decision
  if (isSamePod) return gates
  const change = (direction: 'egress' | 'ingress', closed: Decision) =>
    closed.state === 'closed' ? proposeRule(compiled, direction, closed, source, target) : undefined
  if (leaving)
    gates.push(policyGate('leaving', leaving, source, targetText(target), change('egress', leaving)))
  if (entering)
    gates.push(policyGate('entering', entering, target, endText(source), change('ingress', entering)))
  if (allowList && way.database) gates.push(listGate(allowList, way.database, source))
  return gates
}

function targetText(target: Target): string {
  return `${endText(target)} on ${target.port.port}/${target.port.protocol}`
}

function listGate(state: GateState, database: DatabaseFacts, source: End): Gate {
  const { name, allowList } = database
  const texts = {
    open: allowList === undefined ? `${name} lets in every address.` : `A line of its allow-list fits.`,
    closed: `No line of its allow-list fits: ${allowList?.join(', ') || 'it is empty'}.`,
    unknown: `It depends on the address that ${name} sees: that of the pod or that of its node.`,
  }
  const change = state === 'closed' ? proposeForAllowList(database, source) : undefined
  return {
    kind: 'allow-list',
    state,
    title: 'The allow-list',
    subtitle: `of ${name}`,
    text: texts[state],
    asked: [],
    ...(change && { change }),
  }
}

function nameGate(compiled: CompiledPolicies, sources: readonly End[], name: string): Gate {
  const gate = { kind: 'name', title: 'The name', subtitle: 'asked of the cluster’s DNS', asked: [] } as const
  const { targets } = translate(compiled, { kind: 'service', ...dns }, { protocol: 'UDP', port: 53 })
  const { shown } = askPairs(compiled, sources, targets, {})
  if (!shown)
    return { ...gate, state: 'unknown', text: 'No service kube-system/kube-dns with pods is known.' }
  const inner = flowGates(compiled, shown, {})
  const closed = inner.find(({ state }) => state !== 'open')
  if (!closed) return { ...gate, state: 'open', text: `${name} resolves: the cluster’s DNS is reached.` }
  const { state, text, asked, rule, change } = closed
  return {
    ...gate,
    state,
    text: `The DNS is not reached, so ${name} does not resolve. ${text}`,
    asked,
    rule,
    change,
  }
}

function notesOf({ source, target, decision }: Shown): string[] {
  const notes: string[] = []
  if (decision.isSamePod) notes.push('A pod always reaches itself.')
  for (const { pod } of [source, target])
    if (pod?.hostNetwork)
      notes.push(
        `${pod.namespace}/${pod.name} is in the network of its node: Kubernetes leaves open what policies mean for it.`,
      )
  return notes
}

function finish(
  outer: GateState,
  gates: readonly Gate[],
  pairs: Record<GateState, number>,
  notes: readonly string[],
): ReachAnswer {
  const answer = answerOf(outer, pairs)
  return { answer, sentence: sentenceOf(answer, gates, pairs), gates, pairs, notes }
}

function answerOf(
  outer: GateState,
  { open, closed, unknown: doubtful }: Record<GateState, number>,
): Reachability {
  if (outer === 'closed' || (open === 0 && doubtful === 0)) return 'no'
  if (outer === 'unknown' || (doubtful > 0 && open === 0)) return 'unknown'
  if (closed > 0) return 'partly'
  return doubtful > 0 ? 'unknown' : 'yes'
}

function sentenceOf(answer: Reachability, gates: readonly Gate[], pairs: Record<GateState, number>): string {
  const closed = gates.filter(({ state }) => state === 'closed').length
  const sum = pairs.open + pairs.closed + pairs.unknown
  if (answer === 'partly') return `In part. ${pairs.open} of ${sum} pairs of pods reach each other.`
  if (answer === 'unknown')
    return `Not known: ${gates.find(({ state }) => state === 'unknown')?.text ?? 'the policies do not say.'}`
  if (gates.length === 0) return answer === 'yes' ? 'Yes. Nothing stands between them.' : 'No.'
  if (answer === 'yes')
    return gates.length === 1 ? 'Yes. The only gate is open.' : `Yes. All ${gates.length} gates are open.`
  return `No. ${closed} of ${gates.length} gates ${closed === 1 ? 'is' : 'are'} closed.`
}
