import { compileAdmin } from './compile-admin.ts'
import { compileCilium } from './compile-cilium.ts'
import { compileStandard, type CompiledPolicy } from './compile-standard.ts'
import { classifyPods, type PodClasses } from './pod-classes.ts'
import { directions, policyKey, type Direction } from './policy.ts'
import type { PolicyProblem, RuleChain } from './rule.ts'
import type { ClusterSnapshot, PolicySet } from './snapshot.ts'

/** A snapshot whose policies are sorted by the pods that they select. Asking it reads nothing else. */
export type CompiledPolicies = {
  snapshot: ClusterSnapshot
  classes: PodClasses
  policies: readonly CompiledPolicy[]
  /** By the number of a class. */
  chains: Readonly<Record<Direction, readonly RuleChain[]>>
  /** Place of a pod in the snapshot's list, by `namespace/name`. */
  podIndex: ReadonlyMap<string, number>
  /** Places of the pods of a namespace in the snapshot's list. */
  podsOf: ReadonlyMap<string, readonly number[]>
  problems: readonly PolicyProblem[]
}

/**
 * Compiles a snapshot. `comparedWith` are other sets of policies that will be held against these: pods that one of them
 * tells apart are then kept apart in all.
 */
export function compilePolicies(
  snapshot: ClusterSnapshot,
  comparedWith: readonly PolicySet[] = [],
): CompiledPolicies {
  return compileWith(snapshot, classifyPods(snapshot, [snapshot, ...comparedWith]))
}

/** Compiles other policies for the same pods; those that both sets have are not compiled again. */
export function recompile(compiled: CompiledPolicies, set: PolicySet): CompiledPolicies {
  const { snapshot, classes } = compiled
  const other = { ...snapshot, adminPolicies: undefined, ciliumPolicies: undefined, ...set }
  if (!classes.fits(set)) throw new Error('These policies tell pods apart that are of one class.')
  return compileWith(other, classes, compiled)
}

function compileWith(
  snapshot: ClusterSnapshot,
  classes: PodClasses,
  before?: CompiledPolicies,
): CompiledPolicies {
  const { policies, adminPolicies = [], ciliumPolicies = [], nodes = [], plugin } = snapshot
  const known = new Map(before?.policies.map((one) => [one.source, one]))
  const compiled = [
    ...policies.map((policy) => known.get(policy) ?? compileStandard(policy, classes, plugin)),
    ...adminPolicies.map((policy) => known.get(policy) ?? compileAdmin(policy, classes, nodes)),
    ...ciliumPolicies.map((policy) => known.get(policy) ?? compileCilium(policy, classes)),
  ]
  const index = before ?? indexPods(snapshot)
  return {
    snapshot,
    classes,
    policies: compiled,
    chains: {
      ingress: chainsOf(compiled, classes, 'ingress'),
      egress: chainsOf(compiled, classes, 'egress'),
    },
    podIndex: index.podIndex,
    podsOf: index.podsOf,
    problems: compiled.flatMap(({ problems }) => problems),
  }
}

function indexPods({ pods }: ClusterSnapshot): Pick<CompiledPolicies, 'podIndex' | 'podsOf'> {
  const podsOf = new Map<string, number[]>()
  for (const [index, { namespace }] of pods.entries()) {
    const others = podsOf.get(namespace)
    if (others) others.push(index)
    else podsOf.set(namespace, [index])
  }
  return {
    podIndex: new Map(pods.map(({ namespace, name }, index) => [`${namespace}/${name}`, index])),
    podsOf,
  }
}

function chainsOf(
  compiled: readonly CompiledPolicy[],
  classes: PodClasses,
  direction: Direction,
): RuleChain[] {
  const chains = classes.list.map((): RuleChain => ({
    admin: [],
    asked: [],
    policies: [],
    isolating: [],
    deny: [],
    allow: [],
    baseline: [],
  }))
  const isAdmin = ({ priority }: CompiledPolicy) => priority !== undefined
  // The API leaves the order of equal priorities open; by name it is the same each time.
  const admin = compiled
    .filter(isAdmin)
    .toSorted(
      (a, b) => (a.priority ?? 0) - (b.priority ?? 0) || (policyKey(a.policy) < policyKey(b.policy) ? -1 : 1),
    )
  for (const one of [...admin, ...compiled.filter((other) => !isAdmin(other))]) {
    if (!one.directions.includes(direction)) continue
    const own = one.rules.filter((rule) => rule.direction === direction)
    const allow = own.filter(({ action }) => action !== 'deny')
    const deny = own.filter(({ action }) => action === 'deny')
    const isIsolating = one.isolates.includes(direction)
    for (let id = one.selected.indexOf(1); id >= 0; id = one.selected.indexOf(1, id + 1)) {
      const chain = chains[id]
      if (chain === undefined) continue
      chain.asked.push(one.policy)
      if (one.isBaseline) chain.baseline.push(...own)
      else if (isAdmin(one)) chain.admin.push(...own)
      else {
        chain.allow.push(...allow)
        chain.deny.push(...deny)
        chain.policies.push(one.policy)
        if (isIsolating) chain.isolating.push(one.policy)
      }
    }
  }
  return chains
}

/** The classes that any of these policies selects, with the directions. */
export function classesSelectedBy(
  policies: readonly CompiledPolicy[],
  count: number,
): Record<Direction, Uint8Array> {
  const found = { ingress: new Uint8Array(count), egress: new Uint8Array(count) }
  for (const { selected, directions: named } of policies)
    for (const direction of directions)
      if (named.includes(direction))
        for (const [id, isSelected] of selected.entries()) if (isSelected) found[direction][id] = 1
  return found
}
