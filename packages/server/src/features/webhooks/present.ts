import { type Role, roleHas, type Webhook, type WebhookAttempt, type WebhookDelivery } from '@bey/contract'
import { presentPerson } from '../../platform/present-actor.ts'
import type { webhookAttempts } from '../../tables/webhook-deliveries.ts'
import type { DeliveryRow, WebhookRow } from './store.ts'

/** A webhook as a role sees it. */
export function presentWebhook(row: WebhookRow, role: Role): Webhook {
  const { origin, host } = new URL(row.url)
  return {
    id: row.id,
    name: row.name,
    url: roleHas(role, 'webhooks.manage') ? row.url : `${origin}/…`,
    host,
    events: row.events,
    filters: { statuses: row.statuses, workflowIds: row.workflowIds, clusterIds: row.clusterIds },
    headers: row.headerNames,
    isOrdered: row.isOrdered,
    status: row.status === 'enabled' && row.failingSince ? 'failing' : row.status,
    failingSince: row.failingSince?.toISOString() ?? null,
    disabledReason: row.disabledReason,
    previousSecretUntil:
      row.previousSecretUntil === null ? null : new Date(row.previousSecretUntil).toISOString(),
    createdBy: presentPerson(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt: row.createdAt.toISOString(),
    lastDelivery: row.lastAttemptAt && {
      at: row.lastAttemptAt.toISOString(),
      isSuccess: row.lastSucceeded ?? false,
      statusCode: row.lastStatusCode,
      error: row.lastSucceeded ? null : row.lastError,
    },
    audit: row.audit,
    waiting: row.waiting,
  }
}

export function presentDelivery({ nextAt, ...row }: DeliveryRow): WebhookDelivery {
  const isWaiting = row.status === 'pending' || row.status === 'retrying'
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    nextAttemptAt: isWaiting ? nextAt.toISOString() : null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }
}

export function presentAttempt(row: typeof webhookAttempts.$inferSelect): WebhookAttempt {
  const { number, durationMs, statusCode, error, requestHeaders, responseHeaders, responseHead } = row
  return {
    number,
    at: row.at.toISOString(),
    durationMs,
    statusCode,
    error,
    requestHeaders,
    responseHeaders,
    responseHead,
  }
}
