import { type GivenAttachment } from '@bey/contract'
import {
  type AddressClaim,
  type NamedSet,
  type NetworkProblem,
  networkProblems,
  type PolicyKind,
  sameAttachment,
} from '@bey/contract/networks/rules'

import { AppError } from '../../platform/errors.ts'
import type { Subnet } from '../../tables/networks.ts'
import { attachedElsewhere, findDatabases } from './attachment-rows.ts'
import { readClaims } from './claims.ts'
import type { NetworkParts } from './parts.ts'
import type { UnreadCluster } from './places.ts'

/** What a network is to be. */
export type NetworkDraft = {
  cidr: string
  cidr6: string | null
  isIsolated: boolean
  policyKind: PolicyKind
  subnets: Subnet[]
  sets: NamedSet[]
  attachments: GivenAttachment[]
}

/** Everything that is wrong with a draft, and clusters whose ranges may be others by now. */
export async function checkDraft(
  parts: Pick<NetworkParts, 'database' | 'clusters' | 'cache' | 'clock'>,
  organizationId: number,
  draft: NetworkDraft,
  networkId?: string,
): Promise<{ problems: NetworkProblem[]; unread: UnreadCluster[]; claims: AddressClaim[] }> {
  const { claims, unread } = await readClaims(parts, organizationId)
  const others = claims.filter((claim) => networkId === undefined || claim.networkId !== networkId)
  const clusterIds = draft.attachments.flatMap((each) => (each.kind === 'database' ? [] : each.clusterId))
  const problems = [
    ...networkProblems({ ...draft, clusterIds }, others),
    ...(await attachmentProblems(parts, organizationId, draft.attachments, networkId)),
  ]
  return { problems, unread, claims: others }
}

async function attachmentProblems(
  { database, clusters }: Pick<NetworkParts, 'database' | 'clusters'>,
  organizationId: number,
  given: readonly GivenAttachment[],
  networkId: string | undefined,
): Promise<NetworkProblem[]> {
  if (given.length === 0) return []
  const problem = (at: number, message: string): NetworkProblem => ({ path: `attachments.${at}`, message })
  const { elsewhere, databases } = await database.readTenant(organizationId, async (db) => ({
    elsewhere: await attachedElsewhere(db, organizationId, networkId, given),
    databases: await findDatabases(
      db,
      organizationId,
      given.flatMap((each) => (each.kind === 'database' ? each.databaseId : [])),
    ),
  }))
  const problems = elsewhere.map(({ at, network }) =>
    problem(at, `It takes part in the network ${network} already. Detach it there first.`),
  )
  for (const [at, each] of given.entries()) {
    if (given.findIndex((other) => sameAttachment(other, each)) !== at) {
      problems.push(problem(at, 'It is attached twice.'))
      continue
    }
    if (each.kind === 'database') {
      if (!databases.some(({ id }) => id === each.databaseId)) {
        problems.push(problem(at, 'There is no such database in this organization.'))
      }
      continue
    }
    if ((await clusters.find(organizationId, each.clusterId)) === undefined) {
      problems.push(problem(at, `There is no cluster ${each.clusterId} in this organization.`))
      continue
    }
    const whole = given.some((other) => other.kind === 'cluster' && other.clusterId === each.clusterId)
    if (each.kind === 'namespace' && whole) {
      problems.push(problem(at, 'Its cluster is attached with all its namespaces.'))
    }
  }
  return problems
}

/** Throws AppError `invalid_request` with all problems where there is one. */
export function requireNone(problems: readonly NetworkProblem[]): void {
  const [first] = problems
  if (first === undefined) return
  throw new AppError('invalid_request', first.message, { errors: [...problems] })
}
