import type { Webhook, WebhookDelivery } from '@bey/contract'

export const webhookHref = (id: string) => `/workspaces/settings/webhooks/${id}`

/** What became of the last message, in a few words. */
export function lastDeliveryText({ lastDelivery }: Pick<Webhook, 'lastDelivery'>): string {
  if (lastDelivery === null) return 'nothing sent yet'
  return lastDelivery.statusCode === null ? 'no answer' : String(lastDelivery.statusCode)
}

/** What a delivery was answered last: its status, or why there is none. */
export function answerText({ lastStatusCode, lastError, attempts }: WebhookDelivery): string {
  if (attempts === 0) return '—'
  return lastStatusCode === null ? (lastError ?? 'no answer') : String(lastStatusCode)
}

/** JSON as people read it; what is none stays as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
