import { z } from 'zod'
import { auditClasses } from '../audit/rules.ts'
import { endpoint } from '../base/endpoint.ts'
import {
  actor,
  givenTime,
  nameText,
  numericId,
  pageQuery,
  paged,
  searchText,
  timestamp,
  uuid,
} from '../base/schema.ts'
import {
  deliveryStatuses,
  headerNameError,
  isWebhookEvent,
  webhookBounds as bounds,
  webhookStatuses,
} from './rules.ts'

const eventName = z
  .string()
  .max(200)
  .refine(
    isWebhookEvent,
    'Name an event of the catalogue, or one of your own such as custom.deployment.finished.',
  )

const filters = z.strictObject({
  /** Messages that carry a status are sent with one of these only. Empty: with any. */
  statuses: z
    .array(
      z
        .string()
        .max(40)
        .refine((status) => webhookStatuses.includes(status), 'No event carries this status.'),
    )
    .max(bounds.maxFiltered)
    .default([]),
  /** With workflows or clusters, only messages about one of them are sent. Both empty: about anything. */
  workflowIds: z.array(uuid).max(bounds.maxFiltered).default([]),
  clusterIds: z.array(numericId).max(bounds.maxFiltered).default([]),
})
export type WebhookFilters = z.infer<typeof filters>

