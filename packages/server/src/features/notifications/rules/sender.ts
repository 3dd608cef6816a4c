import { sql } from 'drizzle-orm'

import type { Clock } from '../../../platform/clock.ts'
import type { DataKeys } from '../../../platform/crypto/data-keys.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { whenDue } from '../../../platform/db/due-work.ts'
import type { Log } from '../../../platform/log.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { OutboundFailure, postOutbound } from '../../../platform/outbound/post-outbound.ts'
import type { MailDelivery } from '../../../platform/mail/mail.ts'
import { enqueueMail } from '../../../platform/mail/outbox.ts'
import { channelContext, recordSent } from './channel-store.ts'
import { jsonMessage, mailMessage, type Sent, slackMessage } from './message.ts'

export type SenderParts = {
  database: Database
  dataKeys: DataKeys
  outbound: Outbound
  clock: Clock
  log: Log
  /** Where links lead to. */
  baseUrl: string
  mail: Pick<MailDelivery, 'isMailConfigured'>
}

const timeoutMs = 15_000
/** Nothing is kept of an answer but its status. */
const maxResponseBytes = 2_000
/** A process that died while sending leaves its deliveries to others after this. */
const leaseSeconds = 60
/** Before the second attempt, the third, and so on; after the last one it is given up. */
const retrySeconds = [5, 60, 300, 1_800, 7_200, 21_600]

type Due = Sent & {
  organizationId: number
  id: string
  channelId: string | null
  userId: number | null
  attempts: number
}

const isDue = `exists (
  select 1 from notification_deliveries
  where sent_at is null and due_at <= now() and attempts <= ${retrySeconds.length})`

/** Sends what is due until stopped; any number of processes share the work. Stopping waits for what is under way. */
export function startSender(parts: SenderParts): () => Promise<void> {
  const { database, clock, log } = parts
  let sending: Promise<void> | undefined
  const begin = () => {
    sending ??= sendDue(parts)
      .catch((error: unknown) => log.warn({ err: error }, 'Notifications could not be sent'))
      .finally(() => (sending = undefined))
  }
  const cancel = whenDue({ database, clock, log }, { isDue, begin })
  return async () => {
    cancel()
    await sending
  }
}

/** Sends what is due, everything for one recipient as one message. */
async function sendDue(parts: SenderParts): Promise<void> {
  const due = await parts.database.asSystem('send notifications', claim)
  const groups = Map.groupBy(due, ({ organizationId, channelId, userId }) =>
    [organizationId, channelId, userId].join(),
  )
  await Promise.all([...groups.values()].map((group) => sendGroup(parts, group)))
}

async function claim(db: Db): Promise<Due[]> {
  const { rows } = await db.execute<Omit<Due, 'at'> & { at: string }>(sql`
    with due as (
      select organization_id, id from notification_deliveries
      where sent_at is null and due_at <= now() and attempts <= ${retrySeconds.length}
      order by due_at limit 200 for update skip locked
    )
    update notification_deliveries d
    set attempts = attempts + 1, due_at = now() + make_interval(secs => ${leaseSeconds})
    from due where d.organization_id = due.organization_id and d.id = due.id
    returning d.organization_id as "organizationId", d.id, d.channel_id as "channelId", d.user_id as "userId",
      d.attempts, d.event, d.severity, d.title, d.detail, d.href, d.at, d.count`)
  return rows.map((row) => ({ ...row, at: new Date(row.at) })).toSorted((a, b) => +a.at - +b.at)
}

async function sendGroup(parts: SenderParts, group: readonly Due[]): Promise<void> {
  const [first] = group
  if (first === undefined) return
  const { database } = parts
  const { organizationId, channelId, userId, attempts } = first
  const ids = sql.param(group.map(({ id }) => id))
  const isEnded = async (db: Db) =>
    void (await db.execute(
      sql`update notification_deliveries set sent_at = now()
          where organization_id = ${organizationId} and id = any (${ids}::uuid[])`,
    ))
  if (channelId === null) {
    await database.asSystem('send notifications', async (db) => {
      await isEnded(db)
      await mailTo(db, userId, group, parts.baseUrl)
    })
    return
  }
  const problem = await postToChannel(parts, organizationId, channelId, group)
  await database.asSystem('send notifications', async (db) => {
    if (problem === undefined) await isEnded(db)
    else {
      const waitSeconds = retrySeconds[attempts - 1] ?? 0
      await db.execute(
        sql`update notification_deliveries set due_at = now() + make_interval(secs => ${waitSeconds})
            where organization_id = ${organizationId} and id = any (${ids}::uuid[])`,
      )
    }
    await recordSent(db, organizationId, channelId, problem)
  })
}

async function mailTo(db: Db, userId: number | null, group: readonly Due[], baseUrl: string): Promise<void> {
  const { rows } = await db.execute<{ email: string }>(sql`select email from users where id = ${userId}`)
  const [user] = rows
  if (user) await enqueueMail(db, { to: user.email, ...mailMessage(group, baseUrl) })
}

/** Why it was not taken, as a sentence; undefined if it was. */
export async function postToChannel(
  { database, dataKeys, outbound, clock, baseUrl }: Omit<SenderParts, 'log' | 'mail'>,
  organizationId: number,
  channelId: string,
  all: readonly Sent[],
): Promise<string | undefined> {
  const channel = await database.withTenant(organizationId, async (db) => {
    const { rows } = await db.execute<{ kind: 'slack' | 'webhook'; sealed: Buffer }>(
      sql`select kind, sealed_url as sealed from notification_channels
          where organization_id = ${organizationId} and id = ${channelId}`,
    )
    const [row] = rows
    if (row === undefined) return undefined
    const url = await dataKeys.unseal(db, organizationId, row.sealed, channelContext(channelId))
    return { kind: row.kind, url: url.toString('utf8') }
  })
  if (channel === undefined) return 'The channel was deleted.'
  const body = channel.kind === 'slack' ? slackMessage(all, baseUrl) : jsonMessage(all, baseUrl, clock.now())
  try {
    const { status } = await postOutbound(outbound, {
      url: channel.url,
      headers: { 'content-type': 'application/json', 'user-agent': 'Bey' },
      body: JSON.stringify(body),
      timeoutMs,
      maxResponseBytes,
    })
    return status >= 200 && status < 300 ? undefined : `The host answered ${status}.`
  } catch (error) {
    return error instanceof OutboundFailure ? error.message : 'The message could not be sent.'
  }
}
