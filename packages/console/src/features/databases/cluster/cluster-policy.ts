import { clusterTargetProblem } from '@bey/contract'
import { asPart, policyBody, type PolicyDraft, policyProblems } from '../backups/policy-draft.ts'

export interface ClusterTarget {
  id: string
  name: string
  endpoint: string | null
}

/**
 * The target of a new database on a cluster; null: it gets no backups. Until one was chosen (undefined) it is the first that
 * the cluster can reach, unless the caller may not give its key away.
 */
export function chosenTarget(
  chosen: string | null | undefined,
  targets: readonly ClusterTarget[],
  denied: string | undefined,
): string | null {
  if (denied !== undefined) return null
  if (chosen !== undefined) return chosen
  return targets.find((target) => clusterTargetProblem(target) === undefined)?.id ?? null
}

/** The policy as it is sent for a database on a cluster; undefined: it gets no backups. */
export const clusterPolicyBody = (policy: PolicyDraft, targetId: string | null) =>
  targetId === null ? undefined : { ...policyBody(policy), targetId, pitr: true }

/** What is wrong with it, by the path at which the server finds it. */
export function clusterPolicyProblems(
  policy: PolicyDraft,
  targetId: string | null,
  targets: readonly ClusterTarget[],
): Record<string, string> {
  if (targetId === null) return {}
  const target = targets.find(({ id }) => id === targetId)
  const problem = target && clusterTargetProblem(target)
  return asPart({ ...policyProblems(policy), ...(problem !== undefined && { targetId: problem }) })
}
