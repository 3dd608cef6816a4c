import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { actor, nameText, timestamp, uuid } from '../base/schema.ts'
import { catchUpPolicies, overlapPolicies, triggerTypes } from './rules.ts'

const wire = 'snake_case' as const
const freeJson = z.record(z.string(), z.unknown())
const workflowParams = z.object({ id: uuid })
const triggerParams = workflowParams.extend({ triggerId: uuid })
const expression = z.string().min(1).max(4_000)

// The settings are free JSON on the wire, so their names are snake case here, too.
const schedule = z.strictObject({
  type: z.literal('schedule'),
  /** Five fields, as in crontab. */
  cron: z.string().trim().min(1).max(200),
  /** IANA name. */
  time_zone: z.string().min(1).max(64).default('UTC'),
  catch_up: z.enum(catchUpPolicies).default('latest'),
  overlap: z.enum(overlapPolicies).default('skip'),
})
const inbound = z.strictObject({
  type: z.literal('webhook'),
  /** `hmac`: Standard Webhooks or GitHub's signature over the body; `token`: a bearer token. */
  authentication: z.enum(['hmac', 'token']).default('hmac'),
  /** CEL over `body`, `headers`; the same key within 24 h starts one run. */
  event_key: expression.optional(),
})
const event = z.strictObject({
  type: z.literal('event'),
  /** Name of a live event, e.g. `CLUSTER_PROVISIONING_UPDATE`. */
  event: z.string().min(1).max(80),
})
/** CEL over what arrived (`event`, `body`, `headers`, `scheduled_at`): no run unless true. */
const shared = { when: expression.optional(), input: freeJson.default({}) }

const triggerSettings = z.discriminatedUnion('type', [
  schedule.extend(shared),
  inbound.extend(shared),
  event.extend(shared),
])
export type TriggerSettings = z.infer<typeof triggerSettings>

export const trigger = z
  .object({
    id: uuid,
    name: z.string(),
    type: z.enum(triggerTypes),
    settings: triggerSettings,
    isEnabled: z.boolean(),
    /** Where a webhook is sent to, as a path of this server. */
    hookPath: z.string().nullable(),
    /** In words, e.g. "At 02:30, every day". */
    summary: z.string(),
    nextTimes: z.array(timestamp).max(5),
    lastFiredAt: timestamp.nullable(),
    lastRunId: uuid.nullable(),
    /** Why it could not start a run the last time, or null. */
    lastError: z.string().nullable(),
    createdAt: timestamp,
    createdBy: actor,
  })
  .meta({ id: 'Trigger' })
export type Trigger = z.infer<typeof trigger>

const triggerBody = z.strictObject({
  name: nameText('Enter a name for the trigger.'),
  isEnabled: z.boolean().default(true),
  settings: triggerSettings,
})

/** What is shown once: the secret that senders sign with or send. */
const withSecret = z.object({ trigger, secret: z.string().nullable() })

export const workflowTriggerEndpoints = {
  'workflows.triggers': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/{id}/triggers',
    summary: 'What starts a workflow by itself',
    access: 'workflows.read',
    wire,
    params: workflowParams,
    response: z.object({ triggers: z.array(trigger).max(50) }),
    errors: ['not_found'],
  }),
  'workflows.createTrigger': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/{id}/triggers',
    summary: 'Add a trigger; the secret of a webhook is shown once',
    access: 'workflows.update',
    answersSecret: true,
    wire,
    params: workflowParams,
    body: triggerBody,
    response: withSecret,
    status: 201,
    errors: ['not_found', 'conflict', 'forbidden', 'name_taken'],
  }),
  'workflows.updateTrigger': endpoint({
    method: 'PUT',
    path: '/api/v1/workflows/{id}/triggers/{triggerId}',
    summary: 'Change a trigger; its type stays',
    access: 'workflows.update',
    wire,
    params: triggerParams,
    body: triggerBody,
    response: z.object({ trigger }),
    errors: ['not_found', 'conflict', 'forbidden', 'name_taken'],
  }),
  'workflows.deleteTrigger': endpoint({
    method: 'DELETE',
    path: '/api/v1/workflows/{id}/triggers/{triggerId}',
    summary: 'Remove a trigger; its runs stay',
    access: 'workflows.update',
    wire,
    params: triggerParams,
    response: z.object({}),
    errors: ['not_found', 'forbidden'],
  }),
  'workflows.rotateTriggerSecret': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/{id}/triggers/{triggerId}/rotate',
    summary: 'A new secret for a webhook; the old one is valid for 24 h more',
    access: 'workflows.update',
    answersSecret: true,
    wire,
    params: triggerParams,
    response: withSecret,
    errors: ['not_found', 'conflict', 'forbidden', 'name_taken'],
  }),
  'workflows.triggerArrivals': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/{id}/triggers/{triggerId}/arrivals',
    summary: 'The last 20 requests or events that reached a trigger, and what became of them',
    access: 'workflows.read',
    wire,
    params: triggerParams,
    response: z.object({
      arrivals: z
        .array(
          z.object({
            id: uuid,
            status: z.string(),
            note: z.string(),
            runId: uuid.nullable(),
            at: timestamp,
          }),
        )
        .max(20),
    }),
    errors: ['not_found'],
  }),
  'workflows.hook': endpoint({
    method: 'POST',
    path: '/api/hooks/{triggerId}',
    summary: 'Receives the webhook of a workflow; the sender proves itself by signature or token',
    access: 'public',
    wire,
    takesBytes: true,
    takesAnyQuery: true,
    params: z.object({ triggerId: uuid }),
    response: z.object({
      status: z.enum(['started', 'waiting', 'ignored', 'duplicate']),
      runId: uuid.nullable(),
      note: z.string(),
    }),
    status: 202,
    errors: ['not_found', 'forbidden', 'conflict', 'organization_deleting', 'rate_limited'],
  }),
  'workflows.previewSchedule': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/schedule-preview',
    summary: 'A schedule in words with its next five times; what never comes is refused',
    access: 'workflows.read',
    wire,
    query: z.object({
      cron: z.string().trim().min(1).max(200),
      timeZone: z.string().min(1).max(64).default('UTC'),
    }),
    response: z.object({
      summary: z.string(),
      nextTimes: z.array(timestamp).max(5),
      /** Times that a change of the clocks skips or repeats, in words. */
      notes: z.array(z.string()).max(5),
    }),
  }),
} as const
