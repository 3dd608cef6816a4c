import { createHash } from 'node:crypto'

import { notificationBounds, roles } from '@bey/contract'
import { eq } from 'drizzle-orm'
import { z } from 'zod'

import type { Db } from '../../../../platform/db/database.ts'
import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import { memberships } from '../../../../tables/memberships.ts'
import { notifications } from '../../../../tables/notifications.ts'
import { users } from '../../../../tables/users.ts'
import type { StepParts } from '../ports.ts'
import type { ActionStepType } from '../step-type.ts'

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
    })
    .prefault({})
    .meta({ title: 'To', description: 'Whoever started the run unless given.' }),
})
type Config = z.output<typeof config>

export function notify({
  database,
  clock,
  publish,
}: Pick<StepParts, 'database' | 'clock' | 'publish'>): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'notify',
    label: 'Notify',
    group: 'People',
    icon: 'bell',
    description: 'Sends a notification to people of the organization, in the console.',
    guaranteeNote: 'A repetition after a crash notifies nobody twice.',
    config,
    example: { title: 'Deployed {{ inputs.image }}', level: 'success', to: { role: 'ADMIN' } },
    output: { type: 'object', properties: { recipients: { type: 'integer' } } },
    test: 'real_only',
    guarantee: () => 'at_least_once_keyed',
    async execute({ run, idempotencyKey, log }, given) {
      const { organizationId } = run
      const count = await database.withTenant(organizationId, async (db) => {
        const userIds = await recipientsOf(db, run, given)
        const id = notificationId(idempotencyKey)
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
              href: `/workflows/${run.workflowId}/runs/${run.id}`,
              at: clock.now(),
            })),
          )
          .onConflictDoNothing()
        await publish(
          db,
          userIds.map((userId) => ({
            organizationId,
            type: 'NOTIFICATIONS_UPDATE' as const,
            data: { userId },
          })),
        )
        return userIds.length
      })
      log(`Notified ${count} ${count === 1 ? 'person' : 'people'}.`)
      return { recipients: count }
    },
  }
}

async function recipientsOf(
  db: Db,
  run: { organizationId: number; createdBy: number | null },
  { to }: Config,
): Promise<number[]> {
  const members = await db
    .select({ id: users.id, email: users.email, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.organizationId, run.organizationId))
    .limit(1_000)
  const wanted = to.users.map((email) => email.toLowerCase())
  const unknown = wanted.find((email) => !members.some((member) => member.email.toLowerCase() === email))
  if (unknown !== undefined) throw new StepFailure(`${unknown} is not a member of this organization.`)
  const isAnybodyNamed = to.role !== undefined || wanted.length > 0
  const found = members.filter(({ id, email, role }) =>
    isAnybodyNamed
      ? wanted.includes(email.toLowerCase()) || (to.role !== undefined && isAtLeast(role, to.role))
      : id === run.createdBy,
  )
  if (found.length > 0) return found.map(({ id }) => id)
  throw new StepFailure('There is nobody to notify. Name a role or people.')
}

function isAtLeast(role: (typeof roles)[number], least: (typeof roles)[number]): boolean {
  return roles.indexOf(role) <= roles.indexOf(least)
}

/** The same for each attempt, in the shape of a UUID (RFC 9562, version 8). */
function notificationId(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
