import { reportBounds } from '@bey/contract/reports/rules'
import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { reportIssues, reportLinks, reports } from '../../tables/reports.ts'
import { users } from '../../tables/users.ts'

export type LinkRow = Awaited<ReturnType<typeof listLinks>>[number]

export async function insertLink(db: Db, values: typeof reportLinks.$inferInsert): Promise<void> {
  await db.insert(reportLinks).values(values)
}

/** The newest first. */
export function listLinks(db: Db, organizationId: number, issueId: string) {
  return db
    .select({
      id: reportLinks.id,
      createdBy: reportLinks.createdBy,
      createdByName: users.name,
      createdByEmail: users.email,
      createdAt: reportLinks.createdAt,
      expiresAt: reportLinks.expiresAt,
      revokedAt: reportLinks.revokedAt,
      openedCount: reportLinks.openedCount,
      lastOpenedAt: reportLinks.lastOpenedAt,
    })
    .from(reportLinks)
    .leftJoin(users, eq(users.id, reportLinks.createdBy))
    .where(and(eq(reportLinks.organizationId, organizationId), eq(reportLinks.issueId, issueId)))
    .orderBy(desc(reportLinks.createdAt), desc(reportLinks.id))
    .limit(reportBounds.linksPerIssue)
}

/** False where it was revoked already. */
export async function revokeLink(
  db: Db,
  organizationId: number,
  issueId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(reportLinks)
    .set({ revokedAt: now })
    .where(
      and(
        eq(reportLinks.organizationId, organizationId),
        eq(reportLinks.issueId, issueId),
        eq(reportLinks.id, id),
        isNull(reportLinks.revokedAt),
      ),
    )
    .returning({ id: reportLinks.id })
  return rows.length > 0
}

/** Counts an opening and answers what the link opens; undefined once it is expired or revoked. */
export async function openLink(db: Db, organizationId: number, tokenHash: Buffer, now: Date) {
  const [link] = await db
    .update(reportLinks)
    .set({ openedCount: sql`${reportLinks.openedCount} + 1`, lastOpenedAt: now })
    .where(
      and(
        eq(reportLinks.organizationId, organizationId),
        eq(reportLinks.tokenHash, tokenHash),
        isNull(reportLinks.revokedAt),
        gt(reportLinks.expiresAt, now),
      ),
    )
    .returning({ id: reportLinks.id, issueId: reportLinks.issueId })
  if (link === undefined) return undefined
  const [issue] = await db
    .select({ paper: reportIssues.paper, reportId: reports.id, name: reports.name })
    .from(reportIssues)
    .innerJoin(reports, eq(reports.id, reportIssues.reportId))
    .where(and(eq(reportIssues.organizationId, organizationId), eq(reportIssues.id, link.issueId)))
  return issue && { ...issue, linkId: link.id, issueId: link.issueId }
}
