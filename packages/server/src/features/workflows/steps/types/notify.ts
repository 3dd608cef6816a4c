import { notificationBounds, notificationRuleBounds, roles } from '@bey/contract'
import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'

import type { Db } from '../../../../platform/db/database.ts'
import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import { memberships } from '../../../../tables/memberships.ts'
import { notificationChannels } from '../../../../tables/notification-channels.ts'
import { notificationDeliveries } from '../../../../tables/notification-deliveries.ts'
import { notifications } from '../../../../tables/notifications.ts'
import { users } from '../../../../tables/users.ts'
import type { RunFacts } from '../../definition/definition.ts'
import { uuidOfKey } from '../key-uuid.ts'
import type { StepParts } from '../ports.ts'
import type { ActionStepType } from '../step-type.ts'
import { alwaysGuaranteed } from '../guarantee.ts'

const config = z.strictObject({
  title: z.string().min(1).max(notificationBounds.maxTitle).meta({ title: 'Title' }),
  message: z
    .string()
    .max(notificationBounds.maxDetail)
    .default('')
    .meta({ title: 'Message', 'x-widget': 'textarea' }),
  level: z.enum(['info', 'success', 'warning', 'error']).default('info').meta({ title: 'Level' }),
  to: z
    .strictObject({
      role: z.enum(roles).optional().meta({ title: 'Role', description: 'This role and mightier ones.' }),
      users: z
        .array(z.string().min(1).max(254))
        .max(50)
        .default([])
        .meta({ title: 'People', description: 'E-mail addresses.', 'x-widget': 'users' }),
      channels: z
        .array(z.string().min(1).max(notificationRuleBounds.maxName))
        .max(notificationRuleBounds.maxChannels)
        .default([])
        .meta({
          title: 'Channels',
          description: 'Names of channels of the organization: Slack’s format, or JSON to any address.',
          'x-widget': 'list',
        }),
    })
    .prefault({})
    .meta({ title: 'To', description: 'Whoever started the run unless given.' }),
  by: z
    .enum(['console', 'mail', 'both'])
    .default('console')
    .meta({ title: 'How people get it', description: 'In the list of the console, by mail, or both.' }),
})
type Config = z.output<typeof config>

export function notify(
  parts: Pick<StepParts, 'database' | 'clock' | 'publish' | 'isMailConfigured'>,
): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'notify',
    label: 'Notify',
    group: 'People',
    icon: 'bell',
    description: 'Sends a message to people, in the console or by mail, and to channels such as Slack.',
    guaranteeNote:
      'A repetition after a crash queues nothing twice; a channel may get it twice where a server dies while it sends.',
    config,
    example: { title: 'Deployed {{ inputs.image }}', level: 'success', to: { role: 'ADMIN' } },
    output: {
      type: 'object',
      properties: { recipients: { type: 'integer' }, channels: { type: 'integer' } },
    },
    refusesSecrets: true,
    test: 'real_only',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    async execute({ run, idempotencyKey, log }, given) {
      if (given.by !== 'console' && !(await parts.isMailConfigured())) {
        throw new StepFailure('This instance sends no mail: its operator has not set up an SMTP server.')
      }
      const { organizationId } = run
      const sent = await parts.database.withTenant(organizationId, async (db) => {
        const channelIds = await channelsOf(db, organizationId, given.to.channels)
        const userIds = await recipientsOf(db, run, given)
        const message = { db, run, key: idempotencyKey, at: parts.clock.now(), given }
        if (given.by !== 'mail') await list(message, userIds, parts.publish)
        const mailed = given.by === 'console' ? [] : userIds
        await queue(message, [
          ...channelIds.map((channelId) => ({ channelId, userId: null })),
          ...mailed.map((userId) => ({ channelId: null, userId })),
        ])
        return { recipients: userIds.length, channels: channelIds.length }
      })
      const people = `${sent.recipients} ${sent.recipients === 1 ? 'person' : 'people'}`
      const channels = `${sent.channels} ${sent.channels === 1 ? 'channel' : 'channels'}`
      log(`Notified ${sent.channels === 0 ? people : `${people} and ${channels}`}.`)
      return sent
    },
  }
}

type Message = { db: Db; run: RunFacts; key: string; at: Date; given: Config }
type Target = { channelId: string; userId: null } | { channelId: null; userId: number }

async function list({ db, run, key, at, given }: Message, userIds: number[], publish: StepParts['publish']) {
  const { organizationId } = run
  const id = uuidOfKey(key)
  if (userIds.length === 0) return
  await db
    .insert(notifications)
    .values(
      userIds.map((userId) => ({
        organizationId,
        userId,
        id,
        kind: 'run' as const,
        level: given.level,
        title: given.title,
        detail: given.message === '' ? null : given.message,
        href: hrefOf(run),
        at,
      })),
    )
    .onConflictDoNothing()
  await publish(
    db,
    userIds.map((userId) => ({ organizationId, type: 'NOTIFICATIONS_UPDATE' as const, data: { userId } })),
  )
}

/** Queues what is sent outside of the console; the same for each attempt, and so once. */
async function queue({ db, run, key, at, given }: Message, targets: readonly Target[]): Promise<void> {
  if (targets.length === 0) return
  await db
    .insert(notificationDeliveries)
    .values(
      targets.map((target) => ({
        organizationId: run.organizationId,
        id: uuidOfKey(`${key} ${target.channelId ?? target.userId}`),
        ...target,
        event: 'run.message' as const,
        severity: given.level === 'success' ? ('info' as const) : given.level,
        title: given.title,
        detail: given.message === '' ? null : given.message,
        href: hrefOf(run),
        repeatKey: key,
        at,
        dueAt: at,
      })),
    )
    .onConflictDoNothing()
}

/** A test of a step has no run to open. */
function hrefOf(run: RunFacts): string {
  return run.workflowKey === 'test' ? '/workflows' : `/workflows/${run.workflowId}/runs/${run.id}`
}

async function channelsOf(db: Db, organizationId: number, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const rows = await db
    .select({ id: notificationChannels.id, name: notificationChannels.name })
    .from(notificationChannels)
    .where(
      and(
        eq(notificationChannels.organizationId, organizationId),
        inArray(notificationChannels.name, [...names]),
      ),
    )
  const missing = names.find((name) => !rows.some((row) => row.name === name))
  if (missing !== undefined) throw new StepFailure(`There is no channel "${missing}" in this organization.`)
  return rows.map(({ id }) => id)
}

async function recipientsOf(db: Db, run: RunFacts, { to }: Config): Promise<number[]> {
  const members = await db
    .select({ id: users.id, email: users.email, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.organizationId, run.organizationId))
    .limit(1_000)
  const wanted = to.users.map((email) => email.toLowerCase())
  const unknown = wanted.find((email) => !members.some((member) => member.email.toLowerCase() === email))
  if (unknown !== undefined) throw new StepFailure(`${unknown} is not a member of this organization.`)
  const isAnybodyNamed = to.role !== undefined || wanted.length > 0 || to.channels.length > 0
  const found = members.filter(({ id, email, role }) =>
    isAnybodyNamed
      ? wanted.includes(email.toLowerCase()) || (to.role !== undefined && isAtLeast(role, to.role))
      : id === run.createdBy,
  )
  if (found.length > 0 || to.channels.length > 0) return found.map(({ id }) => id)
  throw new StepFailure('There is nobody to notify. Name a role, people or a channel.')
}

function isAtLeast(role: (typeof roles)[number], least: (typeof roles)[number]): boolean {
  return roles.indexOf(role) <= roles.indexOf(least)
}
