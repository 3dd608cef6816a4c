import { z } from 'zod'
import {
  alertAudiences,
  alertBounds,
  alertSeverities,
  alertSources,
  alertStates,
  replayDays,
} from './rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { actor, givenTime, nameText, pageQuery, paged, searchText, timestamp, uuid } from '../base/schema.ts'

const limit = z.number('Enter a number as the limit.').min(-1e18).max(1e18)
const within = (maxMs: number) => z.number().int().min(alertBounds.minWithinMs).max(maxMs)
const side = z.enum(['above', 'below'])

const condition = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('threshold'), direction: side, limit }),
  z.strictObject({ kind: z.literal('absence') }),
  z.strictObject({ kind: z.literal('match') }),
  z.strictObject({
    kind: z.literal('change'),
    direction: z.enum(['up', 'down']),
    by: z.number('Enter a number to change by.').positive('Enter a change above 0.').max(1e18),
    isPercent: z.boolean(),
    withinMs: within(alertBounds.maxChangeMs),
  }),
  z.strictObject({
    kind: z.literal('forecast'),
    direction: side,
    limit,
    withinMs: within(alertBounds.maxForecastMs),
  }),
])

const judged = {
  source: z.union([z.enum(alertSources), uuid]),
  /** PromQL, each series of which is watched by itself; a query of the inventory where the source is `resources`. */
  expr: z.string().trim().min(1, 'Enter an expression.').max(alertBounds.maxExpression),
  condition,
  /** Milliseconds that it has to last; 0 fires at once. */
  forMs: z.number().int().min(0).max(alertBounds.maxForMs, 'An alert can wait for up to 24 h.'),
}

const rule = {
  name: nameText('Enter a name for the alert.'),
  description: z.string().trim().max(2_000),
  ...judged,
  severity: z.enum(alertSeverities),
  audience: z.enum(alertAudiences),
  /** A member of the organization; null: nobody owns it, so everyone is notified. */
  ownerId: z.number().int().min(1).max(2_147_483_647).nullable(),
  isEnabled: z.boolean(),
}

const labels = z.record(z.string(), z.string())

const instance = z.object({
  labels,
  state: z.enum(alertStates),
  since: timestamp,
  /** What the limit is compared with; null where nothing was measured. */
  value: z.number().nullable(),
  /** The worst value since it went beyond the limit. */
  peak: z.number().nullable(),
})

const episode = z.object({
  id: uuid,
  labels,
  firedAt: timestamp,
  /** Null while it fires. */
  resolvedAt: timestamp.nullable(),
  peak: z.number().nullable(),
  acknowledgedAt: timestamp.nullable(),
  acknowledgedBy: actor.nullable(),
  /** Whether somebody acknowledged or silenced the alert while it fired, or within 1 h of its end. */
  isActedOn: z.boolean(),
  /** Nobody was notified because the alert was silenced. */
  isSilenced: z.boolean(),
})
export type AlertEpisode = z.infer<typeof episode>

const groups = ['firing', 'warning', 'no_data', 'pending', 'silenced', 'quiet', 'off'] as const

