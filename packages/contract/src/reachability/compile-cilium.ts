import { toProtocol, type CompiledPolicy } from './compile-standard.ts'
import type { LabelSelector } from './label-selector.ts'
import { compileBlock } from './ip-block.ts'
import { bareKey, type PodClasses } from './pod-classes.ts'
import type { CiliumPolicy, CiliumPorts, CiliumRule, Direction, IpBlock, PolicyRef } from './policy.ts'
import { ruleText, selectedText } from './rule-text.ts'
import type { CompiledBlock, CompiledPeer, CompiledRule, PolicyProblem, PortTest } from './rule.ts'

const namespaceKey = 'io.kubernetes.pod.namespace'
const namespaceLabelPrefix = 'io.cilium.k8s.namespace.labels.'

/** A selector of endpoints names pods and, by reserved keys, namespaces. */
export function splitSelector(selector: LabelSelector, own: string | undefined) {
  const pods: Required<LabelSelector> = { matchLabels: {}, matchExpressions: [] }
  const namespaces: Required<LabelSelector> = { matchLabels: {}, matchExpressions: [] }
  const place = (key: string): [Required<LabelSelector>, string] => {
    const bare = bareKey(key)
    if (bare === namespaceKey) return [namespaces, 'kubernetes.io/metadata.name']
    if (bare.startsWith(namespaceLabelPrefix)) return [namespaces, bare.slice(namespaceLabelPrefix.length)]
    return [pods, bare]
  }
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    const [part, bare] = place(key)
    part.matchLabels = { ...part.matchLabels, [bare]: value }
  }
  for (const expression of selector.matchExpressions ?? []) {
    const [part, bare] = place(expression.key)
    part.matchExpressions = [...part.matchExpressions, { ...expression, key: bare }]
  }
  const namesNamespace = Object.keys(namespaces.matchLabels).length + namespaces.matchExpressions.length > 0
  return { pods, namespaces: namesNamespace ? namespaces : (own ?? {}) }
}

function compilePorts(list: readonly CiliumPorts[]): PortTest[] | 'all' {
  const ports = list.flatMap((one) => one.ports ?? [])
  if (ports.length === 0) return 'all'
  return ports.map(({ port, endPort, protocol }) => {
    const known = toProtocol(protocol ?? '')
    const each = known === undefined ? {} : { protocol: known }
    if (!/^\d+$/.test(port)) return { ...each, name: port }
    if (port === '0') return { ...each, from: 0, to: 65_535 }
    return { ...each, from: Number(port), to: endPort ?? Number(port) }
  })
}

function entityPeer(entity: string, index: number, everybody: Uint8Array): CompiledPeer {
  const peer: CompiledPeer = { index, blocks: [] }
  switch (entity) {
    case 'all':
      return { ...peer, classes: everybody, nodes: 'all', world: true }
    case 'world':
      return { ...peer, world: true }
    case 'cluster':
      return { ...peer, classes: everybody, nodes: 'all' }
    case 'host':
      return { ...peer, ownNode: true }
    case 'remote-node':
      return { ...peer, nodes: 'all' }
    default:
      return { ...peer, doubt: `Which addresses the entity "${entity}" has is not in the policies.` }
  }
}

/** Compiles a CiliumNetworkPolicy or a CiliumClusterwideNetworkPolicy as far as it is about addresses and ports. */
export function compileCilium(source: CiliumPolicy, classes: PodClasses): CompiledPolicy {
  const { namespace, name, spec } = source
  const kind = namespace === undefined ? 'CiliumClusterwideNetworkPolicy' : 'CiliumNetworkPolicy'
  const policy: PolicyRef = { kind, name, ...(namespace === undefined ? {} : { namespace }) }
  const problems: PolicyProblem[] = []
  const everybody = classes.matching({}, undefined)
  const blocksOf = (list: readonly IpBlock[], path: string): CompiledBlock[] =>
    list.flatMap((one) => {
      const block = compileBlock(one)
      if (typeof block !== 'string') return [block]
      problems.push({ policy, path, text: block })
      return []
    })
  const compileRule = (
    rule: CiliumRule,
    direction: Direction,
    action: 'allow' | 'deny',
    index: number,
  ): CompiledRule => {
    const path = `spec.${direction}${action === 'deny' ? 'Deny' : ''}[${index}]`
    const isIn = direction === 'ingress'
    const endpoints = isIn ? rule.fromEndpoints : rule.toEndpoints
    const cidrs = isIn ? rule.fromCIDR : rule.toCIDR
    const sets = isIn ? rule.fromCIDRSet : rule.toCIDRSet
    const entities = isIn ? rule.fromEntities : rule.toEntities
    const others = isIn ? undefined : (rule.toFQDNs ?? rule.toServices)
    const texts: string[] = []
    const peers: CompiledPeer[] = []
    for (const selector of endpoints ?? []) {
      const { pods, namespaces } = splitSelector(selector, namespace)
      peers.push({ index: peers.length, blocks: [], classes: classes.matching(pods, namespaces) })
      texts.push(selectedText(pods, namespaces))
    }
    const networks = [...(cidrs ?? []).map((cidr) => ({ cidr })), ...(sets ?? [])]
    if (networks.length > 0) {
      const blocks = blocksOf(networks, path)
      peers.push({ index: peers.length, blocks })
      texts.push(...blocks.map((block) => block.text))
    }
    for (const entity of entities ?? []) {
      peers.push(entityPeer(entity, peers.length, everybody))
      texts.push(`the entity ${entity}`)
    }
    if (others?.length) {
      const doubt = 'It names hosts or services, whose addresses are not in the policies.'
      peers.push({ index: peers.length, blocks: [], doubt })
      texts.push('hosts or services by name')
    }
    const isNamed = [endpoints, cidrs, sets, entities, others].some((list) => list !== undefined)
    const ports = compilePorts(rule.toPorts ?? [])
    const hasContents = rule.toPorts?.some((one) => one.rules !== undefined)
    // A rule without peers and ports is there to isolate, and allows nobody.
    const toAll = !isNamed && rule.toPorts !== undefined
    return {
      policy,
      direction,
      path,
      number: index + 1,
      action,
      peers: toAll ? 'all' : peers,
      ports,
      text: ruleText(toAll ? 'all' : texts, ports),
      ...(hasContents ? { doubt: 'It also looks at the contents of packets.' } : {}),
    }
  }
  const named = (['ingress', 'egress'] as const).filter(
    (direction) => (spec[direction]?.length ?? 0) + (spec[`${direction}Deny`]?.length ?? 0) > 0,
  )
  const rules = named.flatMap((direction) => [
    ...(spec[`${direction}Deny`] ?? []).map((rule, i) => compileRule(rule, direction, 'deny', i)),
    ...(spec[direction] ?? []).map((rule, i) => compileRule(rule, direction, 'allow', i)),
  ])
  const subject = splitSelector(spec.endpointSelector ?? {}, namespace)
  return {
    source,
    policy,
    selected: classes.matching(subject.pods, subject.namespaces),
    directions: named,
    isolates: named.filter((direction) => spec.enableDefaultDeny?.[direction] !== false),
    rules,
    problems,
  }
}
