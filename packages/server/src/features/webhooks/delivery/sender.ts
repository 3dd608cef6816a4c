import type { Clock } from '../../../platform/clock.ts'
import type { DataKeys } from '../../../platform/crypto/data-keys.ts'
import type { Database } from '../../../platform/db/database.ts'
import { whenDue } from '../../../platform/db/due-work.ts'
import { publish } from '../../../platform/live/publish.ts'
import type { Log } from '../../../platform/log.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { type Opened, openWebhook } from '../secrets.ts'
import { messageBody } from '../body.ts'
import { attempt } from './attempt.ts'
import { type Claimed, claimDue, isDue, releaseClaim } from './claim.ts'
import { type OnDisabled, recordFailure } from './record-failure.ts'
import { recordSuccess } from './record-success.ts'

export type SenderParts = {
  database: Pick<Database, 'asSystem' | 'withTenant' | 'readTenant' | 'isUp' | 'ownerPool'>
  dataKeys: DataKeys
  outbound: Outbound
  clock: Clock
  log: Log
  onDisabled: OnDisabled
  /** Where browsers find the server, for links. */
  baseUrl: () => string
  /** After the outcome of an attempt is recorded. */
  onSent: (sent: Claimed) => void
}

export type Sender = {
  /** Looks for what is due now instead of at the next turn. */
  wake(): void
  /** Breaks off the attempts under way, which are left to other processes or the next start. */
  stop(): Promise<void>
}

type OpenedWebhooks = Map<string, Promise<Opened | undefined>>

const atOnce = 64
/** Open screens hear of a webhook's log at most so often. */
const announcePeriodMs = 700

/** Sends what is due, 64 messages at once. Several servers of one database share the work. */
export function startSender(parts: SenderParts): Sender {
  const { database, dataKeys, outbound, clock, log } = parts
  const busy = new Set<Promise<void>>()
  const announcements = new Map<string, () => void>()
  let checking: Promise<void> | undefined
  let isAskedAgain = false
  const stopping = new AbortController()

  async function check(): Promise<void> {
    do {
      isAskedAgain = false
      const limit = atOnce - busy.size
      if (limit <= 0) return
      const claimed = await database.asSystem('send webhooks', (db) => claimDue(db, limit))
      // Each webhook of this turn is opened once.
      const opened = new Map<string, Promise<Opened | undefined>>()
      for (const each of claimed) begin(each, opened)
    } while (isAskedAgain && !stopping.signal.aborted)
  }

  function open({ organizationId, webhookId }: Claimed, opened: OpenedWebhooks) {
    const found =
      opened.get(webhookId) ??
      database.withTenant(organizationId, (db) => openWebhook(db, dataKeys, { organizationId, webhookId }))
    opened.set(webhookId, found)
    return found
  }

  function begin(claimed: Claimed, opened: OpenedWebhooks): void {
    const work = send(claimed, opened)
      .catch((error: unknown) => {
        log.warn(
          { err: error, deliveryId: claimed.id },
          'A webhook was not sent, or its outcome not recorded',
        )
      })
      .finally(() => {
        busy.delete(work)
        wake()
      })
    busy.add(work)
  }

  async function send(claimed: Claimed, opened: OpenedWebhooks): Promise<void> {
    const { organizationId, webhookId } = claimed
    const to = await open(claimed, opened)
    if (to === undefined) return
    const { signal } = stopping
    const message = { eventId: claimed.eventId, body: messageBody(claimed, parts.baseUrl()) }
    const outcome = await attempt(outbound, message, to, { now: clock.now(), signal })
    if (signal.aborted && !outcome.isSuccess) {
      await database.withTenant(organizationId, (db) => releaseClaim(db, claimed))
      return
    }
    await database.withTenant(organizationId, (db) =>
      outcome.isSuccess
        ? recordSuccess(db, claimed, outcome)
        : recordFailure(db, claimed, outcome, { clock, onDisabled: parts.onDisabled, random: Math.random }),
    )
    announce(organizationId, webhookId)
    parts.onSent(claimed)
  }

  /** Events of one webhook's log are bundled: at 200 messages a second nobody can read each. */
  function announce(organizationId: number, webhookId: string): void {
    if (announcements.has(webhookId)) return
    const cancel = clock.setTimeout(() => {
      announcements.delete(webhookId)
      database
        .withTenant(organizationId, (db) =>
          publish(db, { organizationId, type: 'WEBHOOKS_UPDATE', data: { webhookId } }),
        )
        .catch((error: unknown) => log.debug({ err: error }, 'The log of a webhook was not announced'))
    }, announcePeriodMs)
    announcements.set(webhookId, cancel)
  }

  function wake(): void {
    if (stopping.signal.aborted || !database.isUp()) return
    isAskedAgain = true
    checking ??= check()
      .catch((error: unknown) => log.warn({ err: error }, 'Webhooks that are due were not found'))
      .finally(() => (checking = undefined))
  }
  wake()
  const cancel = whenDue({ database, clock, log }, { isDue, begin: wake })
  return {
    wake,
    async stop() {
      stopping.abort()
      cancel()
      await checking
      await Promise.all(busy)
      for (const cancelAnnouncement of announcements.values()) cancelAnnouncement()
    },
  }
}
