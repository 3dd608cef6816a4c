import { type GivenAttachment } from '@bey/contract'
import { type NamedSet, networkProblems, type PolicyKind } from '@bey/contract/networks/rules'
import type { NetworkDraft } from '../../data/networks.ts'
import type { Claim } from './space-ticks.ts'

/** What a form of a network holds; texts as they are typed. */
export interface Draft {
  cidr: string
  cidr6: string
  isIsolated: boolean
  policyKind: PolicyKind
  subnets: { name: string; cidr: string; description: string }[]
  sets: NamedSet[]
  attachments: GivenAttachment[]
}

/** What is wrong with a draft by itself and beside the claims of others, by field. */
export function draftProblems(draft: Draft, claims: readonly Claim[]): Record<string, string> {
  const clusterIds = draft.attachments.flatMap((each) => (each.kind === 'database' ? [] : each.clusterId))
  const cidr6 = draft.cidr6.trim() === '' ? null : draft.cidr6
  const problems = networkProblems({ ...draft, cidr6, clusterIds }, claims)
  // The first of a field is the one to mend first.
  return Object.fromEntries(problems.toReversed().map(({ path, message }) => [path, message]))
}

export function bodyOf(draft: Draft): NetworkDraft {
  const cidr6 = draft.cidr6.trim()
  return {
    cidr: draft.cidr.trim(),
    cidr6: cidr6 === '' ? null : cidr6,
    isIsolated: draft.isIsolated,
    policyKind: draft.policyKind,
    subnets: draft.subnets.map((each) => ({ ...each, cidr: each.cidr.trim(), name: each.name.trim() })),
    sets: draft.sets.map(({ name, cidrs }) => ({ name: name.trim(), cidrs })),
    attachments: draft.attachments,
  }
}
