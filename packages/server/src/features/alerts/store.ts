import { and, asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'

import type { Db } from '../../platform/db/database.ts'
import { alertEpisodes, alertEvaluations, alerts } from '../../tables/alerts.ts'
import { users } from '../../tables/users.ts'

const owners = alias(users, 'owners')
const silencers = alias(users, 'silencers')

const columns = {
  id: alerts.id,
  organizationId: alerts.organizationId,
  name: alerts.name,
  description: alerts.description,
  source: alerts.source,
  expr: alerts.expr,
  condition: alerts.condition,
  forMs: alerts.forMs,
  severity: alerts.severity,
  audience: alerts.audience,
  ownerId: alerts.ownerId,
  ownerName: owners.name,
  ownerEmail: owners.email,
  isEnabled: alerts.isEnabled,
  silencedUntil: alerts.silencedUntil,
  silenceReason: alerts.silenceReason,
  silencedBy: alerts.silencedBy,
  silencedByName: silencers.name,
  silencedByEmail: silencers.email,
  createdBy: alerts.createdBy,
  createdByName: users.name,
  createdByEmail: users.email,
  createdAt: alerts.createdAt,
  updatedAt: alerts.updatedAt,
  rowVersion: alerts.rowVersion,
  instances: alertEvaluations.instances,
  unit: alertEvaluations.unit,
  counts: alertEvaluations.counts,
  error: alertEvaluations.error,
  evaluatedToMs: alertEvaluations.evaluatedToMs,
  evaluatedAt: alertEvaluations.evaluatedAt,
  gapFrom: alertEvaluations.gapFrom,
  gapTo: alertEvaluations.gapTo,
}

export type AlertRow = Awaited<ReturnType<typeof selectAlerts>>[number]

function selectAlerts(db: Db) {
  return db
    .select(columns)
    .from(alerts)
    .innerJoin(alertEvaluations, eq(alertEvaluations.alertId, alerts.id))
    .leftJoin(users, eq(users.id, alerts.createdBy))
    .leftJoin(owners, eq(owners.id, alerts.ownerId))
    .leftJoin(silencers, eq(silencers.id, alerts.silencedBy))
    .$dynamic()
}

const byId = (organizationId: number, id: string) =>
  and(eq(alerts.organizationId, organizationId), eq(alerts.id, id))

/** By name. */
export function allAlerts(db: Db, organizationId: number) {
  return selectAlerts(db)
    .where(eq(alerts.organizationId, organizationId))
    .orderBy(asc(sql`lower(${alerts.name})`), asc(alerts.id))
}

export function alertsById(db: Db, organizationId: number, ids: readonly string[]) {
  return selectAlerts(db).where(and(eq(alerts.organizationId, organizationId), inArray(alerts.id, [...ids])))
}

export async function findAlert(db: Db, organizationId: number, id: string): Promise<AlertRow | undefined> {
  const [row] = await selectAlerts(db).where(byId(organizationId, id))
  return row
}

/** Keeps the alert and its evaluation from being changed by others until the transaction ends. */
export async function lockAlert(db: Db, organizationId: number, id: string): Promise<AlertRow | undefined> {
  const [row] = await selectAlerts(db)
    .where(byId(organizationId, id))
    .for('update', { of: [alerts, alertEvaluations] })
  return row
}

export async function countAlerts(db: Db, organizationId: number): Promise<number> {
  return db.$count(alerts, eq(alerts.organizationId, organizationId))
}

export async function insertAlert(db: Db, values: typeof alerts.$inferInsert): Promise<void> {
  const { id, organizationId, isEnabled } = values
  await db.insert(alerts).values(values)
  await db
    .insert(alertEvaluations)
    .values({ alertId: id, organizationId, ...(isEnabled === false && { checkAt: null }) })
}

export async function updateAlert(
  db: Db,
  organizationId: number,
  id: string,
  values: Partial<typeof alerts.$inferInsert>,
): Promise<void> {
  await db
    .update(alerts)
    .set({ ...values, rowVersion: sql`${alerts.rowVersion} + 1` })
    .where(byId(organizationId, id))
}

/** Ends a silence that is over; nobody's draft is outdated by it. */
export async function clearSilence(db: Db, organizationId: number, id: string): Promise<void> {
  await db
    .update(alerts)
    .set({ silencedUntil: null, silenceReason: null, silencedBy: null })
    .where(byId(organizationId, id))
}

export async function deleteAlert(db: Db, organizationId: number, id: string): Promise<void> {
  await db.delete(alerts).where(byId(organizationId, id))
}

export async function updateEvaluation(
  db: Db,
  organizationId: number,
  alertId: string,
  values: Partial<typeof alertEvaluations.$inferInsert>,
): Promise<void> {
  await db
    .update(alertEvaluations)
    .set(values)
    .where(and(eq(alertEvaluations.organizationId, organizationId), eq(alertEvaluations.alertId, alertId)))
}

const episodesOf = (organizationId: number, alertId: string) =>
  and(eq(alertEpisodes.organizationId, organizationId), eq(alertEpisodes.alertId, alertId))

const openEpisodesOf = (organizationId: number, alertId: string) =>
  and(episodesOf(organizationId, alertId), isNull(alertEpisodes.resolvedAt))

/** Ends what fires of an alert, as when its rule becomes another. */
export async function resolveEpisodes(
  db: Db,
  organizationId: number,
  alertId: string,
  at: Date,
): Promise<void> {
  await db.update(alertEpisodes).set({ resolvedAt: at }).where(openEpisodesOf(organizationId, alertId))
}

/** Answers how many episodes were acknowledged: those that are open, and that nobody had acknowledged. */
export async function acknowledgeEpisodes(
  db: Db,
  organizationId: number,
  alertId: string,
  { userId, at }: { userId: number; at: Date },
): Promise<number> {
  const rows = await db
    .update(alertEpisodes)
    .set({
      acknowledgedAt: at,
      acknowledgedBy: userId,
      actedOnAt: sql`coalesce(${alertEpisodes.actedOnAt}, ${at.toISOString()}::timestamptz)`,
    })
    .where(openEpisodesOf(organizationId, alertId))
    .returning({ id: alertEpisodes.id })
  return rows.length
}

/** A silence counts as an act on what fires, and on what was resolved less than an hour ago. */
export async function markActedOn(db: Db, organizationId: number, alertId: string, at: Date): Promise<void> {
  const iso = at.toISOString()
  await db
    .update(alertEpisodes)
    .set({ actedOnAt: at })
    .where(
      and(
        episodesOf(organizationId, alertId),
        isNull(alertEpisodes.actedOnAt),
        sql`coalesce(${alertEpisodes.resolvedAt}, ${iso}::timestamptz) >= ${iso}::timestamptz - interval '1 hour'`,
      ),
    )
}

export function listEpisodes(db: Db, organizationId: number, alertId: string, limit: number) {
  return db
    .select({
      id: alertEpisodes.id,
      labels: alertEpisodes.labels,
      firedAt: alertEpisodes.firedAt,
      resolvedAt: alertEpisodes.resolvedAt,
      peak: alertEpisodes.peak,
      notifiedAt: alertEpisodes.notifiedAt,
      acknowledgedAt: alertEpisodes.acknowledgedAt,
      acknowledgedBy: alertEpisodes.acknowledgedBy,
      acknowledgedByName: users.name,
      acknowledgedByEmail: users.email,
      actedOnAt: alertEpisodes.actedOnAt,
    })
    .from(alertEpisodes)
    .leftJoin(users, eq(users.id, alertEpisodes.acknowledgedBy))
    .where(episodesOf(organizationId, alertId))
    .orderBy(desc(alertEpisodes.firedAt), desc(alertEpisodes.id))
    .limit(limit)
}

export async function countEpisodes(db: Db, organizationId: number, alertId: string): Promise<number> {
  return db.$count(alertEpisodes, episodesOf(organizationId, alertId))
}
