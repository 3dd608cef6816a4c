import { sql } from 'drizzle-orm'

import { auditEntries } from '../../tables/audit-entries.ts'
import { uuidv7 } from '../crypto/uuid.ts'
import type { Db } from '../db/transaction.ts'
import { currentImpersonator } from './impersonation.ts'

/** Where an act came from. */
type AuditVia = 'console' | 'api' | 'cli' | 'kubectl' | 'workflow' | 'system'

/** What kind of act it was: what people filter by. */
type AuditClass = 'auth' | 'create' | 'update' | 'delete' | 'read' | 'execute' | 'access'

export type AuditEntry = {
  /** 0 for the server itself; that needs `asSystem`. */
  organizationId: number
  actor: { type: 'user' | 'system' | 'token'; id?: string | number; display: string }
  via: AuditVia
  /** `noun.verb` in the past or the permission's words, e.g. `cluster.create`. */
  action: string
  class: AuditClass
  target?: { type: string; id?: string | number; name?: string }
  outcome?: 'success' | 'failure' | 'denied'
  ip?: string | undefined
  userAgent?: string | undefined
  requestId?: string | undefined
  runId?: string | undefined
  /** What changed. Never a secret's value. */
  diff?: Record<string, unknown>
}

/**
 * Appends to the organization's trail inside the change's own transaction: both happen or neither. Number,
 * previous hash and hash are set by the database, which holds the end of the chain locked until the
 * transaction ends, so write the audit row last.
 */
export async function audit(db: Db, entry: AuditEntry): Promise<void> {
  const { actor, target } = entry
  const impersonatedBy = currentImpersonator()
  await db.insert(auditEntries).values({
    organizationId: entry.organizationId,
    id: uuidv7(),
    actorType: actor.type,
    actorId: actor.id?.toString(),
    actorDisplay: actor.display,
    via: entry.via,
    action: entry.action,
    class: entry.class,
    targetType: target?.type,
    targetId: target?.id?.toString(),
    targetName: target?.name,
    outcome: entry.outcome ?? 'success',
    ip: entry.ip,
    userAgent: entry.userAgent?.slice(0, 500),
    requestId: entry.requestId,
    runId: entry.runId,
    diff: impersonatedBy ? { ...entry.diff, impersonatedBy } : entry.diff,
  })
}

export type AuditVerdict =
  | { isIntact: true; entries: number }
  /** `seq` is the first entry that does not fit; `problem` says why in words. */
  | { isIntact: false; seq: number; problem: string }

/** Recomputes an organization's chain from its first entry to its last and compares it with the noted end. */
export async function verifyAudit(db: Db, organizationId: number): Promise<AuditVerdict> {
  const { rows } = await db.execute<{ entries: number; seq: number | null; problem: string | null }>(
    sql`select entries, seq, problem from verify_audit(${organizationId})`,
  )
  const [found] = rows
  if (found === undefined) throw new Error('verify_audit gave no answer')
  if (found.problem === null) return { isIntact: true, entries: Number(found.entries) }
  return { isIntact: false, seq: Number(found.seq), problem: found.problem }
}
