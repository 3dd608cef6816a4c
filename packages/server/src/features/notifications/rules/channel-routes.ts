import { notificationRuleBounds as bounds } from '@bey/contract'
import { act } from '../../../platform/act.ts'
import type { Refusals } from '../../../platform/audit/refusals.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { violatedConstraint } from '../../../platform/db/failure.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers, TenantCaller } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { countRefusedAddress } from '../../../platform/http/refusals.ts'
import { mayNow } from '../../../platform/keys/key-rights.ts'
import {
  channelContext,
  countChannels,
  deleteChannel,
  insertChannel,
  listChannels,
  recordSent,
} from './channel-store.ts'
import { requireManager } from './caller-acts.ts'
import { postToChannel, type SenderParts } from './sender.ts'

export function notificationChannelRoutes(
  parts: Omit<SenderParts, 'log'> & { refusals: Refusals },
): Handlers<
  | 'notificationChannels.list'
  | 'notificationChannels.create'
  | 'notificationChannels.delete'
  | 'notificationChannels.test'
> {
  const { database, dataKeys, outbound, refusals, clock } = parts

  return {
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
          await act(db, caller, {
            action: 'notification_channel.create',
            class: 'create',
            target: { type: 'notification_channel', id, name },
            diff: { kind, host },
          })
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
        const target = { type: 'notification_channel', id, name }
        await act(db, caller, { action: 'notification_channel.delete', class: 'delete', target })
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
