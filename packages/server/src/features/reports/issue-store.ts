import { reportBounds } from '@bey/contract/reports/rules'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { reportIssues, reportReads } from '../../tables/reports.ts'
import { users } from '../../tables/users.ts'

export type IssueRow = {
  id: string
  reportId: string
  title: string
  asOf: string
  trigger: 'manual' | 'schedule'
  issuedBy: number | null
  issuedByName: string | null
  issuedByEmail: string | null
  recipientCount: number
  recipientReadCount: number
  readCount: number
  openedCount: number
  total: number
}

/** A page of the issues of each report, the newest first, without their papers. */
export async function listIssues(
  db: Db,
  organizationId: number,
  reportIds: readonly string[],
  { offset, limit }: { offset: number; limit: number },
): Promise<IssueRow[]> {
  if (reportIds.length === 0) return []
  const { rows } = await db.execute<IssueRow>(sql`
    select i.id, i.report_id as "reportId", i.title, i.as_of as "asOf", i.trigger, i.issued_by as "issuedBy",
      u.name as "issuedByName", u.email as "issuedByEmail",
      jsonb_array_length(i.recipients) as "recipientCount",
      (select count(*)::int from report_reads r where r.issue_id = i.id
        and i.recipients @> to_jsonb(r.user_id)) as "recipientReadCount",
      (select count(*)::int from report_reads r where r.issue_id = i.id) as "readCount",
      (select coalesce(sum(l.opened_count), 0)::int from report_links l where l.issue_id = i.id) as "openedCount",
      i.total
    from (
      select id, report_id, title, as_of, trigger, issued_by, recipients,
        row_number() over (partition by report_id order by as_of desc, id desc) as place,
        (count(*) over (partition by report_id))::int as total
      from report_issues where organization_id = ${organizationId} and report_id = any(${`{${reportIds.join(',')}}`}::uuid[])
    ) i
    left join users u on u.id = i.issued_by
    where i.place > ${offset} and i.place <= ${offset + limit}
    order by i.as_of desc, i.id desc`)
  return rows
}

export async function findIssue(db: Db, organizationId: number, reportId: string, id: string) {
  const [row] = await db
    .select({
      id: reportIssues.id,
      title: reportIssues.title,
      paper: reportIssues.paper,
      parameters: reportIssues.parameters,
      asOf: reportIssues.asOf,
    })
    .from(reportIssues)
    .where(
      and(
        eq(reportIssues.organizationId, organizationId),
        eq(reportIssues.reportId, reportId),
        eq(reportIssues.id, id),
      ),
    )
  return row
}

/** Stores an issue and deletes the oldest beyond those that are kept. */
export async function insertIssue(db: Db, values: typeof reportIssues.$inferInsert): Promise<void> {
  await db.insert(reportIssues).values(values)
  await db.execute(sql`
    delete from report_issues where organization_id = ${values.organizationId} and id in (
      select id from report_issues where organization_id = ${values.organizationId} and report_id = ${values.reportId}
      order by as_of desc, id desc offset ${reportBounds.keptIssues})`)
}

/** False where the person read it already. */
export async function insertRead(db: Db, values: typeof reportReads.$inferInsert): Promise<boolean> {
  const rows = await db
    .insert(reportReads)
    .values(values)
    .onConflictDoNothing()
    .returning({ issueId: reportReads.issueId })
  return rows.length > 0
}

/** Who read an issue, the first reader first. */
export function listReaders(db: Db, organizationId: number, issueId: string) {
  return db
    .select({ name: users.name, readAt: reportReads.readAt })
    .from(reportReads)
    .innerJoin(users, eq(users.id, reportReads.userId))
    .where(and(eq(reportReads.organizationId, organizationId), eq(reportReads.issueId, issueId)))
    .orderBy(reportReads.readAt)
    .limit(200)
}
