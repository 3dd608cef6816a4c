import type { TriggerSettings } from '@bey/contract'
import { and, asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { budgets } from '../../../tables/budgets.ts'
import { triggerEvents } from '../../../tables/trigger-events.ts'
import { users } from '../../../tables/users.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { organizations } from '../../../tables/organizations.ts'
import { workflowTriggers } from '../../../tables/workflow-triggers.ts'
import { workflows } from '../../../tables/workflows.ts'

const columns = {
  id: workflowTriggers.id,
  organizationId: workflowTriggers.organizationId,
  workflowId: workflowTriggers.workflowId,
  name: workflowTriggers.name,
  type: workflowTriggers.type,
  settings: workflowTriggers.settings,
  isEnabled: workflowTriggers.isEnabled,
  nextAt: workflowTriggers.nextAt,
  lastFiredAt: workflowTriggers.lastFiredAt,
  lastRunId: workflowTriggers.lastRunId,
  lastError: workflowTriggers.lastError,
  createdAt: workflowTriggers.createdAt,
  createdBy: workflowTriggers.createdBy,
  keyId: workflowTriggers.keyId,
  createdByName: users.name,
  createdByEmail: users.email,
}

export type TriggerRow = Awaited<ReturnType<typeof listTriggers>>[number]

const selectTriggers = (db: Db) =>
  db
    .select(columns)
    .from(workflowTriggers)
    .leftJoin(users, eq(users.id, workflowTriggers.createdBy))
    .$dynamic()

const ofWorkflow = (organizationId: number, workflowId: string) =>
  and(eq(workflowTriggers.organizationId, organizationId), eq(workflowTriggers.workflowId, workflowId))

export function listTriggers(db: Db, organizationId: number, workflowId: string) {
  return selectTriggers(db)
    .where(ofWorkflow(organizationId, workflowId))
    .orderBy(asc(workflowTriggers.createdAt), asc(workflowTriggers.id))
    .limit(50)
}

export async function findTrigger(db: Db, organizationId: number, workflowId: string, id: string) {
  const rows = await selectTriggers(db).where(
    and(ofWorkflow(organizationId, workflowId), eq(workflowTriggers.id, id)),
  )
  return rows[0]
}

export function countTriggers(db: Db, organizationId: number, workflowId: string): Promise<number> {
  return db.$count(workflowTriggers, ofWorkflow(organizationId, workflowId))
}

/** The workflow that triggers belong to, locked against a change while one is added. */
export async function lockWorkflowOfTriggers(db: Db, organizationId: number, workflowId: string) {
  const rows = await db
    .select({
      id: workflows.id,
      name: workflows.name,
      builtIn: workflows.builtIn,
      deletedAt: workflows.deletedAt,
    })
    .from(workflows)
    .where(and(eq(workflows.organizationId, organizationId), eq(workflows.id, workflowId)))
    .for('update')
  return rows[0]
}

export async function insertTrigger(db: Db, row: typeof workflowTriggers.$inferInsert): Promise<void> {
  await db.insert(workflowTriggers).values(row)
}

type TriggerChange = Partial<Omit<typeof workflowTriggers.$inferInsert, 'id' | 'organizationId'>>

export async function updateTrigger(
  db: Db,
  organizationId: number,
  id: string,
  change: TriggerChange,
): Promise<void> {
  await db
    .update(workflowTriggers)
    .set(change)
    .where(and(eq(workflowTriggers.organizationId, organizationId), eq(workflowTriggers.id, id)))
}

export async function deleteTrigger(db: Db, organizationId: number, id: string): Promise<void> {
  await db
    .delete(workflowTriggers)
    .where(and(eq(workflowTriggers.organizationId, organizationId), eq(workflowTriggers.id, id)))
}

/** A trigger with what its signature is checked by and whether its workflow may start; locked until the commit. */
export async function lockTrigger(db: Db, organizationId: number, id: string) {
  const rows = await db
    .select({
      id: workflowTriggers.id,
      organizationId: workflowTriggers.organizationId,
      workflowId: workflowTriggers.workflowId,
      name: workflowTriggers.name,
      settings: workflowTriggers.settings,
      isEnabled: workflowTriggers.isEnabled,
      secret: workflowTriggers.secret,
      previousSecret: workflowTriggers.previousSecret,
      previousUntil: workflowTriggers.previousUntil,
      nextAt: workflowTriggers.nextAt,
      createdBy: workflowTriggers.createdBy,
      keyId: workflowTriggers.keyId,
      workflowState: workflows.state,
      workflowName: workflows.name,
      organizationDeletesAt: organizations.deletesAt,
    })
    .from(workflowTriggers)
    .innerJoin(workflows, eq(workflows.id, workflowTriggers.workflowId))
    .innerJoin(organizations, eq(organizations.id, workflowTriggers.organizationId))
    .where(and(eq(workflowTriggers.organizationId, organizationId), eq(workflowTriggers.id, id)))
    .for('update', { of: workflowTriggers })
  return rows[0]
}

export type LockedTrigger = NonNullable<Awaited<ReturnType<typeof lockTrigger>>>

/** Whether a trigger starts runs: it and its workflow are active, and the organization does not wait to be deleted. */
export function mayFire(
  trigger: Pick<LockedTrigger, 'isEnabled' | 'workflowState' | 'organizationDeletesAt'>,
): boolean {
  return trigger.isEnabled && trigger.workflowState === 'active' && trigger.organizationDeletesAt === null
}

/** Runs of a trigger that have not ended, oldest first. */
export async function openRunsOf(db: Db, organizationId: number, triggerId: string): Promise<string[]> {
  const rows = await db
    .select({ id: workflowRuns.id })
    .from(workflowRuns)
    .where(
      and(
        eq(workflowRuns.organizationId, organizationId),
        eq(workflowRuns.triggerId, triggerId),
        isNull(workflowRuns.finishedAt),
      ),
    )
    .orderBy(asc(workflowRuns.queuedAt))
    .limit(100)
  return rows.map(({ id }) => id)
}

/** Notes an arrival; undefined where one with the same key is known. */
export async function insertArrival(
  db: Db,
  row: Omit<typeof triggerEvents.$inferInsert, 'id'>,
): Promise<string | undefined> {
  const rows = await db
    .insert(triggerEvents)
    .values({ ...row, id: uuidv7() })
    .onConflictDoNothing()
    .returning({ id: triggerEvents.id })
  return rows[0]?.id
}

export async function findArrival(db: Db, organizationId: number, triggerId: string, key: string) {
  const rows = await db
    .select({ status: triggerEvents.status, runId: triggerEvents.runId })
    .from(triggerEvents)
    .where(
      and(
        eq(triggerEvents.organizationId, organizationId),
        eq(triggerEvents.triggerId, triggerId),
        eq(triggerEvents.key, key),
      ),
    )
  return rows[0]
}

export async function settleArrival(
  db: Db,
  id: string,
  result: { status: 'started' | 'ignored' | 'failed'; note?: string; runId?: string },
): Promise<void> {
  // The sender of what failed sends it again under the same key.
  const key = result.status === 'failed' ? { key: null } : {}
  await db
    .update(triggerEvents)
    .set({ ...result, ...key })
    .where(eq(triggerEvents.id, id))
}

/** The last arrivals of a trigger, newest first. */
export function listArrivals(db: Db, organizationId: number, triggerId: string, limit: number) {
  return db
    .select({
      id: triggerEvents.id,
      status: triggerEvents.status,
      note: triggerEvents.note,
      runId: triggerEvents.runId,
      at: triggerEvents.at,
    })
    .from(triggerEvents)
    .where(and(eq(triggerEvents.organizationId, organizationId), eq(triggerEvents.triggerId, triggerId)))
    .orderBy(desc(triggerEvents.at), desc(triggerEvents.id))
    .limit(limit)
}

type Due = { id: string; organizationId: number }

/** Schedules that are due, of every organization. */
export async function listDueSchedules(db: Db, now: Date, limit: number): Promise<Due[]> {
  const rows = await db
    .select({ id: workflowTriggers.id, organizationId: workflowTriggers.organizationId })
    .from(workflowTriggers)
    .innerJoin(workflows, eq(workflows.id, workflowTriggers.workflowId))
    .innerJoin(organizations, eq(organizations.id, workflowTriggers.organizationId))
    .where(
      and(
        isNull(organizations.deletesAt),
        sql`${workflowTriggers.nextAt} <= ${now.toISOString()}`,
        eq(workflowTriggers.isEnabled, true),
        inArray(workflows.state, ['active']),
        // They wait, and what was missed is made up as the schedule says.
        isNotPaused(workflowTriggers.organizationId),
      ),
    )
    .orderBy(asc(workflowTriggers.nextAt))
    .limit(limit)
  return rows
}

/** Takes the oldest waiting arrivals of one organization each, so that no process works at one twice. */
export async function takeWaitingArrival(db: Db) {
  const rows = await db
    .select({
      id: triggerEvents.id,
      organizationId: triggerEvents.organizationId,
      triggerId: triggerEvents.triggerId,
      payload: triggerEvents.payload,
    })
    .from(triggerEvents)
    .where(and(eq(triggerEvents.status, 'waiting'), isNotPaused(triggerEvents.organizationId)))
    .orderBy(asc(triggerEvents.at))
    .limit(1)
    .for('update', { skipLocked: true })
  return rows[0]
}

export type ScheduleSettings = Extract<TriggerSettings, { type: 'schedule' }>

/** No budget of the organization pauses new runs. */
function isNotPaused(organizationId: AnyPgColumn) {
  return sql`not exists (select 1 from ${budgets}
    where ${budgets.organizationId} = ${organizationId} and ${budgets.state} = 'enforced')`
}
