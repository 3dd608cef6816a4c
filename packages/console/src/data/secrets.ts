import type { CallInput } from '@bey/contract'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey, apiPath, refetchBelow } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { useOrganizationId } from './session.ts'

export type SecretListQuery = NonNullable<CallInput<'secrets.list'>['query']>
export type NewSecret = NonNullable<CallInput<'secrets.create'>['body']>
export type SecretChange = NonNullable<CallInput<'secrets.update'>['body']>

const secretsPath = apiPath('secrets.list')

export function useSecretActivity(id: string, isEnabled: boolean) {
  const organizationId = useOrganizationId()
  return useInfiniteQuery({
    queryKey: apiKey(organizationId, 'secrets.activity', { params: { id } }),
    queryFn: ({ pageParam, signal }) =>
      api.call(
        'secrets.activity',
        { params: { id }, query: pageParam === null ? {} : { cursor: pageParam } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: isEnabled,
  })
}

/** The value, which is kept in no cache: anyone who asked holds it for as long as it is shown. */
export async function revealSecret(id: string, reason: string, version?: number) {
  const body = version === undefined ? { reason } : { reason, version }
  return api.call('secrets.reveal', { params: { id }, body })
}

export type VersionAct =
  | { version: number; act: 'delete' }
  | { version: number; act: 'undelete' }
  | { version: number; act: 'destroy'; reason: string }

export function useVersionAct(id: string) {
  const refetch = useRefetchSecrets()
  return useMutation({
    mutationFn: async (asked: VersionAct): Promise<void> => {
      const params = { id, version: asked.version }
      if (asked.act === 'delete') await api.call('secrets.deleteVersion', { params })
      else if (asked.act === 'undelete') await api.call('secrets.undeleteVersion', { params })
      else await api.call('secrets.destroyVersion', { params, body: { reason: asked.reason } })
    },
    onSuccess: refetch,
  })
}

function useRefetchSecrets() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return () => refetchBelow(cache, organizationId, secretsPath)
}

export const secretReducers: Pick<LiveReducers, 'SECRETS_UPDATE'> = {
  SECRETS_UPDATE: (cache, { organizationId, data }) => {
    refetchBelow(cache, organizationId, apiPath('secrets.get', { id: data.secretId }))
    refetchBelow(cache, organizationId, apiPath('secretShares.list'))
    void cache.invalidateQueries({ queryKey: [secretsPath, organizationId] })
  },
}
