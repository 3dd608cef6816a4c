import type { HandlerOutput, Notification, ParsedInput } from '@bey/contract'
import { notificationBounds } from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import { actAs } from '../../platform/db/acting-user.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { redactText } from '@bey/contract/base/redact-text'
import type { Publish } from '../workflows/ports.ts'
import { formatCursor, parseCursor } from './cursor.ts'
import {
  countUnread,
  deleteNotification,
  deleteRead,
  findNotification,
  insertNotifications,
  listNotifications,
  type NotificationRow,
  readUntil,
  type Recipient,
  setRead,
  trimNotifications,
} from './store.ts'

/** A browser that was offline reports late, and its clock may be wrong: older times are clamped to this age. */
const latestDelayMs = 24 * 3_600_000

type Recorded = ParsedInput<'notifications.record'>['body']['notifications'][number]

/** The notifications of a user. Reading them is not audited: it changes nothing in the organization. */
export function createNotifications(options: {
  database: Pick<Database, 'withTenant' | 'readTenant'>
  publish: Publish
  clock: Clock
}) {
  const { database, publish, clock } = options

  const reading = <T>(of: Recipient, work: (db: Db) => Promise<T>) =>
    database.readTenant(of.organizationId, async (db) => {
      await actAs(db, of.userId)
      return work(db)
    })

  /** Notifies the other tabs and devices of this user if `work` reports a change. */
  const changing = <T>(of: Recipient, work: (db: Db) => Promise<{ isChanged: boolean; reply: T }>) =>
    database.withTenant(of.organizationId, async (db) => {
      await actAs(db, of.userId)
      const { isChanged, reply } = await work(db)
      if (isChanged) {
        const { organizationId, userId } = of
        await publish(db, [{ organizationId, type: 'NOTIFICATIONS_UPDATE', data: { userId } }])
      }
      return keepReply(db, reply)
    })

  return {
    list(of: Recipient, query: ParsedInput<'notifications.list'>['query']) {
      const after = parseCursor(query.cursor)
      return reading(of, async (db): Promise<HandlerOutput<'notifications.list'>> => {
        // One row more than the page shows whether there is a next one.
        const rows = await listNotifications(db, of, { ...query, limit: query.limit + 1 }, after)
        const page = rows.slice(0, query.limit)
        const last = page.at(-1)
        return {
          notifications: page.map(present),
          nextCursor: rows.length > query.limit && last ? formatCursor(last) : null,
        }
      })
    },

    unread: (of: Recipient) => reading(of, async (db) => ({ unreadCount: await countUnread(db, of) })),

    /** What events are delivered with: how many each recipient has not read. */
    async unreadOf(organizationId: number, events: readonly { userId: number }[]) {
      const counts = new Map<number, number>()
      for (const userId of new Set(events.map((event) => event.userId))) {
        // oxlint-disable-next-line no-await-in-loop -- mostly one, and never many at once
        counts.set(
          userId,
          await reading({ organizationId, userId }, (db) => countUnread(db, { organizationId, userId })),
        )
      }
      return events.map(({ userId }) => ({ unreadCount: counts.get(userId) ?? 0 }))
    },

    record: (of: Recipient, recorded: readonly Recorded[]) =>
      changing(of, async (db) => {
        const now = clock.now().getTime()
        await insertNotifications(
          db,
          of,
          recorded.map((each) => rowOf(each, now)),
        )
        await trimNotifications(db, of)
        return { isChanged: true, reply: { unreadCount: await countUnread(db, of) } }
      }),

    readAll: (of: Recipient, until: Date) =>
      changing(of, async (db) => {
        const changed = await readUntil(db, of, until, clock.now())
        return { isChanged: changed > 0, reply: { unreadCount: await countUnread(db, of) } }
      }),

    update: (of: Recipient, id: string, isRead: boolean) =>
      changing(of, async (db) => {
        const isChanged = await setRead(db, of, id, isRead ? clock.now() : null)
        const row = await findNotification(db, of, id)
        return { isChanged, reply: present(row ?? missing()) }
      }),

    dismiss: (of: Recipient, id: string) =>
      changing(of, async (db) => {
        if (!(await deleteNotification(db, of, id))) return missing()
        return { isChanged: true, reply: null }
      }),

    clear: (of: Recipient) =>
      changing(of, async (db) => {
        const dismissedCount = await deleteRead(db, of)
        return { isChanged: dismissedCount > 0, reply: { dismissedCount } }
      }),
  }
}

export type Notifications = ReturnType<typeof createNotifications>

function rowOf({ id, level, title, detail, requestId, href, at, isRead }: Recorded, now: number) {
  const shownAt = Math.min(now, Math.max(now - latestDelayMs, Date.parse(at)))
  return {
    id,
    kind: 'toast' as const,
    level,
    title: withoutSecrets(title, notificationBounds.maxTitle) ?? title,
    detail: withoutSecrets(detail, notificationBounds.maxDetail),
    requestId: requestId || null,
    href: href ?? null,
    at: new Date(shownAt),
    readAt: isRead ? new Date(now) : null,
  }
}

/** What is put in place of a secret may be longer than it. */
function withoutSecrets(text: string | undefined, maxLength: number): string | null {
  return text ? redactText(text).slice(0, maxLength) : null
}

function present(row: NotificationRow): Notification {
  const { subjectType, subjectId, subjectName, isSubjectGone, at, readAt, ...rest } = row
  const subject =
    subjectType === null || subjectId === null
      ? null
      : { type: subjectType, id: subjectId, name: subjectName ?? '', isGone: isSubjectGone }
  return { ...rest, subject, at: at.toISOString(), readAt: readAt?.toISOString() ?? null }
}

function missing(): never {
  throw new AppError('not_found', 'This notification does not exist any more.')
}
