import type { Visits } from '@bey/contract/analytics/visit-rules'
import { visitRules } from '@bey/contract/analytics/visit-rules'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { visits } from '../../../tables/visits.ts'

const columns = { seenAt: visits.seenAt, leftAt: visits.leftAt }

/** Undefined for a member who was never in the console. */
export async function readVisits(
  db: Db,
  organizationId: number,
  userId: number,
): Promise<Visits | undefined> {
  const [row] = await db
    .select(columns)
    .from(visits)
    .where(and(eq(visits.organizationId, organizationId), eq(visits.userId, userId)))
  return row
}

/** Keeps that a member is here at `now`. An earlier time than the one that is kept changes nothing. */
export async function recordVisit(
  db: Db,
  organizationId: number,
  userId: number,
  now: Date,
): Promise<Visits | undefined> {
  const away = sql`make_interval(secs => ${visitRules.awayMs / 1000})`
  const [row] = await db
    .insert(visits)
    .values({ organizationId, userId, seenAt: now, leftAt: null })
    .onConflictDoUpdate({
      target: [visits.organizationId, visits.userId],
      set: {
        // As `leftBefore` of the contract says it.
        leftAt: sql`case when excluded.seen_at - ${visits.seenAt} > ${away} then ${visits.seenAt} else ${visits.leftAt} end`,
        seenAt: sql`greatest(${visits.seenAt}, excluded.seen_at)`,
      },
    })
    .returning(columns)
  return row
}
