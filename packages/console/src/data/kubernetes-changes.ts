import type { CallOutput } from '@bey/contract'
import { noNamespace } from '@bey/contract'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { apiQuery } from './api-query.ts'
import { useOrganizationId } from './session.ts'

/** Kept versions of one object. Read again when `version` changes, while those that are known stay. */
export function useObjectHistory(
  id: number,
  { resource, namespace, name }: { resource: string; namespace: string; name: string },
  version: string,
) {
  const params = { id, resource, namespace: namespace || noNamespace, name }
  const { queryKey, queryFn } = apiQuery(useOrganizationId(), 'kubernetes.history', { params })
  return useQuery({ queryKey: [...queryKey, version], queryFn, placeholderData: keepPreviousData })
}

/** One kept version, and what the object was before; nothing is asked without an id. */
export function useObjectVersion(id: number, versionId: string | undefined) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'kubernetes.version', { params: { id, versionId: versionId ?? '' } }),
    enabled: versionId !== undefined,
    // A version never changes.
    staleTime: Infinity,
  })
}

export interface ChangeWindow {
  from: string
  to: string
}

/** What changed in a cluster within a time; with its warnings each by itself, unless they are left out. */
export function useClusterChanges(
  id: number,
  window: ChangeWindow,
  {
    namespace,
    warnings = 'each',
    isEnabled = true,
  }: { namespace?: string | undefined; warnings?: 'each' | 'none'; isEnabled?: boolean } = {},
) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'kubernetes.changes', {
      params: { id },
      query: { ...window, warnings, ...(namespace && { namespace }) },
    }),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  })
}

/** What changed in several clusters within a time, without warnings, in their order; nothing of one that cannot be read. */
export function useChangesOfClusters(ids: readonly number[], window: ChangeWindow) {
  const organizationId = useOrganizationId()
  return useQueries({
    queries: ids.map((id) =>
      apiQuery(organizationId, 'kubernetes.changes', {
        params: { id },
        query: { ...window, warnings: 'none' },
      }),
    ),
    combine: combinedChanges,
  })
}

const combinedChanges = (results: readonly { data?: CallOutput<'kubernetes.changes'> | undefined }[]) =>
  results.map(({ data }) => data?.changes ?? [])
