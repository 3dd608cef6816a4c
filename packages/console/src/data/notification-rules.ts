import type { CallInput, NotificationRuleInput } from '@bey/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiPath, apiQuery, refetchBelow } from './api-query.ts'
import { useOrganizationId } from './session.ts'

export type NewNotificationRule = NonNullable<CallInput<'notificationRules.create'>['body']>
export type NewNotificationChannel = NonNullable<CallInput<'notificationChannels.create'>['body']>

export function useNotificationRules() {
  return useQuery(apiQuery(useOrganizationId(), 'notificationRules.list', {}))
}

export function useNotificationChannels() {
  return useQuery(apiQuery(useOrganizationId(), 'notificationChannels.list', {}))
}

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

export function useChangeNotificationRule() {
  const onSuccess = useRefetchSettings()
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: NotificationRuleInput }) =>
      api.call('notificationRules.update', { params: { id }, body }),
    onSuccess,
  })
}

export function useDeleteNotificationRule() {
  const onSuccess = useRefetchSettings()
  return useMutation({
    mutationFn: (id: string) => api.call('notificationRules.delete', { params: { id } }),
    onSuccess,
  })
}

export function useAddNotificationChannel() {
  const onSuccess = useRefetchSettings()
  return useMutation({
    mutationFn: (body: NewNotificationChannel) => api.call('notificationChannels.create', { body }),
    onSuccess,
    // The variables hold the address, which is a secret.
    gcTime: 0,
  })
}

export function useDeleteNotificationChannel() {
  const onSuccess = useRefetchSettings()
  return useMutation({
    mutationFn: (id: string) => api.call('notificationChannels.delete', { params: { id } }),
    onSuccess,
  })
}

/** How it ended is then shown with the channel. */
export function useTestNotificationChannel() {
  const onSuccess = useRefetchSettings()
  return useMutation({
    mutationFn: (id: string) => api.call('notificationChannels.test', { params: { id } }),
    onSuccess,
  })
}
