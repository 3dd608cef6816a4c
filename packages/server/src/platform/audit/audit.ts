import type { AuditClass, AuditOutcome, AuditVia } from '@bey/contract/audit-rules'

import { auditEntries } from '../../tables/audit-entries.ts'
import { uuidv7 } from '../crypto/uuid.ts'
import type { Db } from '../db/transaction.ts'
import { currentGrounds, noteRefusal } from './grounds.ts'
import { currentKey } from '../keys/key-rights.ts'
import { currentImpersonator } from './impersonation.ts'

export type AuditEntry = {
  /** 0 for the server itself; that needs `asSystem`. */
  organizationId: number
  actor: { type: 'user' | 'system' | 'token' | 'api_key'; id?: string | number; display: string }
  via: AuditVia
  /** `noun.verb` in the past or the permission's words, e.g. `cluster.create`. */
  action: string
  class: AuditClass
  target?: { type: string; id?: string | number; name?: string }
  /** `unknown` for an intent, which is written before the act: `intentId` of a later entry says how it ended. */
  outcome?: AuditOutcome
  intentId?: string | undefined
  ip?: string | undefined
  userAgent?: string | undefined
  requestId?: string | undefined
  runId?: string | undefined
  /** What changed. Never a secret's value. */
  diff?: Record<string, unknown>
}

/** Appends to the organization's trail inside the change's own transaction: both happen or neither. */
export async function audit(db: Db, entry: AuditEntry): Promise<void> {
  await insertAudit(db, [auditRow(entry)])
}

/** Number and hash are set by the database. */
export type AuditRow = typeof auditEntries.$inferInsert

export async function insertAudit(db: Db, rows: AuditRow[]): Promise<void> {
  await db.insert(auditEntries).values(rows)
}

/** An entry as it will be stored, in the name of the caller of the current request. */
export function auditRow(entry: AuditEntry): AuditRow & { id: string } {
  const { actor, via } = byKey(entry)
  const { target } = entry
  const impersonatedBy = currentImpersonator()
  if (entry.outcome === 'denied') noteRefusal()
  return {
    organizationId: entry.organizationId,
    id: uuidv7(),
    actorType: actor.type,
    actorId: actor.id?.toString(),
    actorDisplay: actor.display,
    via,
    action: entry.action,
    class: entry.class,
    targetType: target?.type,
    targetId: target?.id?.toString(),
    targetName: target?.name,
    outcome: entry.outcome ?? 'success',
    intentId: entry.intentId,
    ip: entry.ip,
    userAgent: entry.userAgent?.slice(0, 500),
    requestId: entry.requestId,
    runId: entry.runId,
    grounds: entry.actor.type === 'system' ? undefined : currentGrounds(),
    diff: impersonatedBy ? { ...entry.diff, impersonatedBy } : entry.diff,
  }
}

/** What a request by an API key does is the key's act, not that of the person in whose name it writes. */
function byKey({ actor, via }: AuditEntry): Pick<AuditEntry, 'actor' | 'via'> {
  const key = currentKey()
  if (key === undefined || actor.type !== 'user') return { actor, via }
  return { actor: { type: 'api_key', id: key.id, display: key.name }, via: via === 'console' ? 'api' : via }
}
