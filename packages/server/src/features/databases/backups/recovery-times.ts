import {
  type BaseBackup,
  type DatabaseRecoverableWindow,
  recoveryRate,
  recoveryTeeth,
  type WalMark,
  type WalStretch,
} from '@bey/contract'
import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { databaseRestores } from '../../../tables/database-restores.ts'

const dayMs = 86_400_000
/** The span that is looked back on, and the parts of it of which one segment is read each. */
const spanMs = 14 * dayMs
const parts = 400
/** Drills that the rate follows from: the newest. */
const drills = 14

/** How much WAL a restore to each moment replays, and how quickly drills did that. */
export async function readRecoveryTimes(
  db: Db,
  organizationId: number,
  databaseId: string,
  { backups, wal, now }: { backups: readonly BaseBackup[]; wal: readonly WalStretch[]; now: Date },
): Promise<DatabaseRecoverableWindow['recovery']> {
  const sinceMs = now.getTime() - spanMs
  const marks = await listMarks(db, organizationId, databaseId, sinceMs, now.getTime())
  return {
    measured: recoveryRate(await listMeasuredDrills(db, organizationId, databaseId)) ?? null,
    teeth: recoveryTeeth(backups, wal, marks)
      .filter(({ points }) => (points.at(-1)?.atMs ?? 0) >= sinceMs)
      .map(({ backupId, points }) => ({
        backupId,
        points: points.map(({ atMs, walBytes }) => ({ at: new Date(atMs).toISOString(), walBytes })),
      })),
  }
}

/** The last segment of each part of the span, in the order of the WAL. */
async function listMarks(
  db: Db,
  organizationId: number,
  databaseId: string,
  sinceMs: number,
  nowMs: number,
): Promise<WalMark[]> {
  const partMs = Math.max(1_000, Math.ceil((nowMs - sinceMs) / parts))
  const { rows } = await db.execute<{ timeline: number; segment: string; until_ms: number }>(sql`
    select timeline, max(segment)::text as segment, extract(epoch from max(until_at)) * 1000 as until_ms
    from database_wal_segments
    where organization_id = ${organizationId} and database_id = ${databaseId} and segment is not null
      and until_at >= ${new Date(sinceMs).toISOString()}::timestamptz
    group by timeline, floor(extract(epoch from until_at) * 1000 / ${partMs}::float8)
    order by timeline, max(segment)`)
  return rows.map(({ timeline, segment, until_ms }) => ({
    timeline,
    segment: Number(segment),
    untilMs: Math.floor(Number(until_ms)),
  }))
}

async function listMeasuredDrills(db: Db, organizationId: number, databaseId: string) {
  const { restoreMs, replayMs, walBytes, walMs } = databaseRestores
  const rows = await db
    .select({ restoreMs, replayMs, walBytes, walMs })
    .from(databaseRestores)
    .where(
      and(
        eq(databaseRestores.organizationId, organizationId),
        eq(databaseRestores.databaseId, databaseId),
        eq(databaseRestores.kind, 'drill'),
        isNotNull(databaseRestores.finishedAt),
        isNotNull(restoreMs),
        isNotNull(replayMs),
        isNotNull(walBytes),
        isNotNull(walMs),
      ),
    )
    .orderBy(desc(databaseRestores.id))
    .limit(drills)
  return rows.map((row) => ({
    restoreMs: row.restoreMs ?? 0,
    replayMs: row.replayMs ?? 0,
    walBytes: row.walBytes ?? 0,
    walMs: row.walMs ?? 0,
  }))
}
