import type { CompiledPolicies } from './compile.ts'
import type { CompiledPolicy } from './compile-standard.ts'
import { policyName } from './gate-text.ts'
import { blockCovers } from './ip-block.ts'
import { isEmptySelector } from './label-selector.ts'
import type { PolicyRef, StandardPeer, StandardPolicy, StandardRule } from './policy.ts'
import type { CompiledPeer, CompiledRule, PortTest } from './rule.ts'

/** What is remarkable about a policy or one of its rules. `text` is a sentence; `others` are what it speaks of. */
export type Finding = {
  code:
    | 'invalid'
    | 'selects-nobody'
    | 'names-nobody'
    | 'covered'
    | 'unused'
    | 'opens-to-all'
    | 'either-not-both'
    | 'ignored-rules'
    | 'port-name-unknown'
    | 'port-name-differs'
  severity: 'warning' | 'note'
  policy: PolicyRef
  path?: string
  /** Rules or ports that the sentence names. */
  others: readonly { policy: PolicyRef; path: string; number: number }[]
  text: string
}

/** Everything that is remarkable about the policies of a snapshot, in their order. */
export function findingsOf(compiled: CompiledPolicies): Finding[] {
  const standard = new Map(
    compiled.snapshot.policies.map((policy) => [`${policy.namespace}/${policy.name}`, policy]),
  )
  const covers = coverings(compiled)
  return compiled.policies.flatMap((own) => {
    const { policy, problems, selected, rules } = own
    const found: Finding[] = problems.map(({ path, text }) =>
      finding('invalid', 'warning', policy, text, path),
    )
    if (!selected.includes(1))
      found.push(finding('selects-nobody', 'note', policy, `${policyName(policy)} chooses no pod that runs.`))
    else for (const rule of rules) found.push(...ruleFindings(compiled, own, rule, covers.get(rule)))
    const source = policy.kind === 'NetworkPolicy' && standard.get(`${policy.namespace}/${policy.name}`)
    if (source) found.push(...writtenFindings(policy, source))
    return found
  })
}

function finding(
  code: Finding['code'],
  severity: Finding['severity'],
  policy: PolicyRef,
  text: string,
  path?: string,
  others: Finding['others'] = [],
): Finding {
  return { code, severity, policy, ...(path === undefined ? {} : { path }), others, text }
}

const ruleName = ({ number, direction, policy }: CompiledRule) =>
  `${direction === 'ingress' ? 'Ingress' : 'Egress'} rule ${number} of ${policyName(policy)}`

function isNobody({ classes, blocks, nodes, ownNode, world, doubt }: CompiledPeer): boolean {
  const hasNodes = nodes === 'all' || (nodes?.size ?? 0) > 0
  return !(classes?.includes(1) ?? false) && blocks.length === 0 && !hasNodes && !ownNode && !world && !doubt
}

function ruleFindings(
  compiled: CompiledPolicies,
  { policy, selected }: CompiledPolicy,
  rule: CompiledRule,
  cover: CompiledRule | undefined,
): Finding[] {
  const { path, peers, ports } = rule
  if (peers !== 'all' && peers.length > 0 && peers.every(isNobody))
    return [
      finding(
        'names-nobody',
        'note',
        policy,
        `${ruleName(rule)} names nobody that runs: ${rule.text}.`,
        path,
      ),
    ]
  const found: Finding[] = []
  if (cover) {
    const { policy: other, path: place, number } = cover
    const text = `${ruleName(rule)} is covered by rule ${number} of ${policyName(other)}: without it the same flows are open.`
    found.push(finding('covered', 'note', policy, text, path, [{ policy: other, path: place, number }]))
  }
  for (const port of ports === 'all' || rule.direction === 'egress' ? [] : ports)
    if ('name' in port) found.push(...nameFindings(compiled, selected, rule, port))
  return found
}

/** A named port is looked up at each selected pod. */
function nameFindings(
  { classes }: CompiledPolicies,
  selected: Uint8Array,
  rule: CompiledRule,
  port: { protocol?: string; name: string },
): Finding[] {
  const own = classes.list.filter(({ id }) => selected[id] === 1)
  const numbers = new Set<number>()
  let without = 0
  for (const { namedPorts, pods } of own) {
    const found = ['TCP', 'UDP', 'SCTP']
      .filter((protocol) => port.protocol === undefined || port.protocol === protocol)
      .flatMap((protocol) => namedPorts.get(`${protocol}/${port.name}`) ?? [])
    if (found.length === 0) without += pods.length
    for (const number of found) numbers.add(number)
  }
  const all = own.reduce((sum, { pods }) => sum + pods.length, 0)
  const start = `${ruleName(rule)} names the port "${port.name}"`
  if (numbers.size === 0)
    return [
      finding(
        'port-name-unknown',
        'warning',
        rule.policy,
        `${start}, which none of its pods has.`,
        rule.path,
      ),
    ]
  if (numbers.size > 1) {
    const list = [...numbers].toSorted((a, b) => a - b).join(' and ')
    return [
      finding(
        'port-name-differs',
        'note',
        rule.policy,
        `${start}, which is ${list} on different pods.`,
        rule.path,
      ),
    ]
  }
  if (without === 0) return []
  const text = `${start}, which ${without} of its ${all} pods do not have.`
  return [finding('port-name-differs', 'note', rule.policy, text, rule.path)]
}

