import type { CallInput, CallOutput } from '@bey/contract'
import { apiPath, refetchBelow } from './api-query.ts'
import type { LiveReducers } from './live.ts'

export type WebhookListQuery = NonNullable<CallInput<'webhooks.list'>['query']>
export type DeliveryListQuery = NonNullable<CallInput<'webhooks.deliveries'>['query']>
export type NewWebhook = NonNullable<CallInput<'webhooks.create'>['body']>
/** A webhook with its signing secret, which is answered once. */
export type WebhookWithSecret = CallOutput<'webhooks.create'>

export const webhookReducers: Pick<LiveReducers, 'WEBHOOKS_UPDATE'> = {
  WEBHOOKS_UPDATE: (cache, { organizationId, data }) => {
    refetchBelow(cache, organizationId, apiPath('webhooks.get', { id: data.webhookId }))
    void cache.invalidateQueries({ queryKey: [apiPath('webhooks.list'), organizationId] })
  },
}
