import { sql } from 'drizzle-orm'

import type { Database, Db } from '../db/database.ts'
import { act, serverItself } from '../act.ts'
import { lockUntilCommit } from '../db/locks.ts'
import { signCheckpoint } from './checkpoints.ts'
import type { SigningKey } from './signing-key.ts'
import { verifyLinks } from './verify.ts'

/** Entries that are removed in one transaction. */
const entriesAtOnce = 2_000

const dayMs = 86_400_000

/**
 * Removes the entries of organizations that keep them for a limited time, oldest first and never out of the middle of a
 * chain. Each removal leaves a signed mark from which the chain begins, and an entry that says how many went.
 */
export async function removeOldEntries(
  database: Pick<Database, 'asSystem'>,
  key: SigningKey,
  now: Date,
): Promise<void> {
  const { rows } = await database.asSystem('remove old audit entries', (db) =>
    db.execute<{ organization_id: number; days: number }>(sql`
      select organization_id, audit_retention_days as days from organization_policies
      where audit_retention_days is not null order by organization_id`),
  )
  for (const { organization_id: organizationId, days } of rows) {
    const before = new Date(now.getTime() - days * dayMs)
    let removed = 0
    for (;;) {
      const count = await database.asSystem('remove old audit entries', (db) =>
        removeSome(db, key, { organizationId, before, now }),
      )
      removed += count
      if (count < entriesAtOnce) break
    }
    if (removed === 0) continue
    await database.asSystem('remove old audit entries', (db) =>
      act(db, serverItself(organizationId), {
        action: 'audit.remove',
        class: 'delete',
        target: { type: 'audit', name: 'Audit log' },
        diff: { entries: removed, before: before.toISOString(), retentionDays: days },
      }),
    )
  }
}

type Removal = { organizationId: number; before: Date; now: Date }

/** Answers how many it removed. */
async function removeSome(
  db: Db,
  key: SigningKey,
  { organizationId, before, now }: Removal,
): Promise<number> {
  // Whoever else removes entries of this organization waits; linking goes on.
  await lockUntilCommit(db, 'auditRetention', organizationId)
  const { rows } = await db.execute<{ position: string; hash: Buffer; count: number }>(sql`
    with oldest as (
      select l.position, l.hash, e.at >= ${before} or e.at is null as is_kept
      from audit_links l
      left join audit_entries e on e.organization_id = l.organization_id and e.seq = l.entry_seq
      where l.organization_id = ${organizationId}
      order by l.position limit ${entriesAtOnce}
    ), old as (
      select position, hash, row_number() over (order by position) as place from oldest
      where position < coalesce((select min(position) from oldest where is_kept), 9223372036854775807)
    )
    select position, hash, place::int as count from old order by position desc limit 1`)
  const [last] = rows
  if (last === undefined) return 0
  const position = Number(last.position)
  // What was tampered with stays, as evidence.
  if (!(await verifyLinks(db, organizationId, 0, position)).isIntact) return 0
  await signCheckpoint(db, key, { organizationId, kind: 'removed', position, at: now, hash: last.hash })
  await db.execute(sql`
    delete from audit_entries e using audit_links l
    where l.organization_id = ${organizationId} and l.position <= ${position}
      and e.organization_id = l.organization_id and e.seq = l.entry_seq`)
  await db.execute(sql`
    delete from audit_links where organization_id = ${organizationId} and position <= ${position}`)
  return last.count
}
