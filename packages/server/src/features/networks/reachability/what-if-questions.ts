import { compilePolicies } from '@bey/contract/reachability/compile'
import type { StandardPolicy } from '@bey/contract/reachability/policy'
import { whatIf } from '@bey/contract/reachability/what-if'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { passedOf } from '../observed/flow-log.ts'
import { presentFlow, presentPolicy } from './present.ts'
import { type PolicyReader, type ReachabilityNeeds } from './read-policies.ts'
import { reachabilityLimits } from '@bey/contract/network-reachability'

const limits = reachabilityLimits

/** What a change of policies ends and begins. */
export function whatIfQuestions(
  needs: ReachabilityNeeds,
  read: PolicyReader,
): Handlers<`networks.reachability.${'whatIf'}`> {
  return {
    async 'networks.reachability.whatIf'({ caller, params, body }) {
      const { compiled, basis } = await read(caller.organizationId, params.id)
      const policies = changedPolicies(compiled.snapshot.policies, body.changes)
      const observed = passedOf(
        await needs.observed.read(caller.organizationId, params.id, compiled.snapshot),
      )
      const { ends, begins, sentence } = whatIf(compiled, { policies }, observed)
      const changed = new Set(body.changes.map(({ namespace, name }) => `${namespace}/${name}`))
      const problems = compilePolicies({ ...compiled.snapshot, policies }).problems.filter(({ policy }) =>
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

type Proposed = { namespace: string; name: string; spec: StandardPolicy['spec'] | null }

/** The policies of a cluster with some of them replaced, added, or left out where their `spec` is null. */
function changedPolicies(
  policies: readonly StandardPolicy[],
  changes: readonly Proposed[],
): StandardPolicy[] {
  const isChanged = (policy: StandardPolicy) =>
    changes.some(({ namespace, name }) => policy.namespace === namespace && policy.name === name)
  const added = changes.flatMap(({ namespace, name, spec }) =>
    spec === null ? [] : [{ namespace, name, spec }],
  )
  return [...policies.filter((policy) => !isChanged(policy)), ...added]
}