function isEverybody({ podSelector, namespaceSelector, ipBlock }: StandardPeer): boolean {
  if (ipBlock) return /^(0\.0\.0\.0|::)\/0$/.test(ipBlock.cidr) && !ipBlock.except?.length
  return (
    namespaceSelector !== undefined &&
    isEmptySelector(namespaceSelector) &&
    isEmptySelector(podSelector ?? {})
  )
}

/** What a NetworkPolicy says otherwise than it was probably meant. */
function writtenFindings(policy: PolicyRef, { spec }: StandardPolicy): Finding[] {
  const found: Finding[] = []
  const types = spec.policyTypes ?? []
  for (const direction of ['ingress', 'egress'] as const) {
    const rules = spec[direction] ?? []
    const type = direction === 'ingress' ? 'Ingress' : 'Egress'
    if (types.length > 0 && !types.includes(type)) {
      if (rules.length > 0) {
        const text = `The ${direction} rules of ${policyName(policy)} mean nothing: its policyTypes do not name ${type}.`
        found.push(finding('ignored-rules', 'warning', policy, text, `spec.${direction}`))
      }
      continue
    }
    for (const [index, rule] of rules.entries()) found.push(...peerFindings(policy, rule, direction, index))
  }
  return found
}

function peerFindings(
  policy: PolicyRef,
  rule: StandardRule,
  direction: 'ingress' | 'egress',
  index: number,
): Finding[] {
  const path = `spec.${direction}[${index}]`
  const name = `${direction === 'ingress' ? 'Ingress' : 'Egress'} rule ${index + 1} of ${policyName(policy)}`
  const peers = (direction === 'ingress' ? rule.from : rule.to) ?? []
  const what = direction === 'ingress' ? 'lets in' : 'lets out to'
  const everybody = peers.find(isEverybody)
  if (peers.length === 0) {
    const outside = 'everybody, addresses outside the cluster included, since it names nobody'
    return [finding('opens-to-all', 'note', policy, `${name} ${what} ${outside}.`, path)]
  }
  if (everybody) {
    const whom = everybody.ipBlock
      ? `every address (${everybody.ipBlock.cidr}), pods of all namespaces included`
      : 'all pods of all namespaces, since its selectors are empty'
    return [finding('opens-to-all', 'warning', policy, `${name} ${what} ${whom}.`, path)]
  }
  const isPodsAlone = (peer: StandardPeer) => peer.podSelector !== undefined && !peer.namespaceSelector
  const isNamespaceAlone = (peer: StandardPeer) => peer.namespaceSelector !== undefined && !peer.podSelector
  if (peers.length === 2 && peers.some(isPodsAlone) && peers.some(isNamespaceAlone)) {
    const text = `${name} ${what} all pods of the chosen namespaces and, besides, the chosen pods of ${policy.namespace}: two entries are either, not both.`
    return [finding('either-not-both', 'warning', policy, text, path)]
  }
  return []
}

const isSubset = (inner: Uint8Array, outer: Uint8Array) =>
  inner.every((bit, id) => bit === 0 || outer[id] === 1)

function portsCover(outer: CompiledRule['ports'], inner: CompiledRule['ports']): boolean {
  if (outer === 'all') return true
  if (inner === 'all') return false
  const covers = (a: PortTest, b: PortTest) => {
    if (a.protocol !== undefined && a.protocol !== b.protocol) return false
    if ('name' in a || 'name' in b) return 'name' in a && 'name' in b && a.name === b.name
    return a.from <= b.from && a.to >= b.to
  }
  return inner.every((one) => outer.some((other) => covers(other, one)))
}

function peersCover(outer: CompiledRule['peers'], inner: CompiledRule['peers']): boolean {
  if (outer === 'all') return true
  if (inner === 'all') return false
  return inner.every(({ classes, blocks, nodes, ownNode, world, doubt }) => {
    if (doubt !== undefined || nodes !== undefined || ownNode || world) return false
    // Blocks also match addresses outside, so that a block has to hold them.
    if (blocks.length > 0)
      return blocks.every((block) =>
        outer.some((peer) => peer.blocks.some((wide) => blockCovers(wide, block))),
      )
    const union = new Uint8Array(classes?.length ?? 0)
    for (const other of outer) for (const [id, bit] of (other.classes ?? []).entries()) union[id] ||= bit
    return classes !== undefined && isSubset(classes, union)
  })
}

/** For each rule of a policy that only allows, another that opens all that it opens, for the pods that run. */
function coverings({ policies }: CompiledPolicies): Map<CompiledRule, CompiledRule> {
  const found = new Map<CompiledRule, CompiledRule>()
  const byNamespace = Map.groupBy(
    policies.filter(({ policy }) => policy.kind === 'NetworkPolicy'),
    ({ policy }) => policy.namespace,
  )
  for (const siblings of byNamespace.values()) {
    const listed = siblings.flatMap(({ selected, rules }) => rules.map((rule) => ({ selected, rule })))
    for (const { selected, rule } of listed)
      for (const { selected: wider, rule: other } of listed) {
        // Of two rules that cover each other, the later one is the needless one.
        if (other === rule || found.get(other) === rule || other.direction !== rule.direction) continue
        if (!portsCover(other.ports, rule.ports) || !isSubset(selected, wider)) continue
        if (!peersCover(other.peers, rule.peers)) continue
        found.set(rule, other)
        break
      }
  }
  return found
}
