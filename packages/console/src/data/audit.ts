import type { CallInput } from '@bey/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiPath, refetchBelow } from './api-query.ts'
import { useOrganizationId } from './session.ts'

export type AuditQuery = NonNullable<CallInput<'audit.list'>['query']>
type ExportQuery = NonNullable<CallInput<'audit.export'>['query']>

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
