import type { WebhookRule } from '../base/entity.ts'
import { entityOf, entityTypes } from '../base/entity-table.ts'
import { eventTable } from '../base/events.ts'
import type { LiveEventType } from '../base/events.ts'
import { messageStatus, sampleNames, thingsOf } from './message.ts'

/** Bounds of webhooks. */
export const webhookBounds = {
  perOrganization: 50,
  maxUrlLength: 2_000,
  /** Statuses, workflows and clusters of a filter, each. */
  maxFiltered: 50,
  maxHeaders: 10,
  maxHeaderValue: 1_000,
  maxOverlapHours: 24,
  timeoutMs: 15_000,
  /** What is read of an answer. */
  maxResponseBytes: 64 * 1024,
  /** What is kept of it. */
  keptResponseChars: 4_096,
  /** A webhook that only failed for so long is disabled. */
  disabledAfterDays: 5,
  /** Deliveries are kept for so long after their end. */
  keptDays: 30,
  /** Deliveries that one request replays. */
  maxReplayed: 1_000,
} as const

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** How long after the attempt before it each attempt is made, jitter aside. After the last one a delivery is given up. */
export const webhookScheduleMs: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** Each wait is up to this share longer or shorter, so that what failed together does not come back together. */
const jitter = 0.1

/** Milliseconds until the next attempt after `attempts` of them; undefined when there is none left. `random` is from 0 to 1. */
export function nextAttemptMs(attempts: number, random: number): number | undefined {
  const waitMs = webhookScheduleMs[attempts]
  return waitMs === undefined ? undefined : Math.round(waitMs * (1 - jitter + 2 * jitter * random))
}

export const deliveryStatuses = [
  'pending',
  'sending',
  'retrying',
  'delivered',
  'exhausted',
  'cancelled',
] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Legal moves of a delivery. A replay is the move back to pending, under the same id of the event. */
export const deliveryMoves: Readonly<Record<DeliveryStatus, readonly DeliveryStatus[]>> = {
  pending: ['sending', 'cancelled'],
  sending: ['delivered', 'retrying', 'exhausted', 'cancelled'],
  retrying: ['sending', 'cancelled', 'pending'],
  delivered: ['pending'],
  exhausted: ['pending'],
  cancelled: ['pending'],
}

/** `event`: the live event that causes it; null for what features send by themselves, and for entries of the audit log. */
export type WebhookEvent = WebhookRule & { event: LiveEventType | null }

/** The event by which a webhook streams the audit log. */
export const auditEntriesEvent = 'audit.entries'

/** Every event that webhooks can send: those of the descriptors of entities, and the audit log. */
export const webhookEvents: readonly WebhookEvent[] = [
  ...Object.entries(eventTable).flatMap(([event, { webhook, webhooksOfStatus = [] }]) =>
    [...(webhook ? [webhook] : []), ...webhooksOfStatus].map((rule) => ({
      event: event as LiveEventType,
      ...rule,
    })),
  ),
  ...entityTypes.flatMap((type) => (entityOf(type).messages ?? []).map((rule) => ({ event: null, ...rule }))),
  {
    event: null,
    name: auditEntriesEvent,
    about:
      'Entries of the audit log, all of them and in their order, up to 200 in a message. The next message waits until the one before it was taken.',
    sample: {
      after: 41,
      through: 42,
      entries: [
        {
          number: 42,
          id: '019a7f04-6c1f-7d2a-9d55-0d8a3c1e7b42',
          at: '2026-11-22T10:00:00.000Z',
          actor: { type: 'user', id: '7', name: 'Ada Lovelace', email: 'ada@example.com' },
          via: 'console',
          action: 'secret.reveal',
          class: 'read',
          target: { type: 'secret', id: '019a7f04-0000-7d2a-9d55-0d8a3c1e7b42', name: 'orders-db' },
          outcome: 'success',
          ip: '203.0.113.7',
          userAgent: 'Mozilla/5.0',
          requestId: 'req-42',
          runId: null,
          intentId: null,
          diff: { version: 3 },
          grounds: { role: 'ADMIN', permission: 'secrets.reveal' },
          proof: {
            sequence: 97,
            text: '["", 1, 97, "019a7f04-6c1f-7d2a-9d55-0d8a3c1e7b42", …]',
            entryHash: '5f0c…',
            previousHash: '9b1d…',
            hash: 'c27e…',
          },
        },
      ],
    },
  },
]

export const webhookEventNames: readonly string[] = webhookEvents.map(({ name }) => name)

/** Every status that messages can carry, for filters. */
export const webhookStatuses: readonly string[] = statusesOfEvents(webhookEventNames)

/** The statuses that messages of these events can carry, in the order of the catalogue. */
export function statusesOfEvents(names: readonly string[]): string[] {
  const chosen = webhookEvents.filter(({ name }) => names.includes(name))
  return [...new Set(chosen.flatMap(({ statuses = [] }) => statuses))]
}

/** What the names of an organization's own events begin with; steps of workflows emit them. */
export const customEventPrefix = 'custom.'
const customEvent = /^custom(\.[a-z][a-z0-9_]{0,39}){1,4}$/

/** An organization's own event, such as `custom.deployment.finished`. */
export function isCustomEvent(name: string): boolean {
  return customEvent.test(name)
}

/** Whether a webhook can ask for it: an event of the product or one of the organization's own. */
export function isWebhookEvent(name: string): boolean {
  return isCustomEvent(name) || webhookEventNames.includes(name)
}

/** An example of the `data` of a message; empty for an organization's own events, whose data its workflows make. */
export function webhookSampleOf(name: string): object {
  return webhookEvents.find((each) => each.name === name)?.sample ?? {}
}

/** An example of a whole message, with pages below `baseUrl`. */
export function sampleMessageOf(name: string, baseUrl: string): object {
  const data = webhookSampleOf(name)
  const things = thingsOf(data, sampleNames(data), baseUrl)
  return {
    type: name,
    timestamp: '2026-11-22T10:00:00.000Z',
    organizationId: 1,
    data,
    ...(name !== auditEntriesEvent && { things }),
  }
}

/** The messages that webhooks send of a live event with such data. */
export function webhookEventsOf(type: LiveEventType, data: object): string[] {
  const { webhook, webhooksOfStatus = [] } = eventTable[type]
  const status = messageStatus(data)
  const ofStatus = webhooksOfStatus.filter(({ statuses }) => status !== null && statuses?.includes(status))
  return [...(webhook ? [webhook] : []), ...ofStatus].map(({ name }) => name)
}

/**
 * What a message is about, such as `runId 019a…`: messages of the same are kept in order where a webhook asks for it.
 * The most particular id that the data names counts.
 */
export function orderKeyOf(data: object): string {
  for (const field of ['runId', 'clusterId', 'workflowId', 'secretId', 'annotationId', 'apiKeyId']) {
    const value: unknown = Reflect.get(data, field)
    if (typeof value === 'string' || typeof value === 'number') return `${field} ${value}`
  }
  return ''
}

const refusedHeaders =
  /^(host|connection|content-length|content-type|transfer-encoding|upgrade|te|trailer|expect|keep-alive|user-agent|proxy-.*|webhook-.*)$/i

/** Why a webhook may not send a header of this name, as a sentence; undefined where it may. */
export function headerNameError(name: string): string | undefined {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name)) return `"${name}" is not the name of a header.`
  return refusedHeaders.test(name) ? `The header ${name} is set by the server itself.` : undefined
}