const alert = z
  .object({
    id: uuid,
    ...rule,
    name: z.string(),
    owner: actor.nullable(),
    /** Of all its series the worst; `off` while it is not evaluated. */
    state: z.enum([...alertStates, 'off']),
    /** Where lists show it. */
    group: z.enum(groups),
    since: timestamp.nullable(),
    /** The series that is worst. */
    worst: instance.nullable(),
    seriesCount: z.number().int(),
    firingCount: z.number().int(),
    unit: z.string().nullable(),
    /** Why it could not be evaluated the last time; null where it was. */
    error: z.string().nullable(),
    evaluatedAt: timestamp.nullable(),
    /** The last time that nothing evaluated it. */
    gap: z.object({ from: timestamp, to: timestamp }).nullable(),
    silence: z.object({ until: timestamp, reason: z.string(), by: actor }).nullable(),
    /** Who has acknowledged what fires now. */
    acknowledgedBy: actor.nullable(),
    acknowledgedAt: timestamp.nullable(),
    /** In 30 days. */
    firedCount: z.number().int(),
    actedOnCount: z.number().int(),
    /** Whether it fired in each half hour of the last 24 h, the oldest first. */
    strip: z.array(z.boolean()).length(48),
    version: z.number().int(),
    createdBy: actor,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Alert' })
export type Alert = z.infer<typeof alert>

const replayed = z.object({
  labels,
  from: timestamp,
  to: timestamp.nullable(),
  peak: z.number().nullable(),
  isActedOn: z.boolean(),
})

const replay = z.object({
  days: z.number().int(),
  /** Seconds since 1970; older values are kept by the hour. */
  times: z.array(z.number()).max(4_000),
  /** The series with the worst values; all of them were replayed. */
  series: z
    .array(z.object({ labels, values: z.array(z.number().nullable()).max(4_000) }))
    .max(alertBounds.maxDrawn),
  seriesCount: z.number().int(),
  unit: z.string().nullable(),
  warnings: z.array(z.string()).max(100),
  /** When the rule would have fired, oldest first, and up to 500 of them. */
  episodes: z.array(replayed).max(500),
  episodeCount: z.number().int(),
  /** How often other limits would have fired. */
  limits: z
    .array(z.object({ limit: z.number(), count: z.number().int(), actedOnCount: z.number().int() }))
    .max(5),
  /** What a query of the inventory matches now; null for everything else. */
  matches: z
    .object({
      total: z.number().int(),
      /** By kind and name. */
      first: z
        .array(z.object({ id: z.string(), kind: z.string(), name: z.string(), place: z.string() }))
        .max(10),
    })
    .nullable(),
})
export type AlertReplay = z.infer<typeof replay>

/** A ready alert for what is measured already. */
const suggestion = z.object({
  key: z.string(),
  name: z.string(),
  description: z.string(),
  ...judged,
  severity: z.enum(alertSeverities),
  /** Of its values, where the expression has one by itself. */
  unit: z.string().nullable(),
  /** Series that it would watch. */
  seriesCount: z.number().int(),
  /** How often it would have fired in 30 days. */
  firedCount: z.number().int(),
})
export type AlertSuggestion = z.infer<typeof suggestion>

const notified = z.object({
  at: timestamp,
  event: z.string(),
  /** Where: in the console, by mail, or a channel. */
  kind: z.enum(['console', 'mail', 'channel']),
  /** Of persons and channels. */
  names: z.array(z.string()).max(200),
  isSent: z.boolean(),
})

const params = z.object({ id: uuid })
const path = '/api/alerts'

export const alertEndpoints = {
  'alerts.list': endpoint({
    method: 'GET',
    path,
    summary: 'Alerts of the organization, what fires first',
    access: 'alerts.read',
    query: pageQuery.extend({
      /** Part of the name. */
      search: searchText,
      group: z.enum(groups).optional(),
      owner: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
      /** Only alerts that fired in 30 days and that nobody ever acted on. */
      ignored: z.enum(['true']).optional(),
    }),
    response: paged('alerts', alert).extend({
      /** Of all alerts, whatever is asked for. */
      counts: z.record(z.enum(groups), z.number().int()),
      firedCount: z.number().int(),
      actedOnCount: z.number().int(),
      ignoredCount: z.number().int(),
    }),
  }),
  'alerts.suggestions': endpoint({
    method: 'GET',
    path: `${path}/suggestions`,
    summary: 'Ready alerts for what is measured, and how often each would have fired in 30 days',
    access: 'alerts.read',
    response: z.object({ suggestions: z.array(suggestion).max(50) }),
  }),
  'alerts.get': endpoint({
    method: 'GET',
    isVersioned: true,
    path: `${path}/{id}`,
    summary: 'One alert with the series that it watches',
    access: 'alerts.read',
    params,
    response: alert.extend({ instances: z.array(instance).max(alertBounds.maxSeries + 1) }),
    errors: ['not_found'],
  }),
  'alerts.create': endpoint({
    method: 'POST',
    path,
    summary: 'Create an alert',
    access: 'alerts.create',
    body: z.strictObject({
      ...rule,
      source: rule.source.default('metrics'),
      description: rule.description.default(''),
      severity: rule.severity.default('warning'),
      audience: rule.audience.default('owner'),
      /** The caller by default. */
      ownerId: rule.ownerId.optional(),
      isEnabled: rule.isEnabled.default(true),
    }),
    response: alert,
    status: 201,
    isIdempotent: true,
    errors: ['name_taken', 'limit_reached', 'not_found'],
  }),
  'alerts.update': endpoint({
    method: 'PATCH',
    isVersioned: true,
    path: `${path}/{id}`,
    summary: 'Change an alert',
    access: 'alerts.update',
    params,
    body: z.strictObject({
      ...z.strictObject(rule).partial().shape,
      /** Of the alert as it was read. */
      version: z.number().int(),
    }),
    response: alert,
    errors: ['not_found', 'name_taken', 'conflict'],
  }),
  'alerts.delete': endpoint({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete an alert with its history',
    access: 'alerts.delete',
    params,
    response: z.null(),
    status: 204,
    errors: ['not_found'],
  }),
  'alerts.acknowledge': endpoint({
    method: 'PUT',
    path: `${path}/{id}/acknowledge`,
    summary: 'Take over what fires',
    access: 'alerts.update',
    params,
    response: alert,
    errors: ['not_found', 'conflict'],
  }),
  'alerts.silence': endpoint({
    method: 'PUT',
    path: `${path}/{id}/silence`,
    summary: 'Notify nobody of an alert until an instant',
    access: 'alerts.update',
    params,
    body: z.strictObject({
      /** Up to 30 days ahead. */
      until: givenTime,
      reason: z.string().trim().min(1, 'Enter why the alert is silenced.').max(alertBounds.maxReason),
    }),
    response: alert,
    errors: ['not_found'],
  }),
  'alerts.unsilence': endpoint({
    method: 'DELETE',
    path: `${path}/{id}/silence`,
    summary: 'Notify of an alert again',
    access: 'alerts.update',
    params,
    response: alert,
    errors: ['not_found'],
  }),
  'alerts.replay': endpoint({
    method: 'POST',
    path: `${path}/replay`,
    summary: 'How often a draft would have fired',
    access: 'alerts.read',
    withoutIdempotencyKey: 'It stores nothing.',
    body: z.strictObject({
      ...judged,
      source: judged.source.default('metrics'),
      days: z.union(replayDays.map((days) => z.literal(days))).default(7),
      /** Whose episodes say what was acted on. */
      alertId: uuid.optional(),
    }),
    response: replay,
    errors: ['not_found', 'source_unreachable'],
  }),
  'alerts.history': endpoint({
    method: 'GET',
    path: `${path}/{id}/history`,
    summary: 'When an alert fired in 90 days, and who was notified in 7',
    access: 'alerts.read',
    params,
    response: z.object({
      episodes: z.array(episode).max(200),
      total: z.number().int(),
      notified: z.array(notified).max(50),
    }),
    errors: ['not_found'],
  }),
  'alerts.test': endpoint({
    method: 'POST',
    path: `${path}/{id}/test`,
    summary: 'Send a test notification to those whom the alert notifies',
    access: 'alerts.update',
    params,
    response: z.object({
      /** Persons who are notified in the console or otherwise. */
      names: z.array(z.string()).max(200),
    }),
    errors: ['not_found'],
  }),
} as const
