import type { NotificationRule, NotificationRuleInput } from '@bey/contract'
import { notificationRuleBounds as bounds } from '@bey/contract'
import { act } from '../../../platform/act.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers, TenantCaller } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { listChannels } from './channel-store.ts'
import { requireManager } from './caller-acts.ts'
import { countRules, deleteRule, findRule, insertRule, listRules, updateRule } from './rule-store.ts'
import type { SenderParts } from './sender.ts'

export function notificationRuleRoutes({
  database,
  mail,
}: {
  database: Database
  mail: SenderParts['mail']
}): Handlers<
  | 'notificationRules.list'
  | 'notificationRules.create'
  | 'notificationRules.update'
  | 'notificationRules.delete'
> {
  async function checkInput(
    db: Db,
    { organizationId, user }: TenantCaller,
    owner: NotificationRule['owner'],
    input: NotificationRuleInput,
  ) {
    if (input.mail && !(await mail.isMailConfigured())) {
      throw new AppError('conflict', 'This server sends no mail. Ask its operator to set it up.')
    }
    if (input.channelIds.length === 0) return
    const known = await listChannels(db, organizationId, owner === 'mine' ? user.id : null)
    const ids = known.map(({ id }) => id)
    if (!input.channelIds.every((id) => ids.includes(id))) {
      throw new AppError(
        'conflict',
        owner === 'mine'
          ? 'One of the channels is not yours, or does not exist any more. Choose among your own.'
          : 'One of the channels is not of the organization, or does not exist any more. Choose again.',
      )
    }
  }

  return {
    'notificationRules.list': async ({ caller: { organizationId, user } }) => ({
      rules: await database.readTenant(organizationId, (db) => listRules(db, organizationId, user.id)),
      isMailConfigured: await mail.isMailConfigured(),
    }),

    'notificationRules.create': async ({ caller, body: { owner, ...input } }) => {
      const { organizationId, user } = caller
      requireManager(caller, owner)
      const userId = owner === 'mine' ? user.id : null
      return database.withTenant(organizationId, async (db) => {
        await checkInput(db, caller, owner, input)
        if ((await countRules(db, organizationId, userId)) >= bounds.maxRules) {
          throw new AppError('limit_reached', `There are ${bounds.maxRules} rules. Delete one first.`)
        }
        const id = uuidv7()
        await insertRule(db, { organizationId, id, userId }, input)
        const target = { type: 'notification_rule', id, name: input.name }
        await act(db, caller, { action: 'notification_rule.create', class: 'create', target })
        return keepReply(db, await openRule(db, caller, id))
      })
    },

    'notificationRules.update': ({ caller, params: { id }, body }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const before = await openRule(db, caller, id)
        await checkInput(db, caller, before.owner, body)
        await updateRule(db, caller.organizationId, id, body)
        const after = await openRule(db, caller, id)
        const diff = changesOf(before, after)
        const target = { type: 'notification_rule', id, name: body.name }
        await act(db, caller, { action: 'notification_rule.update', class: 'update', target, diff })
        return after
      }),

    'notificationRules.delete': ({ caller, params: { id } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { name } = await openRule(db, caller, id)
        await deleteRule(db, caller.organizationId, id)
        const target = { type: 'notification_rule', id, name }
        await act(db, caller, { action: 'notification_rule.delete', class: 'delete', target })
        return null
      }),
  }
}

/** A rule as it is seen by the caller, who may change it. */
async function openRule(db: Db, caller: TenantCaller, id: string): Promise<NotificationRule> {
  const rule = await findRule(db, caller.organizationId, caller.user.id, id)
  if (rule === undefined) throw new AppError('not_found', 'This rule does not exist any more.')
  requireManager(caller, rule.owner)
  return rule
}

function changesOf(before: NotificationRule, after: NotificationRule): Record<string, unknown> {
  const keys = Object.keys(after) as (keyof NotificationRule)[]
  return Object.fromEntries(
    keys
      .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      .map((key) => [key, { from: before[key], to: after[key] }]),
  )
}
