import type { CallInput } from '@bey/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiPath, refetchBelow } from './api-query.ts'
import { useOrganizationId } from './session.ts'

export type NewNotificationRule = NonNullable<CallInput<'notificationRules.create'>['body']>

function useRefetchSettings() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return () => {
    refetchBelow(cache, organizationId, apiPath('notificationRules.list'))
    refetchBelow(cache, organizationId, apiPath('notificationChannels.list'))
  }
}

/** Makes a rule, or changes the one of the id. */
export function useSaveNotificationRule(id: string | undefined) {
  const onSuccess = useRefetchSettings()
  return useMutation({
    mutationFn: ({ owner, ...input }: NewNotificationRule) =>
      id === undefined
        ? api.call('notificationRules.create', { body: { owner, ...input } })
        : api.call('notificationRules.update', { params: { id }, body: input }),
    onSuccess,
  })
}
