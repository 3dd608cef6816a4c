import type { Finding } from './analysis.ts'
import type { CompiledPolicies } from './compile.ts'
import { type Party, ruleMatches } from './decide.ts'
import { endpointText, endsOf, type Endpoint } from './endpoint.ts'
import { policyName } from './gate-text.ts'
import type { CompiledRule } from './rule.ts'
import type { ObservedFlow } from './what-if.ts'

/** Connections that were seen and that a rule lets through, and when the last of them, in ms since 1970. */
export type RuleHits = { count: number; lastSeenAtMs: number }

/**
 * What was seen of each rule that allows. Rules add up, so that one connection counts for every rule that lets it through;
 * a rule that perhaps does counts too, so that no rule is called unused in error.
 */
export function ruleHits(
  compiled: CompiledPolicies,
  observed: readonly ObservedFlow[],
): Map<CompiledRule, RuleHits> {
  const hits = new Map<CompiledRule, RuleHits>()
  const partiesOf = partiesByEnd(compiled)
  for (const { from, to, port, count = 1, lastSeenAtMs = 0 } of observed) {
    const matched = new Set<CompiledRule>()
    for (const source of partiesOf(from))
      for (const target of partiesOf(to)) {
        const ways = [
          {
            chain: target.podClass && compiled.chains.ingress[target.podClass.id],
            own: target,
            other: source,
          },
          {
            chain: source.podClass && compiled.chains.egress[source.podClass.id],
            own: source,
            other: target,
          },
        ]
        for (const { chain, own, other } of ways)
          for (const rule of chain ? [...chain.admin, ...chain.allow, ...chain.baseline] : [])
            if (
              rule.action === 'allow' &&
              ruleMatches(rule, other, own.node, port, target.podClass).is !== 'no'
            )
              matched.add(rule)
      }
    for (const rule of matched) {
      const before = hits.get(rule)
      hits.set(rule, {
        count: (before?.count ?? 0) + count,
        lastSeenAtMs: Math.max(before?.lastSeenAtMs ?? 0, lastSeenAtMs),
      })
    }
  }
  return hits
}

/** One party for each class of pods of an end; none for one that is gone. */
function partiesByEnd(compiled: CompiledPolicies): (end: Endpoint) => Party[] {
  const known = new Map<string, Party[]>()
  return (end) => {
    const key = `${end.kind} ${'workloadKind' in end ? end.workloadKind : ''} ${endpointText(end)}`
    const before = known.get(key)
    if (before !== undefined) return before
    const found = endsOf(compiled, end)
    const parties = 'missing' in found ? [] : found.ends.map(({ party }) => party)
    const distinct = [...new Map(parties.map((party) => [party.podClass ?? party, party])).values()]
    known.set(key, distinct)
    return distinct
  }
}

/** Rules that let through none of the connections that were seen; nothing where none were seen. */
export function unusedRules(compiled: CompiledPolicies, observed: readonly ObservedFlow[]): Finding[] {
  const total = observed.reduce((sum, { count = 1 }) => sum + count, 0)
  if (total === 0) return []
  const hits = ruleHits(compiled, observed)
  return compiled.policies
    .filter(({ selected }) => selected.includes(1))
    .flatMap(({ policy, rules }) =>
      rules
        .filter((rule) => rule.action === 'allow' && !hits.has(rule))
        .map((rule): Finding => {
          const name = `${rule.direction === 'ingress' ? 'Ingress' : 'Egress'} rule ${rule.number} of ${policyName(policy)}`
          const seen =
            total === 1
              ? 'The one connection that was seen does'
              : `The ${total} connections that were seen do`
          return {
            code: 'unused',
            severity: 'note',
            policy,
            path: rule.path,
            others: [],
            text: `${name} was never used: ${rule.text}. ${seen} without it.`,
          }
        }),
    )
}
