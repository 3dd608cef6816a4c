import type { CallInput } from '@bey/contract'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey, apiPath, apiQuery, refetchBelow } from './api-query.ts'
import { useOrganizationId } from './session.ts'

export type AuditQuery = NonNullable<CallInput<'audit.list'>['query']>
type ExportQuery = NonNullable<CallInput<'audit.export'>['query']>

export function useAuditLog(query: AuditQuery, isEnabled: boolean) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'audit.list', { query }),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  })
}

export function useAuditEntry(id: string) {
  return useQuery(apiQuery(useOrganizationId(), 'audit.get', { params: { id } }))
}

/** Actors and actions that occur. */
export function useAuditChoices(isEnabled: boolean) {
  return useQuery({ ...apiQuery(useOrganizationId(), 'audit.choices', {}), enabled: isEnabled })
}

/** The last verification, asked again every second while one runs. */
export function useAuditVerification(isEnabled: boolean) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'audit.verification', {}),
    enabled: isEnabled,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? 1_000 : false),
  })
}

export function useVerifyAudit() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return useMutation({
    mutationFn: () => api.call('audit.verify', {}),
    onSuccess: (state) => cache.setQueryData(apiKey(organizationId, 'audit.verification'), state),
  })
}

/** The text of the file; what was exported is an entry of the log. */
export function useExportAudit() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return useMutation({
    mutationFn: (query: ExportQuery) => api.call('audit.export', { query }),
    onSuccess: () => refetchBelow(cache, organizationId, apiPath('audit.list')),
    gcTime: 0,
  })
}

/** All signed checkpoints with their public keys, newest first. */
export function useExportCheckpoints() {
  return useMutation({
    mutationFn: async () => {
      const first = await api.call('audit.checkpoints', { query: {} })
      const checkpoints = [...first.checkpoints]
      for (let before = first.nextCursor; before !== null;) {
        const page = await api.call('audit.checkpoints', { query: { before } })
        checkpoints.push(...page.checkpoints)
        before = page.nextCursor
      }
      return { publicKeys: first.publicKeys, checkpoints }
    },
    gcTime: 0,
  })
}
