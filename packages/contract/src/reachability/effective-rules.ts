import type { CompiledPolicies } from './compile.ts'
import { endsOf, type Endpoint } from './endpoint.ts'
import { directions, type Direction, type PolicyRef } from './policy.ts'
import type { RuleHits } from './rule-hits.ts'
import type { CompiledRule } from './rule.ts'

/** A rule that holds for a pod, and where it comes from. */
export type EffectiveRule = {
  direction: Direction
  action: 'allow' | 'deny' | 'pass'
  policy: PolicyRef
  path: string
  number: number
  /** Peers and ports in words. */
  text: string
  /** Of the endpoint's pods, how many it holds for. */
  pods: number
  /** Connections that were seen and that it lets through; absent where nothing is known of them. */
  hits?: RuleHits
}

export type EffectiveRules = {
  /** In the order in which they are asked. */
  rules: readonly EffectiveRule[]
  /** What becomes of what no rule is about, in a sentence for each direction. */
  defaults: Readonly<Record<Direction, { isIsolated: boolean; policies: readonly PolicyRef[]; text: string }>>
  pods: number
}

/** Every rule that holds for the pods of an endpoint, with its hits if these are known; undefined where it has no pods. */
export function effectiveRules(
  compiled: CompiledPolicies,
  endpoint: Endpoint,
  hits?: ReadonlyMap<CompiledRule, RuleHits>,
): EffectiveRules | undefined {
  const found = endsOf(compiled, endpoint)
  if ('missing' in found) return undefined
  const pods = found.ends.flatMap(({ party }) => (party.podClass ? [party.podClass] : []))
  if (pods.length === 0) return undefined
  const rules = new Map<unknown, EffectiveRule>()
  for (const direction of directions)
    for (const { id } of pods) {
      const chain = compiled.chains[direction][id]
      if (!chain) continue
      for (const rule of [...chain.admin, ...chain.deny, ...chain.allow, ...chain.baseline]) {
        const { action, policy, path, number, text } = rule
        const known = rules.get(rule)
        if (known) known.pods += 1
        else
          rules.set(rule, {
            direction,
            action,
            policy,
            path,
            number,
            text,
            pods: 1,
            ...(hits && action === 'allow' && { hits: hits.get(rule) ?? { count: 0, lastSeenAtMs: 0 } }),
          })
      }
    }
  const [first] = pods
  const isHost = first?.hostNetwork === true
  const defaultOf = (direction: Direction) => {
    const policies = new Map<string, PolicyRef>()
    let isolated = 0
    for (const { id } of pods) {
      const { isolating = [] } = compiled.chains[direction][id] ?? {}
      if (isolating.length > 0) isolated += 1
      for (const policy of isolating)
        policies.set(`${policy.kind}/${policy.namespace}/${policy.name}`, policy)
    }
    return {
      isIsolated: isolated === pods.length,
      policies: [...policies.values()],
      text: defaultText(direction, isolated, pods.length, isHost),
    }
  }
  return {
    rules: [...rules.values()],
    defaults: { ingress: defaultOf('ingress'), egress: defaultOf('egress') },
    pods: pods.length,
  }
}

function defaultText(direction: Direction, isolated: number, all: number, isHost: boolean): string {
  const way = direction === 'ingress' ? 'in' : 'out'
  if (isHost) return 'It is in the network of its node, where policies do not hold.'
  if (isolated === 0) return `No policy isolates it: everything else is let ${way}.`
  if (isolated === all) return `Everything else is closed: nothing that no rule names is let ${way}.`
  return `${isolated} of ${all} pods are isolated: of these, nothing that no rule names is let ${way}.`
}
