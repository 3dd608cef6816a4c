import {
  auditEntriesEvent,
  type CallOutput,
  type ParsedInput,
  sampleNames,
  webhookBounds as bounds,
  webhookSampleOf,
} from '@bey/contract'
import { act } from '../../platform/act.ts'
import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { whyNotNow } from '../../platform/keys/key-rights.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { messageOf } from '../../platform/webhooks/enqueue.ts'
import { messageBody } from './body.ts'
import { presentAttempt, presentDelivery } from './present.ts'
import { lockedWebhook, missingWebhook } from './service.ts'
import {
  findDelivery,
  findWebhook,
  insertDelivery,
  listAttempts,
  listDeliveries,
  type ReplayFilter,
  replayDeliveries,
  type WebhookRow,
} from './store.ts'

export type WebhookLogService = ReturnType<typeof createWebhookLogService>

type Parts = {
  database: Pick<Database, 'withTenant' | 'readTenant'>
  wake: () => void
  baseUrl: () => string
}

/** What was sent to webhooks: reading it, sending a sample, and sending again. */
export function createWebhookLogService({ database, wake, baseUrl }: Parts) {
  return {
    deliveries(
      { organizationId }: TenantCaller,
      id: string,
      query: ParsedInput<'webhooks.deliveries'>['query'],
    ) {
      return database.readTenant(organizationId, async (db) => {
        if (!(await findWebhook(db, organizationId, id))) missingWebhook()
        const { rows, ...total } = await listDeliveries(db, organizationId, id, query)
        return { deliveries: rows.map(presentDelivery), ...total, page: query.page, limit: query.limit }
      })
    },

    delivery(
      { organizationId, role }: TenantCaller,
      id: string,
      deliveryId: string,
    ): Promise<CallOutput<'webhooks.delivery'>> {
      return database.readTenant(organizationId, async (db) => {
        const found = await findDelivery(db, organizationId, id, deliveryId)
        if (found === undefined) throw missingDelivery()
        const { payload, names, ...row } = found
        if (row.type === auditEntriesEvent && !row.isTest) {
          const reason = whyNotNow(role, 'audit.read')
          if (reason !== undefined) {
            throw new AppError('forbidden', `This message holds entries of the audit log. ${reason}`)
          }
        }
        const log = await listAttempts(db, organizationId, deliveryId)
        return {
          ...presentDelivery(row),
          payload: messageBody({ payload, names }, baseUrl()),
          log: log.map(presentAttempt),
        }
      })
    },

    async test(caller: TenantCaller, id: string, type: string): Promise<CallOutput<'webhooks.test'>> {
      const { organizationId } = caller
      const delivery = await database.withTenant(organizationId, async (db) => {
        const webhook = await lockedWebhook(db, organizationId, id)
        requireEnabled(webhook)
        const deliveryId = uuidv7()
        // No order key: a test waits for nothing, and nothing waits for it.
        const sample = webhookSampleOf(type)
        const { eventId, payload } = messageOf(organizationId, type, sample, { isTest: true })
        await insertDelivery(db, {
          id: deliveryId,
          organizationId,
          webhookId: id,
          eventId,
          type,
          payload,
          names: type === auditEntriesEvent ? null : sampleNames(sample),
          isTest: true,
        })
        const target = { type: 'webhook', id, name: webhook.name }
        await act(db, caller, { action: 'webhook.test', class: 'execute', target, diff: { type } })
        const made = await findDelivery(db, organizationId, id, deliveryId)
        if (made === undefined) throw new Error('The test was not enqueued')
        const { payload: _payload, names: _names, ...row } = made
        return keepReply(db, presentDelivery(row))
      })
      wake()
      return delivery
    },

    async replay(
      caller: TenantCaller,
      id: string,
      body: ParsedInput<'webhooks.replay'>['body'],
    ): Promise<CallOutput<'webhooks.replay'>> {
      const { organizationId } = caller
      const filter = filterOf(body)
      const reply = await database.withTenant(organizationId, async (db) => {
        const webhook = await lockedWebhook(db, organizationId, id)
        requireEnabled(webhook)
        if ('deliveryId' in filter && !(await findDelivery(db, organizationId, id, filter.deliveryId))) {
          throw missingDelivery()
        }
        const replayed = await replayDeliveries(db, organizationId, id, filter, bounds.maxReplayed)
        if ('deliveryId' in filter && replayed === 0) {
          throw new AppError('conflict', 'This delivery is on its way already. Wait for its attempt.')
        }
        await act(db, caller, {
          action: 'webhook.replay',
          class: 'execute',
          target: { type: 'webhook', id, name: webhook.name },
          diff: { ...body, replayed },
        })
        return keepReply(db, { replayed, hasMore: replayed === bounds.maxReplayed })
      })
      wake()
      return reply
    },
  }
}

function filterOf({
  deliveryId,
  from,
  to,
  statuses = ['exhausted', 'cancelled'],
}: ParsedInput<'webhooks.replay'>['body']): ReplayFilter {
  if (deliveryId !== undefined) return { deliveryId }
  // The schema asks for both where there is no delivery.
  return { from: new Date(from ?? 0), to: new Date(to ?? 0), statuses }
}

function requireEnabled({ name, status }: WebhookRow): void {
  if (status === 'enabled') return
  throw new AppError(
    'conflict',
    `The webhook "${name}" is ${status === 'paused' ? 'paused' : 'disabled'}, so nothing is sent. Enable it first.`,
  )
}

function missingDelivery(): AppError {
  return new AppError('not_found', 'There is no such delivery of this webhook.')
}
