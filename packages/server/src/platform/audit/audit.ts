import type { AuditClass, AuditOutcome, AuditVia } from '@bey/contract/audit/rules'

import { auditEntries } from '../../tables/audit-entries.ts'
import { uuidv7 } from '../crypto/uuid.ts'
import type { Db } from '../db/transaction.ts'
import { currentGrounds, noteRefusal } from './grounds.ts'
import { currentKey } from '../keys/key-rights.ts'
import { viaNow } from './assistant.ts'
import { currentImpersonator } from './impersonation.ts'

export type AuditEntry = {
  /** 0 for the server itself; that needs `asSystem`. */
  organizationId: number
  actor: {
    type: 'user' | 'system' | 'token' | 'api_key'
    id?: string | number
    name: string
    /** Of a person; null for whatever is none. */
    email: string | null
  }
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
  const actor = actorOf(entry)
  const { target } = entry
  const impersonatedBy = currentImpersonator()
  if (entry.outcome === 'denied') noteRefusal()
  return {
    organizationId: entry.organizationId,
    id: uuidv7(),
    actorType: actor.type,
    actorId: actor.id?.toString(),
    actorDisplay: actor.name,
    actorEmail: actor.email,
    via: viaOf(entry),
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
function actorOf({ actor }: AuditEntry): AuditEntry['actor'] {
  const key = currentKey()
  return key === undefined || actor.type !== 'user'
    ? actor
    : { type: 'api_key', id: key.id, name: key.name, email: null }
}

/** The console is a page in a browser: what a script does with somebody's session came by the API, as with a key. */
function viaOf({ actor, via, userAgent }: AuditEntry): AuditVia {
  if (via === 'workflow' || actor.type === 'system') return via
  if (viaNow(via) === 'mcp') return 'mcp'
  if (via !== 'console') return via
  const isKey = currentKey() !== undefined && actor.type === 'user'
  return isKey || (userAgent !== undefined && !isBrowser(userAgent)) ? 'api' : 'console'
}

/** Every browser begins so (https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/User-Agent); programs name themselves. */
function isBrowser(userAgent: string): boolean {
  return userAgent.startsWith('Mozilla/5.0 (')
}
