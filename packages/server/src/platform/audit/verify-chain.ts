import { sql } from 'drizzle-orm'

import type { Database, Db } from '../db/database.ts'
import { checkCheckpoints } from './checkpoints.ts'
import { type AuditVerdict, verifyAudit, verifyLinks } from './verify.ts'

/** Entries that are looked at in one statement, and statements at once. */
const entriesAtOnce = 10_000
const stepsAtOnce = 2

/** The positions of the first entry that is kept, less one, and of the last. */
async function rangeOf(db: Db, organizationId: number): Promise<{ start: number; end: number }> {
  const { rows } = await db.execute<{ start: string; end: string }>(sql`
    select coalesce((select max(position) from audit_checkpoints
        where organization_id = ${organizationId} and kind = 'removed'), 0) as start,
      greatest((select max(position) from audit_links where organization_id = ${organizationId}),
        (select seq from audit_heads where organization_id = ${organizationId}), 0) as end`)
  return { start: Number(rows[0]?.start), end: Number(rows[0]?.end) }
}

export type ChainVerdict = AuditVerdict & {
  /** The newest checkpoint that the chain agrees with; undefined while there is none. */
  checkpoint: { at: Date; keyId: string } | undefined
}

type Progress = { checked: number; total: number }

/**
 * The same in steps, each in a transaction of its own, so that a chain of millions holds nothing up; then compares the
 * chain with its signed checkpoints. Where several entries do not fit, it answers the first.
 */
export async function verifyChain(
  database: Pick<Database, 'readTenant'>,
  organizationId: number,
  publicKeys: ReadonlyMap<string, string>,
  onProgress: (progress: Progress) => Promise<void>,
): Promise<ChainVerdict> {
  const read = <T>(work: (db: Db) => Promise<T>) => database.readTenant(organizationId, work)
  const { start, end } = await read((db) => rangeOf(db, organizationId))
  const signed = await read((db) => checkCheckpoints(db, organizationId, publicKeys))
  const checkpoint = signed.newest
  let entries = 0
  let verdict: AuditVerdict = { isIntact: true, entries: 0 }
  for (let after = start; verdict.isIntact; after += stepsAtOnce * entriesAtOnce) {
    const isLast = after + stepsAtOnce * entriesAtOnce >= end
    const steps = await Promise.all(
      Array.from({ length: stepsAtOnce }, (_, n) => after + n * entriesAtOnce).map((from) =>
        // What is linked meanwhile belongs to the last step, which looks at the end of the chain too.
        read<AuditVerdict>(async (db) =>
          from > start && from >= end
            ? { isIntact: true, entries: 0 }
            : verifyStep(db, organizationId, from, end),
        ),
      ),
    )
    for (const step of steps) {
      verdict = step
      if (!step.isIntact) break
      entries += step.entries
    }
    await onProgress({ checked: entries, total: Math.max(entries, end - start) })
    if (isLast) break
  }
  if (!verdict.isIntact && (!signed.fault || verdict.position <= signed.fault.position)) {
    return { ...verdict, checkpoint }
  }
  if (signed.fault) return { isIntact: false, ...signed.fault, checkpoint }
  return { isIntact: true, entries, checkpoint }
}

/** The links after `from`; those of the last step have no limit. */
function verifyStep(db: Db, organizationId: number, from: number, end: number): Promise<AuditVerdict> {
  const upTo = from + entriesAtOnce
  if (upTo < end) return verifyLinks(db, organizationId, from, upTo)
  return verifyAudit(db, organizationId, from)
}
