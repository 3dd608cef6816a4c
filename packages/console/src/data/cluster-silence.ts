import type { Cluster } from '@bey/contract'
import { useQueries } from '@tanstack/react-query'
import { apiQuery } from './api-query.ts'
import { useOrganizationId } from './session.ts'

/** A cluster does not answer: since when, RFC 3339, and why, in words. */
export interface ClusterSilence {
  since: string | null
  reason: string
}

/** Undefined while a cluster answers, and where it does not run and need not. */
export function silenceOf({
  status,
  reachability,
}: Pick<Cluster, 'status' | 'reachability'>): ClusterSilence | undefined {
  if (status !== 'RUNNING' || reachability.state !== 'unreachable') return undefined
  return {
    since: reachability.since,
    reason: reachability.reason ?? 'Its Kubernetes API cannot be reached.',
  }
}

/** The clusters among these that do not answer, by id. */
export function useSilentClusters(ids: readonly number[]): ReadonlyMap<number, Cluster> {
  const organizationId = useOrganizationId()
  return useQueries({
    queries: [...new Set(ids)].map((id) => apiQuery(organizationId, 'clusters.get', { params: { id } })),
    combine: silentClusters,
  })
}

function silentClusters(found: readonly { data: Cluster | undefined }[]): ReadonlyMap<number, Cluster> {
  const silent = found.flatMap(({ data }) => (data && silenceOf(data) ? [[data.id, data] as const] : []))
  return new Map(silent)
}
