import { insightLimits } from '@bey/contract/databases/insight-locks'
import { queryLimits } from '@bey/contract/databases/rules'
import { notificationBounds } from '@bey/contract/notifications/rules'
import { and, eq, isNotNull, lt, or, sql } from 'drizzle-orm'

import { accessTickets } from '../../tables/access-tickets.ts'
import { apiKeys, apiKeySecrets } from '../../tables/api-keys.ts'
import { databaseLockMinutes } from '../../tables/database-lock-minutes.ts'
import { databaseSqlHistory } from '../../tables/database-queries.ts'
import { databaseStatementPoints, databaseStatements } from '../../tables/database-statements.ts'
import { deviceLogins } from '../../tables/device-logins.ts'
import { errorGroups, errorHours } from '../../tables/error-groups.ts'
import { errorOccurrences } from '../../tables/error-occurrences.ts'
import { idempotencyKeys } from '../../tables/idempotency-keys.ts'
import { invitations } from '../../tables/invitations.ts'
import { kubeconfigTokens } from '../../tables/kubeconfig-tokens.ts'
import { notificationDeliveries } from '../../tables/notification-deliveries.ts'
import { mailOutbox } from '../../tables/mail-outbox.ts'
import { notifications } from '../../tables/notifications.ts'
import { peers } from '../../tables/peers.ts'
import { processes } from '../../tables/processes.ts'
import { secretShares } from '../../tables/secret-shares.ts'
import { sessions } from '../../tables/sessions.ts'
import { triggerEvents } from '../../tables/trigger-events.ts'
import { signInTickets } from '../../tables/sign-in-tickets.ts'
import { firstUuidv7 } from '../crypto/uuid.ts'
import type { Db } from './database.ts'

const dayMs = 24 * 3_600_000

/** Occurrences of errors that an organization keeps; the newest of all its errors together. */
export const maxOccurrencesKept = 10_000

/** Each person keeps so many in each organization. Most hold far fewer, so only those who hold more are looked at. */
const surplusNotifications = sql`
  delete from notifications n using (
    select f.organization_id, f.user_id, k.at, k.id
    from (
      select organization_id, user_id from notifications
      group by organization_id, user_id having count(*) > ${notificationBounds.maxKept}
    ) f
    cross join lateral (
      select k.at, k.id from notifications k
      where k.organization_id = f.organization_id and k.user_id = f.user_id
      order by k.at desc, k.id desc offset ${notificationBounds.maxKept - 1} limit 1
    ) k
  ) kept
  where n.organization_id = kept.organization_id and n.user_id = kept.user_id
    and (n.at, n.id) < (kept.at, kept.id)`

const surplusOccurrences = sql`
  delete from error_occurrences o using (
    select f.organization_id, k.id
    from (
      select organization_id from error_occurrences
      group by organization_id having count(*) > ${maxOccurrencesKept}
    ) f
    cross join lateral (
      select k.id from error_occurrences k where k.organization_id = f.organization_id
      order by k.id desc offset ${maxOccurrencesKept - 1} limit 1
    ) k
  ) kept
  where o.organization_id = kept.organization_id and o.id < kept.id`

/**
 * Deletes what has run out: idempotency keys after 24 h, sessions, kubeconfig tokens, API keys and links to secrets 30 days after
 * their end (what such a link holds at its end), errors
 * that did not happen for 90 days, or for 30 after they were resolved, their counts by the hour after 15 days, their
 * occurrences after 30 days or beyond the newest 10,000 of an organization, notifications after 90 days, what they sent
 * elsewhere and what arrived at triggers after 7 days, mails 7 days after their end, invitations 30 days after theirs,
 * figures of statements by the minute after 3 h, by the hour after 15 days, statements that
 * somebody executed in a database after 30 days.
 */
export async function deleteExpired(db: Db, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * dayMs)
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, before(1)))
  await db.delete(sessions).where(lt(sessions.expiresAt, now))
  // Kept for a while: people look up what a token was when they find it somewhere.
  await db
    .delete(kubeconfigTokens)
    .where(
      or(
        lt(kubeconfigTokens.expiresAt, before(30)),
        and(isNotNull(kubeconfigTokens.revokedAt), lt(kubeconfigTokens.revokedAt, before(30))),
      ),
    )
  await db
    .delete(apiKeys)
    .where(
      or(
        and(isNotNull(apiKeys.expiresAt), lt(apiKeys.expiresAt, before(30))),
        and(isNotNull(apiKeys.revokedAt), lt(apiKeys.revokedAt, before(30))),
      ),
    )
  await db.delete(apiKeySecrets).where(lt(apiKeySecrets.validUntil, before(30)))
  await db.delete(accessTickets).where(lt(accessTickets.expiresAt, now))
  await db.delete(deviceLogins).where(lt(deviceLogins.expiresAt, now))
  await db.delete(signInTickets).where(lt(signInTickets.expiresAt, now))
  await db
    .delete(errorGroups)
    .where(
      or(
        lt(errorGroups.lastSeenAt, before(90)),
        and(eq(errorGroups.status, 'resolved'), lt(errorGroups.lastSeenAt, before(30))),
      ),
    )
  // An expired link loses its ciphertext; its row is shown for some time.
  await db
    .update(secretShares)
    .set({ ciphertext: null })
    .where(and(lt(secretShares.expiresAt, now), isNotNull(secretShares.ciphertext)))
  await db.delete(secretShares).where(lt(secretShares.expiresAt, before(30)))
  await db.delete(errorHours).where(lt(errorHours.hour, before(15)))
  // UUIDv7 ids contain the time and are indexed.
  await db.delete(errorOccurrences).where(lt(errorOccurrences.id, firstUuidv7(before(30).getTime())))
  await db.execute(surplusOccurrences)
  await db.delete(notificationDeliveries).where(lt(notificationDeliveries.at, before(7)))
  await db.delete(notifications).where(lt(notifications.at, before(notificationBounds.keptDays)))
  await db.execute(surplusNotifications)
  await db.delete(triggerEvents).where(lt(triggerEvents.at, before(7)))
  await db
    .delete(invitations)
    .where(or(lt(invitations.endedAt, before(30)), lt(invitations.expiresAt, before(30))))
  await db.delete(mailOutbox).where(lt(mailOutbox.endedAt, before(7)))
  const points = databaseStatementPoints
  await db
    .delete(points)
    .where(
      or(
        and(eq(points.step, 'minute'), lt(points.at, before(1 / 8))),
        and(eq(points.step, 'hour'), lt(points.at, before(15))),
      ),
    )
  await db.delete(databaseStatements).where(lt(databaseStatements.lastSeenAt, before(15)))
  await db.delete(databaseLockMinutes).where(lt(databaseLockMinutes.at, before(insightLimits.keptHours / 24)))
  await db.delete(databaseSqlHistory).where(lt(databaseSqlHistory.at, before(queryLimits.historyDays)))
  await db.delete(processes).where(lt(processes.heartbeatAt, before(1)))
  await db.delete(peers).where(lt(peers.heartbeatAt, before(1)))
}
