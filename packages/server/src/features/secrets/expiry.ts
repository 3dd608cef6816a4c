import { expiryNoticeDays, type SecretExpiringMessage } from '@bey/contract'
import type { Db } from '../../platform/db/database.ts'
import { enqueue, messageOf } from '../../platform/webhooks/enqueue.ts'
import { type DueSecret, listManagers, listUntold, tryLockSecret } from './due-store.ts'
import type { SecretParts } from './parts.ts'
import { findSecret, touchSecret } from './store.ts'

/** Notifies the managers of a secret, in the transaction that records it. */
type SecretNotice = {
  organizationId: number
  secretId: string
  level: 'warning' | 'error'
  title: string
  detail: string
  userIds: readonly number[]
}
export type OnSecretNotice = (db: Db, notice: SecretNotice) => Promise<void>

const dayMs = 86_400_000

/** Tells the managers of each secret 30, 7 and 1 days ahead of its expiry, and when it is over: each once. */
export function createExpiryNotices(
  { database, clock }: Pick<SecretParts, 'database' | 'clock'>,
  onNotice: OnSecretNotice,
) {
  async function tell(db: Db, due: DueSecret, now: Date): Promise<void> {
    if (!(await tryLockSecret(db, due))) return
    const row = await findSecret(db, due.organizationId, due.id)
    if (row?.expiresAt == null) return
    const leftMs = row.expiresAt.getTime() - now.getTime()
    const days = expiryNoticeDays.findLast((each) => leftMs <= each * dayMs)
    const isNotified = row.expiryNoticeFor?.getTime() === row.expiresAt.getTime()
    if (days === undefined || (isNotified && (row.expiryNoticeDays ?? 0) <= days)) return
    const { organizationId, id: secretId, expiresAt } = row
    const message: SecretExpiringMessage = {
      secretId,
      expiresAt: expiresAt.toISOString(),
      hasExpired: days === 0,
    }
    await enqueue(db, [messageOf(organizationId, 'secret.expiring', message)])
    await touchSecret(db, organizationId, secretId, { expiryNoticeFor: expiresAt, expiryNoticeDays: days })
    await onNotice(db, {
      organizationId,
      secretId,
      level: days === 0 ? 'error' : 'warning',
      title: `Secret ${row.name} ${days === 0 ? 'has expired' : `expires in ${daysText(leftMs)}`}`,
      detail: `${days === 0 ? 'It expired' : 'It expires'} on ${expiresAt.toISOString().slice(0, 10)}. Store a new value, or set another expiry.`,
      userIds: await listManagers(db, due),
    })
  }

  return async function tellOfExpiry(): Promise<void> {
    const now = clock.now()
    const due = await database.asSystem('tell of expiring secrets', (db) => listUntold(db, now))
    for (const secret of due) await database.withTenant(secret.organizationId, (db) => tell(db, secret, now))
  }
}

function daysText(ms: number): string {
  const days = Math.ceil(ms / dayMs)
  return days === 1 ? '1 day' : `${days} days`
}
