import { sql } from 'drizzle-orm'

import type { Db } from '../db/database.ts'

export type AuditVerdict =
  | { isIntact: true; entries: number }
  /** `position` in the chain, from 1, of the first entry that does not fit; `problem` says why in words. */
  | { isIntact: false; position: number; problem: string }

/**
 * Recomputes the chain from the position after `from` to its end, compares it with the noted end, and checks the entries
 * that are not linked yet. Without `from` it starts at the first entry that is kept.
 */
export async function verifyAudit(db: Db, organizationId: number, from = 0): Promise<AuditVerdict> {
  return ask(db, sql`verify_audit(${organizationId}, ${from})`)
}

/** The links after the position `from` up to `upTo` alone, each with its entry. */
export async function verifyLinks(
  db: Db,
  organizationId: number,
  from: number,
  upTo: number,
): Promise<AuditVerdict> {
  return ask(db, sql`verify_audit(${organizationId}, ${from}, ${upTo})`)
}

async function ask(db: Db, call: ReturnType<typeof sql>): Promise<AuditVerdict> {
  const { rows } = await db.execute<{
    entries: number
    faulty_position: number | null
    problem: string | null
  }>(sql`select entries, faulty_position, problem from ${call}`)
  const [found] = rows
  if (found === undefined) throw new Error('verify_audit gave no answer')
  if (found.problem === null) return { isIntact: true, entries: Number(found.entries) }
  return { isIntact: false, position: Number(found.faulty_position), problem: found.problem }
}
