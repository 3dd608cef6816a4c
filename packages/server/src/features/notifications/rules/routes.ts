import type { NotificationRule, NotificationRuleInput } from '@bey/contract'
import { notificationRuleBounds as bounds } from '@bey/contract'
import { audit, type AuditEntry } from '../../../platform/audit/audit.ts'
import type { Refusals } from '../../../platform/audit/refusals.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { violatedConstraint } from '../../../platform/db/failure.ts'
import { AppError } from '../../../platform/errors.ts'
import { countRefusedAddress } from '../../../platform/http/refusals.ts'
import type { Handlers, TenantCaller } from '../../../platform/http/handlers.ts'
import { mayNow, whyNotNow } from '../../../platform/keys/key-rights.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import {
  channelContext,
  countChannels,
  deleteChannel,
  insertChannel,
  listChannels,
  recordSent,
} from './channel-store.ts'
import { countRules, deleteRule, findRule, insertRule, listRules, updateRule } from './rule-store.ts'
import { postToChannel, type SenderParts } from './sender.ts'

export function notificationRuleRoutes(
  parts: Omit<SenderParts, 'log'> & { refusals: Refusals },
): Handlers<
  | 'notificationRules.list'
  | 'notificationRules.create'
  | 'notificationRules.update'
  | 'notificationRules.delete'
  | 'notificationChannels.list'
  | 'notificationChannels.create'
  | 'notificationChannels.delete'
  | 'notificationChannels.test'
> {
  const { database, dataKeys, outbound, refusals, clock, mail } = parts

  /** A rule as it is seen by the caller, who may change it. */
  async function openRule(db: Db, caller: TenantCaller, id: string): Promise<NotificationRule> {
    const rule = await findRule(db, caller.organizationId, caller.user.id, id)
    if (rule === undefined) throw new AppError('not_found', 'This rule does not exist any more.')
    requireManager(caller, rule.owner)
    return rule
  }

  /** The caller's own channels, and those of the organization for who manages them. */
  async function seenChannels(db: Db, { organizationId, user, role }: TenantCaller) {
    const own = await listChannels(db, organizationId, user.id)
    if (!mayNow(role, 'notifications.manage')) return own
    return [...(await listChannels(db, organizationId, null)), ...own]
  }

  async function openChannel(db: Db, caller: TenantCaller, id: string) {
    const channel = (await seenChannels(db, caller)).find((each) => each.id === id)
    if (channel === undefined) throw new AppError('not_found', 'This channel does not exist any more.')
    return channel
  }

  async function checkInput(
    db: Db,
    { organizationId, user }: TenantCaller,
    owner: NotificationRule['owner'],
    input: NotificationRuleInput,
  ) {
    if (input.mail && !(await mail.isMailConfigured())) {
      throw new AppError('conflict', 'This server sends no mail. Ask whoever runs it to set it up.')
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
        await record(db, caller, { action: 'notification_rule.create', class: 'create' }, id, input.name)
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
        await record(db, caller, { action: 'notification_rule.update', class: 'update', diff }, id, body.name)
        return after
      }),

    'notificationRules.delete': ({ caller, params: { id } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { name } = await openRule(db, caller, id)
        await deleteRule(db, caller.organizationId, id)
        await record(db, caller, { action: 'notification_rule.delete', class: 'delete' }, id, name)
        return null
      }),

    'notificationChannels.list': ({ caller }) =>
      database.readTenant(caller.organizationId, async (db) => ({
        channels: await seenChannels(db, caller),
      })),

    'notificationChannels.create': async ({ caller, body: { owner, name, kind, url } }) => {
      const { organizationId, user } = caller
      requireManager(caller, owner, 'adds a channel')
      const userId = owner === 'mine' ? user.id : null
      const { hostname, host } = new URL(url)
      const refusal = outbound.refusalOfHost(hostname)
      if (refusal) {
        const target = { type: 'notification_channel', name: hostname }
        countRefusedAddress(refusals, caller, target, `${refusal.message}.`)
        throw new AppError('conflict', `${refusal.message}. Use another address.`)
      }
      const id = uuidv7()
      try {
        return await database.withTenant(organizationId, async (db) => {
          if ((await countChannels(db, organizationId, userId)) >= bounds.maxChannels) {
            throw new AppError('limit_reached', `There are ${bounds.maxChannels} channels. Delete one first.`)
          }
          const sealedUrl = await dataKeys.seal(db, organizationId, url, channelContext(id))
          await insertChannel(db, { organizationId, id, userId, name, kind, sealedUrl, host })
          const act = {
            action: 'notification_channel.create',
            class: 'create',
            diff: { kind, host },
          } as const
          await record(db, caller, act, id, name)
          return keepReply(db, { id, owner, name, kind, host, lastSentAt: null, lastError: null })
        })
      } catch (error) {
        if (violatedConstraint(error) !== 'notification_channels_name_key') throw error
        throw new AppError('conflict', `A channel named "${name}" exists. Choose another name.`)
      }
    },

    'notificationChannels.delete': ({ caller, params: { id } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { name } = await openChannel(db, caller, id)
        await deleteChannel(db, caller.organizationId, id)
        await record(db, caller, { action: 'notification_channel.delete', class: 'delete' }, id, name)
        return null
      }),

    'notificationChannels.test': async ({ caller, params: { id } }) => {
      const { organizationId, user } = caller
      const channel = await database.readTenant(organizationId, (db) => openChannel(db, caller, id))
      const startedMs = clock.monotonicMs()
      const problem = await postToChannel(parts, organizationId, id, [
        {
          event: 'test',
          severity: 'info',
          title: `Test of the channel "${channel.name}"`,
          detail: `Sent by ${user.name}.`,
          href: '/workspaces/settings/notifications',
          at: clock.now(),
          count: 1,
        },
      ])
      await database.withTenant(organizationId, (db) => recordSent(db, organizationId, id, problem))
      return {
        isDelivered: problem === undefined,
        message: problem ?? 'The message was taken.',
        durationMs: Math.round(clock.monotonicMs() - startedMs),
      }
    },
  }
}

function requireManager(
  { role }: TenantCaller,
  owner: 'organization' | 'mine',
  what = 'changes a rule',
): void {
  const reason = owner === 'mine' ? undefined : whyNotNow(role, 'notifications.manage')
  if (reason !== undefined) throw new AppError('forbidden', `This ${what} of the organization. ${reason}`)
}

function changesOf(before: NotificationRule, after: NotificationRule): Record<string, unknown> {
  const keys = Object.keys(after) as (keyof NotificationRule)[]
  return Object.fromEntries(
    keys
      .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      .map((key) => [key, { from: before[key], to: after[key] }]),
  )
}

function record(
  db: Db,
  { organizationId, user, ip, userAgent, requestId }: TenantCaller,
  act: Pick<AuditEntry, 'action' | 'class' | 'diff'>,
  id: string,
  name: string,
): Promise<void> {
  const type = act.action.split('.')[0] ?? ''
  return audit(db, {
    organizationId,
    actor: { type: 'user', id: user.id, display: user.email },
    via: 'console',
    ip,
    userAgent,
    requestId,
    target: { type, id, name },
    ...act,
  })
}