const webhook = z
  .object({
    id: uuid,
    name: z.string(),
    /** Whoever may not manage webhooks gets its host alone, as `https://host/…`: paths and queries can hold secrets. */
    url: z.string(),
    /** Of the URL, for lists. */
    host: z.string(),
    events: z.array(eventName).max(200),
    /** Which messages of these events are sent. */
    filters: z.object({
      statuses: z.array(z.string()).max(bounds.maxFiltered),
      workflowIds: z.array(uuid).max(bounds.maxFiltered),
      clusterIds: z.array(numericId).max(bounds.maxFiltered),
    }),
    /** Names of the headers that are sent along. Their values are not answered. */
    headers: z.array(z.string()).max(bounds.maxHeaders),
    /** Whether messages about one thing wait for each other. */
    isOrdered: z.boolean(),
    status: z.enum(['enabled', 'failing', 'paused', 'auto_disabled']),
    /** Since when every attempt has failed. */
    failingSince: timestamp.nullable(),
    /** Why the server disabled it. */
    disabledReason: z.string().nullable(),
    /** Until when the signing secret before the present one is used too. */
    previousSecretUntil: timestamp.nullable(),
    createdBy: actor,
    createdAt: timestamp,
    lastDelivery: z
      .object({
        at: timestamp,
        isSuccess: z.boolean(),
        statusCode: z.number().int().nullable(),
        /** Why the newest message that was not taken failed; null after a success. */
        error: z.string().nullable(),
      })
      .nullable(),
    /** Of a webhook that streams the audit log. */
    audit: z
      .object({
        /** Empty: every class. */
        classes: z.array(z.enum(auditClasses)).max(auditClasses.length),
        /** The number of the last entry of which it is known that the receiver has it, and every one before. */
        sentThrough: z.number().int(),
        /** Entries of the log after it. */
        behind: z.number().int(),
      })
      .nullable(),
    /** Deliveries that wait for their next attempt; exact to 10,000. */
    waiting: z.number().int(),
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof webhook>

const attempt = z
  .object({
    number: z.number().int(),
    at: timestamp,
    durationMs: z.number().int(),
    statusCode: z.number().int().nullable(),
    /** Why there is no status, or why the answer is no success. */
    error: z.string().nullable(),
    /** Headers as they were sent; values of one's own are masked. */
    requestHeaders: z.record(z.string(), z.string()),
    responseHeaders: z.record(z.string(), z.string()),
    responseHead: z.string(),
  })
  .meta({ id: 'WebhookAttempt' })
export type WebhookAttempt = z.infer<typeof attempt>

const delivery = z
  .object({
    id: uuid,
    /** The header `webhook-id`: the same for every attempt, replay and webhook. */
    eventId: uuid,
    type: eventName,
    status: z.enum(deliveryStatuses),
    isTest: z.boolean(),
    attempts: z.number().int(),
    createdAt: timestamp,
    nextAttemptAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
    lastStatusCode: z.number().int().nullable(),
    lastError: z.string().nullable(),
    lastDurationMs: z.number().int().nullable(),
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.infer<typeof delivery>

const withSecret = z.object({
  webhook,
  /** `whsec_…`, by which receivers verify signatures (Standard Webhooks). Shown once. */
  secret: z.string(),
})

const name = nameText('Enter a name for the webhook.')
const url = z
  .string()
  .trim()
  .max(bounds.maxUrlLength)
  .superRefine((text, context) => {
    const message = urlError(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
const events = z.array(eventName).min(1, 'Choose at least one event.').max(200)
/** With the event `audit.entries`: which classes of entries. Empty: every class. */
const classes = z.array(z.enum(auditClasses)).max(auditClasses.length)
const headers = z
  .record(
    z.string(),
    z
      .string()
      .max(bounds.maxHeaderValue)
      .regex(/^[\t\x20-\x7e]*$/, 'Use visible ASCII characters.'),
  )
  .superRefine((given, context) => {
    if (Object.keys(given).length > bounds.maxHeaders) {
      context.addIssue({ code: 'custom', message: `Send at most ${bounds.maxHeaders} headers.` })
    }
    for (const key of Object.keys(given)) {
      const message = headerNameError(key)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    }
  })

function urlError(text: string): string | undefined {
  if (!URL.canParse(text)) return 'Enter a whole URL, such as https://example.com/hooks/bey.'
  const { protocol, username, password, hash } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'Use a URL that begins with https:// or http://.'
  if (username !== '' || password !== '') return 'Leave credentials out of the URL: send them in a header.'
  return hash === '' ? undefined : 'Leave the part after # out: it is never sent.'
}

/** One delivery, or those whose events were between two times. */
const replay = z
  .strictObject({
    deliveryId: uuid.optional(),
    from: givenTime.optional(),
    to: givenTime.optional(),
    /** With a time. Default: those that were given up or cancelled. */
    statuses: z
      .array(z.enum(['delivered', 'exhausted', 'cancelled', 'retrying']))
      .min(1)
      .max(4)
      .optional(),
  })
  .refine(({ deliveryId, from, to, statuses }) => {
    const isRange = from !== undefined && to !== undefined
    return deliveryId === undefined ? isRange : from === undefined && to === undefined && !statuses
  }, 'Send deliveryId alone, or from and to.')

const params = z.object({ id: uuid })
const base = '/api/webhooks'
const access = 'webhooks.manage'

export const webhookEndpoints = {
  'webhooks.events': endpoint({
    method: 'GET',
    path: '/api/webhook-events',
    summary: 'Every event that webhooks can send, with a sample of its data',
    access: 'webhooks.read',
    response: z.object({
      events: z
        .array(
          z.object({
            name: z.string(),
            about: z.string(),
            sample: z.record(z.string(), z.unknown()),
            /** Which of them its data can carry as a status, for filters. */
            statuses: z.array(z.string()).max(50),
          }),
        )
        .max(200),
    }),
  }),
  'webhooks.list': endpoint({
    method: 'GET',
    path: base,
    summary: 'Webhooks of the organization',
    access: 'webhooks.read',
    query: pageQuery.extend({
      /** Part of the name or the URL. */
      search: searchText,
      status: z.enum(['enabled', 'failing', 'paused', 'auto_disabled']).optional(),
      /** Those that want this event. */
      event: eventName.optional(),
      sort: z.enum(['name', 'createdAt']).default('name'),
    }),
    response: paged('webhooks', webhook),
  }),
  'webhooks.get': endpoint({
    method: 'GET',
    path: `${base}/{id}`,
    summary: 'One webhook',
    access: 'webhooks.read',
    params,
    response: webhook,
    errors: ['not_found'],
  }),
  'webhooks.create': endpoint({
    method: 'POST',
    path: base,
    summary: 'Create a webhook; its signing secret is answered once',
    access,
    answersSecret: true,
    body: z.strictObject({
      name,
      url,
      events,
      filters: filters.default({ statuses: [], workflowIds: [], clusterIds: [] }),
      headers: headers.default({}),
      isOrdered: z.boolean().default(false),
      auditClasses: classes.default([]),
      /** Where a stream of the audit log begins: with the next entry, or with the first that is kept. */
      auditFrom: z.enum(['next', 'first']).default('next'),
    }),
    response: withSecret,
    status: 201,
    errors: ['name_taken', 'limit_reached', 'forbidden'],
  }),
  'webhooks.update': endpoint({
    method: 'PATCH',
    path: `${base}/{id}`,
    summary: 'Change, pause or resume a webhook',
    access,
    params,
    body: z.strictObject({
      name: name.optional(),
      url: url.optional(),
      events: events.optional(),
      /** Replaces all of them. */
      filters: filters.optional(),
      /** Replaces all of them. */
      headers: headers.optional(),
      isOrdered: z.boolean().optional(),
      auditClasses: classes.optional(),
      /** Paused: nothing new is sent, and what waits is kept. */
      status: z.enum(['enabled', 'paused']).optional(),
    }),
    response: webhook,
    replyOf: 'webhooks.get',
    errors: ['not_found', 'name_taken', 'forbidden'],
  }),
  'webhooks.rotateSecret': endpoint({
    method: 'POST',
    path: `${base}/{id}/rotate`,
    summary: 'Give a webhook a new signing secret; messages are signed with both for up to 24 hours',
    access,
    answersSecret: true,
    params,
    body: z.strictObject({
      overlapHours: z.number().min(0).max(bounds.maxOverlapHours).default(bounds.maxOverlapHours),
    }),
    response: withSecret,
    errors: ['not_found'],
  }),
  'webhooks.delete': endpoint({
    method: 'DELETE',
    path: `${base}/{id}`,
    summary: 'Delete a webhook with its log',
    access,
    params,
    response: z.null(),
    status: 204,
    errors: ['not_found'],
  }),
  'webhooks.test': endpoint({
    method: 'POST',
    path: `${base}/{id}/test`,
    summary: 'Send the sample of an event, once; it says that it is a test, and the webhook stays as it is',
    access,
    params,
    body: z.strictObject({ type: eventName }),
    response: delivery,
    status: 202,
    errors: ['not_found', 'conflict'],
    operation: {
      read: 'webhooks.delivery',
      whileField: { name: 'status', values: ['pending', 'sending', 'retrying'] },
    },
  }),
  'webhooks.deliveries': endpoint({
    method: 'GET',
    path: `${base}/{id}/deliveries`,
    summary: 'The log of a webhook, newest first',
    access: 'webhooks.read',
    params,
    query: pageQuery.omit({ order: true }).extend({
      status: z.enum(deliveryStatuses).optional(),
      type: eventName.optional(),
    }),
    response: paged('deliveries', delivery),
    errors: ['not_found'],
  }),
  'webhooks.delivery': endpoint({
    method: 'GET',
    path: `${base}/{id}/deliveries/{deliveryId}`,
    summary: 'One delivery with its message and every attempt',
    access: 'webhooks.read',
    params: params.extend({ deliveryId: uuid }),
    response: delivery.extend({ payload: z.string(), log: z.array(attempt).max(100) }),
    errors: ['not_found', 'forbidden'],
  }),
  'webhooks.replay': endpoint({
    method: 'POST',
    path: `${base}/{id}/replay`,
    summary: 'Send deliveries again under the same webhook-id: one, or those of a time',
    access,
    params,
    body: replay,
    response: z.object({ replayed: z.number().int(), hasMore: z.boolean() }),
    status: 202,
    errors: ['not_found', 'conflict'],
  }),
} as const
