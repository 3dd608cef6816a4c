import type { ParsedInput } from '@bey/contract'
import { compilePolicies } from '@bey/contract/reachability/compile'
import type { StandardPolicy } from '@bey/contract/reachability/policy'
import type { PolicySet } from '@bey/contract/reachability/snapshot'
import { whatIf } from '@bey/contract/reachability/what-if'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { passedOf } from '../observed/flow-log.ts'
import { presentFlow, presentPolicy } from './present.ts'
import { type PolicyReader, type ReachabilityNeeds } from './read-policies.ts'
import { reachabilityLimits } from '@bey/contract/networks/reachability'

const limits = reachabilityLimits

/** What a change of policies ends and begins. */
export function whatIfQuestions(
  needs: ReachabilityNeeds,
  read: PolicyReader,
): Handlers<`networks.reachability.${'whatIf'}`> {
  return {
    async 'networks.reachability.whatIf'({ caller, params, body }) {
      const { compiled, basis } = await read(caller.organizationId, params.id)
      const policies = proposedSet(compiled.snapshot, body.changes)
      const observed = passedOf(
        await needs.observed.read(caller.organizationId, params.id, compiled.snapshot),
      )
      const { ends, begins, sentence } = whatIf(compiled, policies, observed)
      const changed = new Set(body.changes.map(({ namespace, name }) => `${namespace}/${name}`))
      const problems = compilePolicies({ ...compiled.snapshot, ...policies }).problems.filter(({ policy }) =>
        changed.has(`${policy.namespace}/${policy.name}`),
      )
      return {
        sentence: basis.doubt === null ? sentence : `Not known: ${basis.doubt}`,
        ends: ends.slice(0, limits.flows).map(presentFlow),
        endCount: ends.length,
        begins: begins.slice(0, limits.flows).map(presentFlow),
        beginCount: begins.length,
        problems: problems
          .slice(0, limits.findings)
          .map(({ policy, path, text }) => ({ policy: presentPolicy(policy), path, text })),
        ...basis,
      }
    },
  }
}

type Place = { namespace?: string; name: string }

/** Policies of one kind with some of them replaced, added, or left out where their `spec` is null. */
function changedPolicies<Spec>(
  policies: readonly (Place & { spec: Spec })[] = [],
  changes: readonly (Required<Place> & { spec: Spec | null })[],
): (Place & { spec: Spec })[] {
  const isChanged = (policy: Place) =>
    changes.some(({ namespace, name }) => policy.namespace === namespace && policy.name === name)
  const added = changes.flatMap(({ namespace, name, spec }) =>
    spec === null ? [] : [{ namespace, name, spec }],
  )
  return [...policies.filter((policy) => !isChanged(policy)), ...added]
}

type Changes = ParsedInput<'networks.reachability.whatIf'>['body']['changes']

/** All policies of a cluster as they would be. */
function proposedSet({ policies, adminPolicies, ciliumPolicies }: PolicySet, changes: Changes): PolicySet {
  const standard = changes.flatMap((each) => (each.kind === 'CiliumNetworkPolicy' ? [] : [each]))
  // The compiler checks what of Cilium's members it does not know.
  const cilium = changes.flatMap((each) => (each.kind === 'CiliumNetworkPolicy' ? [each] : []))
  return {
    policies: changedPolicies(policies, standard) as StandardPolicy[],
    adminPolicies: adminPolicies ?? [],
    ciliumPolicies: changedPolicies(ciliumPolicies, cilium),
  }
}
