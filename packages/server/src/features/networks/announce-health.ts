import { healthMoveAfterMs } from '@bey/contract'
import { sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import type { NoticeHealth } from '../notifications/health-notices.ts'
import type { NetworkParts } from './parts.ts'
import { presentNetwork } from './present.ts'
import { findNetwork } from './store.ts'

/**
 * Notifies the members of the organization of trouble of a network that lasts, and of its end: once each. A change that is
 * under way is neither.
 */
export async function announceHealth(
  {
    database,
    clock,
    noticeHealth,
  }: Pick<NetworkParts, 'database' | 'clock'> & { noticeHealth: NoticeHealth },
  { organizationId, id }: { organizationId: number; id: string },
): Promise<void> {
  await database.withTenant(organizationId, async (db) => {
    const to = await claimAnnouncement(db, organizationId, id, clock.now())
    const row = to && (await findNetwork(db, organizationId, id))
    if (!to || !row) return
    await noticeHealth(db, {
      organizationId,
      subject: { type: 'network', id, name: row.name },
      href: `/networking/${id}`,
      to,
      health: presentNetwork(row, []).health,
    })
  })
}

/** What the members are to be told now: the state has lasted long enough, and they were not told of it yet. */
async function claimAnnouncement(
  db: Db,
  organizationId: number,
  id: string,
  now: Date,
): Promise<'trouble' | 'recovery' | undefined> {
  const { rows } = await db.execute<{ announced: 'trouble' | 'recovery' }>(sql`
    update networks set announced = case status when 'active' then 'recovery' else 'trouble' end
    where organization_id = ${organizationId} and id = ${id} and deleted_at is null
      and status_since <= ${now.toISOString()}::timestamptz - make_interval(secs => ${healthMoveAfterMs / 1_000})
      and ((status = 'active' and announced = 'trouble')
        or (status in ('degraded', 'error') and announced is distinct from 'trouble'))
    returning announced`)
  return rows[0]?.announced
}
