import { and, eq, isNull, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { databaseAdvice } from '../../../tables/database-advice.ts'
import { users } from '../../../tables/users.ts'
import type { Finding } from './advice-rules.ts'
import type { Subject } from './statement-store.ts'

const ofDatabase = ({ organizationId, id }: Subject) =>
  and(eq(databaseAdvice.organizationId, organizationId), eq(databaseAdvice.databaseId, id))

/** Advice of a database: what holds, and what was executed and does not hold any more. */
export function selectAdvice(db: Db, { organizationId, id }: Subject) {
  return db
    .select({
      key: databaseAdvice.key,
      rule: databaseAdvice.rule,
      content: databaseAdvice.content,
      firstSeenAt: databaseAdvice.firstSeenAt,
      endedAt: databaseAdvice.endedAt,
      dismissedAt: databaseAdvice.dismissedAt,
      dismissedByName: users.name,
      dismissedReason: databaseAdvice.dismissedReason,
      executedAt: databaseAdvice.executedAt,
    })
    .from(databaseAdvice)
    .leftJoin(users, eq(users.id, databaseAdvice.dismissedBy))
    .where(
      and(
        ofDatabase({ organizationId, id }),
        sql`(${databaseAdvice.endedAt} is null or ${databaseAdvice.executedAt} is not null)`,
      ),
    )
    .orderBy(databaseAdvice.firstSeenAt, databaseAdvice.key)
}

export type AdviceRow = Awaited<ReturnType<typeof selectAdvice>>[number]

/** Stores what the rules found now. What they do not find any more has ended; what comes back begins anew. */
export async function replaceAdvice(
  db: Db,
  { organizationId, id }: Subject,
  findings: readonly Finding[],
  at: Date,
): Promise<void> {
  const now = at.toISOString()
  const json = JSON.stringify(findings)
  await db.execute(sql`
    insert into database_advice as a (database_id, organization_id, key, rule, content, first_seen_at, last_seen_at)
    select distinct on (e ->> 'key') ${id}::uuid, ${organizationId}::int, e ->> 'key', e ->> 'rule', e -> 'content',
      ${now}::timestamptz, ${now}::timestamptz from jsonb_array_elements(${json}::jsonb) e
    on conflict (database_id, key) do update set rule = excluded.rule, last_seen_at = excluded.last_seen_at,
      content = case when a.ended_at is null and a.executed_at is not null
        then excluded.content || jsonb_strip_nulls(jsonb_build_object('baseline', a.content -> 'baseline'))
        else excluded.content end,
      first_seen_at = case when a.ended_at is null then a.first_seen_at else excluded.first_seen_at end,
      executed_at = case when a.ended_at is null then a.executed_at end, ended_at = null`)
  await db.execute(sql`
    update database_advice set ended_at = ${now}::timestamptz
    where organization_id = ${organizationId} and database_id = ${id} and ended_at is null
      and last_seen_at < ${now}::timestamptz`)
  await db.execute(sql`
    delete from database_advice
    where organization_id = ${organizationId} and database_id = ${id}
      and ended_at < ${now}::timestamptz - interval '15 days'`)
}

/** Sets or takes back the decision against advice; what it was about, undefined where there is no such advice. */
export async function dismissAdvice(
  db: Db,
  { organizationId, id }: Subject,
  key: string,
  dismissal: { at: Date; by: number; reason: string } | null,
) {
  const [row] = await db
    .update(databaseAdvice)
    .set({
      dismissedAt: dismissal?.at ?? null,
      dismissedBy: dismissal?.by ?? null,
      dismissedReason: dismissal?.reason ?? null,
    })
    .where(and(ofDatabase({ organizationId, id }), eq(databaseAdvice.key, key)))
    .returning({ content: databaseAdvice.content })
  return row?.content
}

/** Advice that holds and whose statement is this one. */
export async function findByStatement(db: Db, { organizationId, id }: Subject, statement: string) {
  return db
    .select({ key: databaseAdvice.key, content: databaseAdvice.content })
    .from(databaseAdvice)
    .where(
      and(
        ofDatabase({ organizationId, id }),
        isNull(databaseAdvice.endedAt),
        sql`rtrim(${databaseAdvice.content} ->> 'sql', '; ') = ${statement.trim().replace(/[;\s]+$/, '')}`,
      ),
    )
}

/** Records that the statement of advice was executed, with what its statements had counted by then. */
export async function recordExecution(
  db: Db,
  { organizationId, id }: Subject,
  { key, content }: Pick<AdviceRow, 'key' | 'content'>,
  at: Date,
): Promise<void> {
  await db
    .update(databaseAdvice)
    .set({ executedAt: at, content })
    .where(and(ofDatabase({ organizationId, id }), eq(databaseAdvice.key, key)))
}
