import type { AuditClass, AuditOutcome, AuditVia } from '@bey/contract'
import { actorText } from '@bey/contract'
import { auditBounds } from '@bey/contract/audit/rules'
import { sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import type { AuditGrounds } from '../../tables/audit-entries.ts'
import type { AuditCursor } from './cursor.ts'
import { type AuditFilter, matching } from './filter.ts'

export type EntryRow = {
  seq: string
  id: string
  at: string
  actorType: string
  actorId: string | null
  actorDisplay: string
  actorEmail: string | null
  via: AuditVia
  action: string
  class: AuditClass
  targetType: string | null
  targetId: string | null
  targetName: string | null
  objectKey: string | null
  outcome: AuditOutcome
  intentId: string | null
  ip: string | null
  userAgent: string | null
  requestId: string | null
  runId: string | null
  diff: Record<string, unknown> | null
  position: string | null
}

const columns = sql`e.seq, e.id, e.at, e.actor_type as "actorType", e.actor_id as "actorId",
  e.actor_display as "actorDisplay", e.actor_email as "actorEmail", e.via, e.action, e.class, e.target_type as "targetType",
  e.target_id as "targetId", e.target_name as "targetName", e.object_key as "objectKey", e.outcome,
  e.intent_id as "intentId", e.ip, e.user_agent as "userAgent", e.request_id as "requestId", e.run_id as "runId",
  e.diff, l.position`

type Page = { before?: AuditCursor; limit: number; isComplete?: boolean }

/** The newest entries that match. `isComplete`: with announcements whose end is known. */
export async function listEntries(
  db: Db,
  organizationId: number,
  filter: AuditFilter,
  page: Page,
): Promise<EntryRow[]> {
  const keys = await matching(db, organizationId, filter, page)
  const { rows } = await db.execute<EntryRow>(sql`
    select ${columns}
    from (${keys}) k
    join audit_entries e on e.organization_id = ${organizationId} and e.seq = k.seq
    left join audit_links l on l.organization_id = e.organization_id and l.entry_seq = e.seq
    order by e.at desc, e.seq desc`)
  return rows
}

/** How many match, counted up to `max` + 1. */
export async function countEntries(
  db: Db,
  organizationId: number,
  filter: AuditFilter,
  max: number,
  isComplete = false,
): Promise<number> {
  const keys = await matching(db, organizationId, filter, { limit: max + 1, isComplete, isCount: true })
  const { rows } = await db.execute<{ count: number }>(sql`select count(*)::int as count from (${keys}) k`)
  return rows[0]?.count ?? 0
}

export type EntryDetailRow = EntryRow & {
  grounds: AuditGrounds | null
  linkHash: Buffer | null
  previousHash: Buffer | null
  isIntact: boolean | null
  counterpartId: string | null
  counterpartPosition: string | null
  counterpartOutcome: AuditOutcome | null
}

/** One entry with its link, whether that joins its neighbours, and the entry that announced or ended the same act. */
export async function findEntry(
  db: Db,
  organizationId: number,
  id: string,
): Promise<EntryDetailRow | undefined> {
  const { rows } = await db.execute<EntryDetailRow>(sql`
    select ${columns}, e.grounds, l.hash as "linkHash", l.prev_hash as "previousHash",
      e.hash = audit_hash(e) and l.entry_hash = e.hash and l.hash = audit_link_hash(l)
        and coalesce(b.hash = l.prev_hash, true) and coalesce(n.prev_hash = l.hash, true) as "isIntact",
      c.id as "counterpartId", c.outcome as "counterpartOutcome", cl.position as "counterpartPosition"
    from audit_entries e
    left join audit_links l on l.organization_id = e.organization_id and l.entry_seq = e.seq
    left join audit_links b on b.organization_id = l.organization_id and b.position = l.position - 1
    left join audit_links n on n.organization_id = l.organization_id and n.position = l.position + 1
    left join lateral (
      select o.id, o.seq, o.outcome from audit_entries o
      where o.organization_id = e.organization_id and (o.intent_id = e.id or o.id = e.intent_id)
      order by o.seq desc limit 1
    ) c on true
    left join audit_links cl on cl.organization_id = e.organization_id and cl.entry_seq = c.seq
    where e.organization_id = ${organizationId} and e.id = ${id}`)
  return rows[0]
}

type Choice = { value: string; label: string }

/** The actors and actions that occur, for filters. */
export async function listChoices(
  db: Db,
  organizationId: number,
): Promise<{ actors: Choice[]; actions: string[] }> {
  const [actors, actions] = await Promise.all([
    db.execute<{ value: string; name: string; email: string | null }>(sql`
      select case when id = '' then 'name:' || value else id end as value,
        coalesce(max(value) filter (where field = 'actor' and strpos(value, '@') = 0), max(value)) as name,
        max(value) filter (where field = 'actor_email') as email
      from audit_terms where organization_id = ${organizationId} and field in ('actor', 'actor_email')
      group by 1 order by lower(max(value)) limit ${auditBounds.maxChoices}`),
    db.execute<{ value: string }>(sql`
      select value from audit_terms where organization_id = ${organizationId} and field = 'action'
      order by value limit ${auditBounds.maxChoices}`),
  ])
  return {
    actors: actors.rows.map(({ value, name, email }) => ({
      value,
      label: actorText({ name, email }),
    })),
    actions: actions.rows.map(({ value }) => value),
  }
}
