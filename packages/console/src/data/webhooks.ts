import type { CallInput, CallOutput, Webhook } from '@bey/contract'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey, apiPath, apiQuery, refetchBelow } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { useOrganizationId } from './session.ts'

export type WebhookListQuery = NonNullable<CallInput<'webhooks.list'>['query']>
export type DeliveryListQuery = NonNullable<CallInput<'webhooks.deliveries'>['query']>
export type NewWebhook = NonNullable<CallInput<'webhooks.create'>['body']>
export type WebhookChange = NonNullable<CallInput<'webhooks.update'>['body']>
export type Replay = NonNullable<CallInput<'webhooks.replay'>['body']>
/** A webhook with its signing secret, which is answered once. */
export type WebhookWithSecret = CallOutput<'webhooks.create'>

const webhooksPath = apiPath('webhooks.list')

export function useWebhooks(query: WebhookListQuery, isEnabled: boolean) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'webhooks.list', { query }),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  })
}

export function useWebhook(id: string) {
  return useQuery(apiQuery(useOrganizationId(), 'webhooks.get', { params: { id } }))
}

export function useDeliveries(id: string, query: DeliveryListQuery) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'webhooks.deliveries', { params: { id }, query }),
    placeholderData: keepPreviousData,
  })
}

export function useDelivery(id: string, deliveryId: string) {
  return useQuery(apiQuery(useOrganizationId(), 'webhooks.delivery', { params: { id, deliveryId } }))
}

export function useCreateWebhook() {
  const refetch = useRefetchWebhooks()
  return useMutation({
    mutationFn: (body: NewWebhook) => api.call('webhooks.create', { body }),
    onSuccess: refetch,
    // The result holds the secret.
    gcTime: 0,
  })
}

export function useUpdateWebhook(id: string) {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return useMutation({
    mutationFn: (body: WebhookChange) => api.call('webhooks.update', { params: { id }, body }),
    onSuccess: (webhook: Webhook) => {
      cache.setQueryData(apiKey(organizationId, 'webhooks.get', { params: { id } }), webhook)
      refetchBelow(cache, organizationId, webhooksPath)
    },
  })
}

export function useRotateWebhookSecret(id: string) {
  const refetch = useRefetchWebhooks()
  return useMutation({
    mutationFn: (overlapHours: number) =>
      api.call('webhooks.rotateSecret', { params: { id }, body: { overlapHours } }),
    onSuccess: refetch,
    gcTime: 0,
  })
}

export function useDeleteWebhook() {
  const refetch = useRefetchWebhooks()
  return useMutation({
    mutationFn: (id: string) => api.call('webhooks.delete', { params: { id } }),
    onSuccess: refetch,
  })
}

export function useTestWebhook(id: string) {
  const refetch = useRefetchWebhooks()
  return useMutation({
    mutationFn: (type: string) => api.call('webhooks.test', { params: { id }, body: { type } }),
    onSuccess: refetch,
  })
}

export function useReplay(id: string) {
  const refetch = useRefetchWebhooks()
  return useMutation({
    mutationFn: (body: Replay) => api.call('webhooks.replay', { params: { id }, body }),
    onSuccess: refetch,
  })
}

function useRefetchWebhooks() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return () => refetchBelow(cache, organizationId, webhooksPath)
}

export const webhookReducers: Pick<LiveReducers, 'WEBHOOKS_UPDATE'> = {
  WEBHOOKS_UPDATE: (cache, { organizationId, data }) => {
    refetchBelow(cache, organizationId, apiPath('webhooks.get', { id: data.webhookId }))
    void cache.invalidateQueries({ queryKey: [webhooksPath, organizationId] })
  },
}
