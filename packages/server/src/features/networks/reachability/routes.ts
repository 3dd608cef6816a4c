import { reachabilityLimits } from '@bey/contract/networks/reachability'
import { mayNow } from '../../../platform/keys/key-rights.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { endsOfCluster, listDatabaseEnds, listIngressEnds } from './list-ends.ts'
import { createPolicyReader, type ReachabilityNeeds } from './read-policies.ts'
import { flowQuestions } from './flow-questions.ts'
import { policyQuestions } from './policy-questions.ts'
import { whatIfQuestions } from './what-if-questions.ts'

const limits = reachabilityLimits
type Name = 'ends' | 'check' | 'matrix' | 'reachable' | 'rules' | 'findings' | 'whatIf'

/** Answers questions about who reaches whom in one cluster, from what is watched of it. */
export function reachabilityRoutes(needs: ReachabilityNeeds): Handlers<`networks.reachability.${Name}`> {
  const read = createPolicyReader(needs)
  return {
    ...flowQuestions(needs, read),
    ...policyQuestions(needs, read),
    ...whatIfQuestions(needs, read),

    async 'networks.reachability.ends'({ caller: { organizationId, role }, params }) {
      const { compiled, basis } = await read(organizationId, params.id)
      const ends = [
        ...endsOfCluster(compiled),
        ...(await listIngressEnds(needs, organizationId, params.id)),
        ...(mayNow(role, 'databases.read') ? await listDatabaseEnds(needs, organizationId, limits.ends) : []),
      ]
      return { ends: ends.slice(0, limits.ends), total: ends.length, ...basis }
    },
  }
}
