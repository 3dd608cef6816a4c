import type { CallInput, SecretSyncAct } from '@bey/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiPath, refetchBelow } from './api-query.ts'
import { useOrganizationId } from './session.ts'

export type NewSecretSync = NonNullable<CallInput<'secretSyncs.create'>['body']>
export type SecretSyncChange = NonNullable<CallInput<'secretSyncs.update'>['body']>

export type SyncCommand =
  | { syncId: string; change: SecretSyncChange }
  | { syncId: string; how: SecretSyncAct }
  | { syncId: string; removal: 'leave' | 'delete' }

export function useSyncCommand(id: string) {
  const refetch = useRefetch(id)
  return useMutation({
    mutationFn: async (command: SyncCommand): Promise<void> => {
      const params = { id, syncId: command.syncId }
      if ('change' in command) await api.call('secretSyncs.update', { params, body: command.change })
      else if ('how' in command) {
        await api.call('secretSyncs.resolve', { params, body: { how: command.how } })
      } else await api.call('secretSyncs.remove', { params, query: { secret: command.removal } })
    },
    onSettled: refetch,
  })
}

function useRefetch(id: string) {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return () => refetchBelow(cache, organizationId, apiPath('secrets.get', { id }))
}
