import type { AuditClass } from '@bey/contract'
import { and, eq, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { auditStreams } from '../../../tables/audit-streams.ts'

type NewStream = {
  organizationId: number
  webhookId: string
  classes: AuditClass[]
  /** With the next entry, or the first that is kept. */
  from: 'next' | 'first'
}

/** Lets a webhook stream the audit log. */
export async function insertStream(db: Db, { from, ...stream }: NewStream): Promise<void> {
  const end = sql`coalesce((select h.seq from audit_heads h where h.organization_id = ${stream.organizationId}), 0)`
  await db.insert(auditStreams).values({ ...stream, position: from === 'first' ? 0 : sql<number>`${end}` })
}

const of = (organizationId: number, webhookId: string) =>
  and(eq(auditStreams.organizationId, organizationId), eq(auditStreams.webhookId, webhookId))

export async function setStreamClasses(
  db: Db,
  organizationId: number,
  webhookId: string,
  classes: AuditClass[],
): Promise<void> {
  await db.update(auditStreams).set({ classes }).where(of(organizationId, webhookId))
}

export async function deleteStream(db: Db, organizationId: number, webhookId: string): Promise<void> {
  await db.delete(auditStreams).where(of(organizationId, webhookId))
}
