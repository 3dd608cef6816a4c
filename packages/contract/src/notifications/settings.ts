import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import {
  notificationChannelKinds,
  notificationDigests,
  notificationEvents,
  notificationRuleBounds as bounds,
  notificationSeverities,
} from './rules.ts'
import { givenTime, nameText, numericId, timestamp, uuid } from '../base/schema.ts'

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 22:00.')

const timeZone = z
  .string()
  .max(64)
  .refine((zone) => {
    try {
      return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
    } catch {
      return false
    }
  }, 'Enter an IANA time zone such as Europe/Berlin.')

const ruleInput = z
  .strictObject({
    name: nameText().max(bounds.maxName),
    events: z
      .array(z.enum(notificationEvents))
      .min(1, 'Choose at least one event.')
      .max(notificationEvents.length),
    minSeverity: z.enum(notificationSeverities),
    /** `mine`: runs that the person started, and secrets that they manage. */
    whose: z.enum(['anyone', 'mine']),
    /** Empty: every cluster. */
    clusterIds: z.array(numericId).max(bounds.maxSubjects),
    /** Empty: every workflow. */
    workflowIds: z.array(uuid).max(bounds.maxSubjects),
    inApp: z.boolean(),
    mail: z.boolean(),
    /** Of the organization in its rules, one's own in one's own. */
    channelIds: z.array(uuid).max(bounds.maxChannels),
    /** When nothing is sent; in the console it is listed all the same. */
    quiet: z.strictObject({ from: clock, to: clock }).nullable(),
    timeZone,
    digest: z.enum(notificationDigests),
    mutedUntil: givenTime.nullable(),
    isEnabled: z.boolean(),
  })
  .meta({ id: 'NotificationRuleInput' })
export type NotificationRuleInput = z.infer<typeof ruleInput>

const rule = z
  .object({
    ...ruleInput.shape,
    id: uuid,
    /** `mine`: of the caller, and in force for them instead of the organization's. */
    owner: z.enum(['organization', 'mine']),
    mutedUntil: timestamp.nullable(),
  })
  .meta({ id: 'NotificationRule' })
export type NotificationRule = z.infer<typeof rule>

const owner = z.enum(['organization', 'mine'])

const channel = z
  .object({
    id: uuid,
    /** `mine`: of the caller, for their own rules. */
    owner,
    name: z.string(),
    kind: z.enum(notificationChannelKinds),
    /** Of its address, which is a secret and not shown again. */
    host: z.string(),
    lastSentAt: timestamp.nullable(),
    lastError: z.string().nullable(),
  })
  .meta({ id: 'NotificationChannel' })
export type NotificationChannel = z.infer<typeof channel>

const params = z.object({ id: uuid })

export const notificationRuleEndpoints = {
  'notificationRules.list': endpoint({
    method: 'GET',
    path: '/api/notification-rules',
    summary: 'The rules of the organization and the caller’s own',
    access: 'notifications.read',
    response: z.object({
      rules: z.array(rule).max(2 * bounds.maxRules),
      /** Whether this server sends mail. */
      isMailConfigured: z.boolean(),
    }),
  }),
  'notificationRules.create': endpoint({
    method: 'POST',
    path: '/api/notification-rules',
    summary: 'Make a rule; one of the organization takes the permission notifications.manage',
    access: 'notifications.update',
    body: ruleInput.extend({ owner: z.enum(['organization', 'mine']) }),
    outdates: ['/api/notification-rules', '/api/notification-channels'],
    response: rule,
    status: 201,
    errors: ['limit_reached', 'conflict'],
  }),
  'notificationRules.update': endpoint({
    method: 'PUT',
    path: '/api/notification-rules/{id}',
    summary: 'Change, mute or switch a rule off',
    access: 'notifications.update',
    params,
    body: ruleInput,
    outdates: ['/api/notification-rules', '/api/notification-channels'],
    response: rule,
    errors: ['not_found', 'conflict'],
  }),
  'notificationRules.delete': endpoint({
    method: 'DELETE',
    path: '/api/notification-rules/{id}',
    summary: 'Delete a rule; what it has not sent yet is dropped',
    access: 'notifications.update',
    params,
    outdates: ['/api/notification-rules', '/api/notification-channels'],
    response: z.null(),
    status: 204,
    errors: ['not_found'],
  }),
  'notificationChannels.list': endpoint({
    method: 'GET',
    path: '/api/notification-channels',
    summary:
      'Where rules send to: the caller’s own channels, and those of the organization for who manages them',
    access: 'notifications.read',
    response: z.object({ channels: z.array(channel).max(2 * bounds.maxChannels) }),
  }),
  'notificationChannels.create': endpoint({
    method: 'POST',
    path: '/api/notification-channels',
    summary:
      'Add a channel: an address that takes Slack messages, or JSON; one of the organization takes the permission notifications.manage',
    access: 'notifications.channels',
    body: z.strictObject({
      owner: owner.default('organization'),
      name: nameText().max(bounds.maxName),
      kind: z.enum(notificationChannelKinds),
      url: z.url({ protocol: /^https?$/ }).max(2_000),
    }),
    outdates: ['/api/notification-rules', '/api/notification-channels'],
    response: channel,
    status: 201,
    errors: ['limit_reached', 'conflict'],
  }),
  'notificationChannels.delete': endpoint({
    method: 'DELETE',
    path: '/api/notification-channels/{id}',
    summary: 'Delete a channel; rules no longer send to it',
    access: 'notifications.channels',
    params,
    outdates: ['/api/notification-rules', '/api/notification-channels'],
    response: z.null(),
    status: 204,
    errors: ['not_found'],
  }),
  'notificationChannels.test': endpoint({
    method: 'POST',
    path: '/api/notification-channels/{id}/test',
    summary: 'Send a test message now and say how it was answered',
    access: 'notifications.channels',
    withoutIdempotencyKey: 'It sends a test message each time.',
    params,
    outdates: ['/api/notification-rules', '/api/notification-channels'],
    response: z.object({ isDelivered: z.boolean(), message: z.string(), durationMs: z.number().int() }),
    errors: ['not_found'],
  }),
} as const
