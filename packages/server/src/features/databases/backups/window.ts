import { type DatabaseRecoverableWindow, recoverableWindow, type WalStretch } from '@bey/contract'
import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { databaseArchives, databaseWalSegments } from '../../../tables/database-backups.ts'
import { readRecoveryTimes } from './recovery-times.ts'
import { listBaseBackups, listWalStretches } from './backup-rows.ts'

type Archive = Omit<typeof databaseArchives.$inferSelect, 'databaseId' | 'organizationId' | 'updatedAt'>

const archiveColumns = {
  isOn: databaseArchives.isOn,
  problem: databaseArchives.problem,
  spooledBytes: databaseArchives.spooledBytes,
  quietXid: databaseArchives.quietXid,
  quietTimeline: databaseArchives.quietTimeline,
  quietSegment: databaseArchives.quietSegment,
  quietAt: databaseArchives.quietAt,
}

/** How the archive of a database stands; undefined while nobody has looked. */
export async function findArchive(
  db: Db,
  organizationId: number,
  databaseId: string,
): Promise<Archive | undefined> {
  const [row] = await db
    .select(archiveColumns)
    .from(databaseArchives)
    .where(
      and(eq(databaseArchives.organizationId, organizationId), eq(databaseArchives.databaseId, databaseId)),
    )
  return row
}

/** Base backups and WAL of a database, from which its window follows. */
export async function findRecoverable(db: Db, organizationId: number, databaseId: string) {
  const [backups, wal, archive] = [
    await listBaseBackups(db, organizationId, databaseId),
    await listWalStretches(db, organizationId, databaseId),
    await findArchive(db, organizationId, databaseId),
  ]
  return { backups, wal: wal.map((stretch) => untilQuiet(stretch, archive)), archive }
}

/** A server in which nothing is committed archives nothing, and everything until now is in the store nevertheless. */
function untilQuiet(stretch: WalStretch, archive: Archive | undefined): WalStretch {
  const { quietTimeline, quietSegment, quietAt } = archive ?? {}
  if (quietAt == null || quietSegment == null || quietTimeline !== stretch.timeline) return stretch
  if (stretch.last < quietSegment || stretch.first > quietSegment + 1) return stretch
  return { ...stretch, untilMs: Math.max(stretch.untilMs, quietAt.getTime()) }
}

export async function readWindow(
  db: Db,
  organizationId: number,
  databaseId: string,
  now: Date,
): Promise<DatabaseRecoverableWindow> {
  const { backups, wal, archive } = await findRecoverable(db, organizationId, databaseId)
  const { ranges, gaps } = recoverableWindow(backups, wal)
  const ofDatabase = and(
    eq(databaseWalSegments.organizationId, organizationId),
    eq(databaseWalSegments.databaseId, databaseId),
  )
  const [last] = await db
    .select({ name: databaseWalSegments.name, storedAt: databaseWalSegments.storedAt })
    .from(databaseWalSegments)
    .where(and(ofDatabase, isNotNull(databaseWalSegments.segment)))
    .orderBy(desc(databaseWalSegments.timeline), desc(databaseWalSegments.segment))
    .limit(1)
  const [sum] = await db
    .select({ bytes: sql<number>`coalesce(sum(${databaseWalSegments.storedBytes}), 0)::float8` })
    .from(databaseWalSegments)
    .where(ofDatabase)
  const untilMs = Math.max(...wal.map((stretch) => stretch.untilMs))
  return {
    ranges: ranges.map(presentRange),
    gaps: gaps.map(presentRange),
    recovery: await readRecoveryTimes(db, organizationId, databaseId, { backups, wal, now }),
    archive: {
      isOn: archive?.isOn ?? false,
      coveredUntil: wal.length === 0 ? null : new Date(untilMs).toISOString(),
      lastSegment: last?.name ?? null,
      lastSegmentAt: last?.storedAt.toISOString() ?? null,
      spooledBytes: archive?.spooledBytes ?? 0,
      storedBytes: sum?.bytes ?? 0,
      problem: archive?.problem ?? null,
    },
  }
}

const presentRange = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
})
