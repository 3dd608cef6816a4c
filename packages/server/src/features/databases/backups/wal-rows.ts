import { and, eq, inArray, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { databaseArchives, databaseBackups, databaseWalSegments } from '../../../tables/database-backups.ts'

const ofDatabase = (organizationId: number, databaseId: string) =>
  and(eq(databaseWalSegments.organizationId, organizationId), eq(databaseWalSegments.databaseId, databaseId))

export async function findWalFile(db: Db, organizationId: number, databaseId: string, name: string) {
  const [row] = await db
    .select({ sha256: databaseWalSegments.sha256 })
    .from(databaseWalSegments)
    .where(and(ofDatabase(organizationId, databaseId), eq(databaseWalSegments.name, name)))
  return row
}

export async function insertWalFile(db: Db, values: typeof databaseWalSegments.$inferInsert): Promise<void> {
  await db.insert(databaseWalSegments).values(values).onConflictDoNothing()
}

/** Records that everything that was committed until then is in a segment or before it. */
export async function extendSegment(
  db: Db,
  organizationId: number,
  databaseId: string,
  name: string,
  at: Date,
): Promise<void> {
  await db
    .update(databaseWalSegments)
    .set({ untilAt: sql`greatest(${databaseWalSegments.untilAt}, ${at.toISOString()}::timestamptz)` })
    .where(and(ofDatabase(organizationId, databaseId), eq(databaseWalSegments.name, name)))
}

/** Which segments of a range are in a store. */
export async function countSegments(
  db: Db,
  organizationId: number,
  databaseId: string,
  { timeline, first, last }: { timeline: number; first: number; last: number },
): Promise<number> {
  const rows = await db
    .select({ segment: databaseWalSegments.segment })
    .from(databaseWalSegments)
    .where(
      and(
        ofDatabase(organizationId, databaseId),
        eq(databaseWalSegments.timeline, timeline),
        sql`${databaseWalSegments.segment} between ${first} and ${last}`,
      ),
    )
  return rows.length
}

/** Segments from one on, in their order, with what is needed to read them. */
export function listSegments(
  db: Db,
  organizationId: number,
  databaseId: string,
  { timeline, first }: { timeline: number; first: number },
) {
  return db
    .select({
      name: databaseWalSegments.name,
      segment: databaseWalSegments.segment,
      targetId: databaseWalSegments.targetId,
      storeKey: databaseWalSegments.storeKey,
      sha256: databaseWalSegments.sha256,
      storedBytes: databaseWalSegments.storedBytes,
      untilAt: databaseWalSegments.untilAt,
    })
    .from(databaseWalSegments)
    .where(
      and(
        ofDatabase(organizationId, databaseId),
        eq(databaseWalSegments.timeline, timeline),
        sql`${databaseWalSegments.segment} >= ${first}`,
      ),
    )
    .orderBy(databaseWalSegments.segment)
}

/** Whether a base backup is kept or being made, without which WAL is of no use. */
export async function hasBaseBackup(db: Db, organizationId: number, databaseId: string) {
  const rows = await db
    .select({ status: databaseBackups.status })
    .from(databaseBackups)
    .where(
      and(
        eq(databaseBackups.organizationId, organizationId),
        eq(databaseBackups.databaseId, databaseId),
        eq(databaseBackups.kind, 'full'),
        inArray(databaseBackups.status, [
          'pending',
          'running',
          'finalizing',
          'completed',
          'verifying',
          'verified',
          'verify_failed',
        ]),
      ),
    )
  return {
    isKept: rows.length > 0,
    isUnderWay: rows.some(({ status }) => ['pending', 'running', 'finalizing'].includes(status)),
  }
}

type ArchiveValues = Omit<typeof databaseArchives.$inferInsert, 'organizationId' | 'databaseId'>

export async function storeArchive(
  db: Db,
  organizationId: number,
  databaseId: string,
  values: ArchiveValues,
): Promise<void> {
  await db
    .insert(databaseArchives)
    .values({ ...values, organizationId, databaseId })
    .onConflictDoUpdate({ target: databaseArchives.databaseId, set: { ...values, updatedAt: new Date() } })
}
