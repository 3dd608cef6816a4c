import type { CallInput, SecretDetail } from '@bey/contract'
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey, apiPath, apiQuery, refetchBelow } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { useOrganizationId } from './session.ts'

export type SecretListQuery = NonNullable<CallInput<'secrets.list'>['query']>
export type NewSecret = NonNullable<CallInput<'secrets.create'>['body']>
export type SecretChange = NonNullable<CallInput<'secrets.update'>['body']>
export type SecretRotationNow = NonNullable<CallInput<'secrets.rotate'>['body']>
export type GivenGrants = NonNullable<CallInput<'secrets.setGrants'>['body']>
export type SecretToInspect = NonNullable<CallInput<'secrets.inspect'>['body']>

const secretsPath = apiPath('secrets.list')

export function useSecrets(query: SecretListQuery) {
  const organizationId = useOrganizationId()
  return useQuery({
    ...apiQuery(organizationId, 'secrets.list', { query }),
    placeholderData: keepPreviousData,
  })
}

export function useSecret(id: string) {
  return useQuery(apiQuery(useOrganizationId(), 'secrets.get', { params: { id } }))
}

export function useSecretVersions(id: string) {
  return useQuery(apiQuery(useOrganizationId(), 'secrets.versions', { params: { id } }))
}

export function useSecretGrants(id: string) {
  return useQuery(apiQuery(useOrganizationId(), 'secrets.grants', { params: { id } }))
}

export function useSecretUsage(id: string) {
  return useQuery(apiQuery(useOrganizationId(), 'secrets.usage', { params: { id } }))
}

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

/** What a value would say of itself; asked before it is stored, and kept nowhere. */
export function useInspectSecret() {
  return useMutation({
    mutationFn: (body: SecretToInspect) => api.call('secrets.inspect', { body }),
    gcTime: 0,
  })
}

export function useCreateSecret() {
  const keep = useKeepDetail()
  return useMutation({
    mutationFn: (body: NewSecret) => api.call('secrets.create', { body }),
    onSuccess: keep,
    // The variables hold the value: they are forgotten with the form.
    gcTime: 0,
  })
}

export function useUpdateSecret(id: string) {
  const keep = useKeepDetail()
  return useMutation({
    mutationFn: (body: SecretChange) => api.call('secrets.update', { params: { id }, body }),
    onSuccess: keep,
    gcTime: 0,
  })
}

export function useDeleteSecret() {
  const refetch = useRefetchSecrets()
  return useMutation({
    mutationFn: (id: string) => api.call('secrets.delete', { params: { id } }),
    onSuccess: refetch,
  })
}

export function useRestoreSecret() {
  const keep = useKeepDetail()
  return useMutation({
    mutationFn: (id: string) => api.call('secrets.restore', { params: { id } }),
    onSuccess: keep,
  })
}

/** The value, which is kept in no cache: anyone who asked holds it for as long as it is shown. */
export async function revealSecret(id: string, reason: string, version?: number) {
  const body = version === undefined ? { reason } : { reason, version }
  return api.call('secrets.reveal', { params: { id }, body })
}

export function useRotateSecret(id: string) {
  const keep = useKeepDetail()
  return useMutation({
    mutationFn: (body: SecretRotationNow) => api.call('secrets.rotate', { params: { id }, body }),
    onSuccess: keep,
    gcTime: 0,
  })
}

export function useRotateAndRestart(id: string) {
  const keep = useKeepDetail()
  return useMutation({
    mutationFn: (body: SecretRotationNow) => api.call('secrets.rotateAndRestart', { params: { id }, body }),
    onSuccess: ({ secret }) => keep(secret),
    gcTime: 0,
  })
}

export function useRollback(id: string) {
  const keep = useKeepDetail()
  return useMutation({
    mutationFn: ({ version, reason }: { version: number; reason: string }) =>
      api.call('secrets.rollback', { params: { id, version }, body: { reason } }),
    onSuccess: keep,
  })
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

export function useSetGrants(id: string) {
  const refetch = useRefetchSecrets()
  return useMutation({
    mutationFn: (body: GivenGrants) => api.call('secrets.setGrants', { params: { id }, body }),
    onSuccess: refetch,
  })
}

function useRefetchSecrets() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return () => refetchBelow(cache, organizationId, secretsPath)
}

function useKeepDetail() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return (detail: SecretDetail) => {
    cache.setQueryData(apiKey(organizationId, 'secrets.get', { params: { id: detail.id } }), detail)
    refetchBelow(cache, organizationId, secretsPath)
  }
}

export const secretReducers: Pick<LiveReducers, 'SECRETS_UPDATE'> = {
  SECRETS_UPDATE: (cache, { organizationId, data }) => {
    refetchBelow(cache, organizationId, apiPath('secrets.get', { id: data.secretId }))
    refetchBelow(cache, organizationId, apiPath('secretShares.list'))
    void cache.invalidateQueries({ queryKey: [secretsPath, organizationId] })
  },
}
