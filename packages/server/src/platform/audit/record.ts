import type { AuditClass } from '@bey/contract'
import { sql } from 'drizzle-orm'

import type { Db } from '../db/database.ts'

/**
 * An entry as it leaves the server, with what proves it. `text` is what `entryHash` covers (SHA-256), and `hash` covers
 * the entry's link: anybody can compute both again, and compare `hash` at a signed position with its checkpoint.
 */
export type AuditRecord = {
  /** Its place in the chain, from 1. */
  number: number
  id: string
  at: string
  /** `email` of a person; null in entries from before it was recorded. */
  actor: { type: string; id: string | null; name: string; email: string | null }
  via: string
  action: string
  class: string
  target: { type: string; id: string | null; name: string | null } | null
  outcome: string
  intentId: string | null
  ip: string | null
  userAgent: string | null
  requestId: string | null
  runId: string | null
  diff: Record<string, unknown> | null
  grounds: Record<string, unknown> | null
  proof: { sequence: number; text: string; entryHash: string; previousHash: string; hash: string }
}

export type RecordRange = {
  /** Positions after this one. */
  after: number
  through: number
  /** Empty: every class. */
  classes: readonly AuditClass[]
  limit: number
}

/** Linked entries of a range of the chain in its order. */
export async function listRecords(
  db: Db,
  organizationId: number,
  { after, through, classes, limit }: RecordRange,
): Promise<AuditRecord[]> {
  const ofClass = classes.length === 0 ? sql`` : sql` and e.class = any (${sql.param(classes)}::text[])`
  const { rows } = await db.execute<RecordRow>(sql`
    select ${recordColumns}
    from audit_links l
    join audit_entries e on e.organization_id = l.organization_id and e.seq = l.entry_seq${ofClass}
    where l.organization_id = ${organizationId} and l.position > ${after} and l.position <= ${through}
    order by l.position limit ${limit}`)
  return rows.map(auditRecord)
}

/** Of an entry `e` and its link `l`. */
export const recordColumns = sql`l.position, l.entry_seq as "sequence", encode(l.entry_hash, 'hex') as "entryHash",
  encode(l.prev_hash, 'hex') as "previousHash", encode(l.hash, 'hex') as hash, audit_text(e) as text, e.id, e.at,
  e.actor_type as "actorType", e.actor_id as "actorId", e.actor_display as "actorDisplay",
  e.actor_email as "actorEmail", e.via, e.action, e.class,
  e.target_type as "targetType", e.target_id as "targetId", e.target_name as "targetName", e.outcome,
  e.intent_id as "intentId", e.ip, e.user_agent as "userAgent", e.request_id as "requestId", e.run_id as "runId",
  e.diff, e.grounds`

export type RecordRow = Pick<
  AuditRecord,
  | 'id'
  | 'at'
  | 'via'
  | 'action'
  | 'class'
  | 'outcome'
  | 'intentId'
  | 'ip'
  | 'userAgent'
  | 'requestId'
  | 'runId'
  | 'diff'
  | 'grounds'
> &
  Omit<AuditRecord['proof'], 'sequence'> & {
    position: string
    sequence: string
    actorType: string
    actorId: string | null
    actorDisplay: string
    actorEmail: string | null
    targetType: string | null
    targetId: string | null
    targetName: string | null
  }

export function auditRecord(row: RecordRow): AuditRecord {
  return {
    number: Number(row.position),
    id: row.id,
    at: new Date(row.at).toISOString(),
    actor: { type: row.actorType, id: row.actorId, name: row.actorDisplay, email: row.actorEmail },
    via: row.via,
    action: row.action,
    class: row.class,
    target: row.targetType === null ? null : { type: row.targetType, id: row.targetId, name: row.targetName },
    outcome: row.outcome,
    intentId: row.intentId,
    ip: row.ip,
    userAgent: row.userAgent,
    requestId: row.requestId,
    runId: row.runId,
    diff: row.diff,
    grounds: row.grounds,
    proof: {
      sequence: Number(row.sequence),
      text: row.text,
      entryHash: row.entryHash,
      previousHash: row.previousHash,
      hash: row.hash,
    },
  }
}
