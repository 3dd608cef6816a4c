import { type EntityType, isRunOver, type RunStatus, runStatuses } from '@bey/contract'
import { and, asc, desc, eq, gte, ilike, inArray, isNull, type SQL, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import { countUpTo } from '../../platform/db/totals.ts'
import { lastRun } from '../../tables/last-run.ts'
import { stepLogs } from '../../tables/step-logs.ts'
import { stepRuns } from '../../tables/step-runs.ts'
import { subjectOf } from '../../tables/entity-tables.ts'
import { users } from '../../tables/users.ts'
import { workflowRuns } from '../../tables/workflow-runs.ts'
import { workflows } from '../../tables/workflows.ts'

// Reads of the requesting side.

type Paging = { page: number; limit: number }

const workflowColumns = {
  id: workflows.id,
  name: workflows.name,
  description: workflows.description,
  type: workflows.type,
  builtIn: workflows.builtIn,
  definition: workflows.definition,
  lastRunId: lastRun.id,
  lastRunAt: lastRun.queuedAt,
  lastRunStatus: lastRun.status,
  createdAt: workflows.createdAt,
  updatedAt: workflows.updatedAt,
}

export type WorkflowRow = Awaited<ReturnType<typeof findWorkflow>> & {}

export type WorkflowFilter = Paging & {
  order?: 'asc' | 'desc' | undefined
  sort: 'name' | 'lastRunAt' | 'createdAt'
  search?: string | undefined
  status?: RunStatus | 'idle' | undefined
  type?: string | undefined
}

export async function listWorkflows(db: Db, organizationId: number, filter: WorkflowFilter) {
  const conditions: (SQL | undefined)[] = [eq(workflows.organizationId, organizationId)]
  if (filter.search) conditions.push(ilike(workflows.name, containing(filter.search)))
  if (filter.type !== undefined) conditions.push(eq(workflows.type, filter.type))
  if (filter.status === 'idle') conditions.push(isNull(lastRun.id))
  else if (filter.status !== undefined) conditions.push(eq(lastRun.status, filter.status))
  const where = and(...conditions)
  const column = { name: workflows.name, lastRunAt: lastRun.queuedAt, createdAt: workflows.createdAt }[
    filter.sort
  ]
  const joined = filter.status === undefined ? sql`` : sql`left join lateral ${lastRun} on true`
  const isDescending = (filter.order ?? (filter.sort === 'name' ? 'asc' : 'desc')) === 'desc'
  const [rows, total] = await Promise.all([
    db
      .select(workflowColumns)
      .from(workflows)
      .leftJoinLateral(lastRun, sql`true`)
      .where(where)
      .orderBy(isDescending ? sql`${column} desc nulls last` : asc(column), asc(workflows.id))
      .limit(filter.limit)
      .offset((filter.page - 1) * filter.limit),
    countUpTo(db, sql`select 1 from ${workflows} ${joined} where ${where}`),
  ])
  return { rows, ...total }
}

export async function findWorkflow(db: Db, organizationId: number, id: string) {
  const rows = await db
    .select(workflowColumns)
    .from(workflows)
    .leftJoinLateral(lastRun, sql`true`)
    .where(and(eq(workflows.organizationId, organizationId), eq(workflows.id, id)))
  return rows[0]
}

const progress = sql<number>`coalesce((
  select round(avg(s.progress_percent))::int from step_runs s where s.run_id = ${workflowRuns.id}
), 0)`

const runColumns = {
  id: workflowRuns.id,
  workflowId: workflowRuns.workflowId,
  workflowName: workflows.name,
  status: workflowRuns.status,
  trigger: workflowRuns.trigger,
  subjectType: workflowRuns.subjectType,
  subjectId: workflowRuns.subjectId,
  subjectName: sql<string | null>`subject.name`,
  input: workflowRuns.input,
  output: workflowRuns.output,
  error: workflowRuns.error,
  recoveryCount: workflowRuns.recoveryCount,
  progressPercent: progress,
  queuedAt: workflowRuns.queuedAt,
  startedAt: workflowRuns.startedAt,
  finishedAt: workflowRuns.finishedAt,
  cancelRequestedAt: workflowRuns.cancelRequestedAt,
  createdBy: workflowRuns.createdBy,
  createdByName: users.name,
}

export type RunRow = Awaited<ReturnType<typeof findRun>> & {}

export type RunFilter = Paging & {
  order?: 'asc' | 'desc' | undefined
  sort: 'queuedAt' | 'status'
  status?: RunStatus | undefined
  workflowId?: string | undefined
  subjectType?: EntityType | undefined
  subjectId?: string | undefined
  since?: string | undefined
  isOver?: 'true' | 'false' | undefined
}

export async function listRuns(db: Db, organizationId: number, filter: RunFilter) {
  const conditions: (SQL | undefined)[] = [eq(workflowRuns.organizationId, organizationId)]
  if (filter.status !== undefined) conditions.push(eq(workflowRuns.status, filter.status))
  if (filter.workflowId !== undefined) conditions.push(eq(workflowRuns.workflowId, filter.workflowId))
  if (filter.subjectType !== undefined) conditions.push(eq(workflowRuns.subjectType, filter.subjectType))
  if (filter.subjectId !== undefined) conditions.push(eq(workflowRuns.subjectId, filter.subjectId))
  if (filter.isOver !== undefined) {
    conditions.push(
      inArray(
        workflowRuns.status,
        runStatuses.filter((status) => String(isRunOver(status)) === filter.isOver),
      ),
    )
  }
  if (filter.since !== undefined) conditions.push(gte(workflowRuns.queuedAt, new Date(filter.since)))
  const where = and(...conditions)
  const byTime = (filter.sort === 'queuedAt' && filter.order === 'asc' ? asc : desc)(workflowRuns.queuedAt)
  const byId = (filter.sort === 'queuedAt' && filter.order === 'asc' ? asc : desc)(workflowRuns.id)
  const byStatus = (filter.order === 'desc' ? desc : asc)(workflowRuns.status)
  const order = filter.sort === 'status' ? [byStatus, byTime, byId] : [byTime, byId]
  // The page first, by an index, and only then what is shown beside it: joined first, every run would be read.
  const page = db
    .select({ id: workflowRuns.id })
    .from(workflowRuns)
    .where(where)
    .orderBy(...order)
    .limit(filter.limit)
    .offset((filter.page - 1) * filter.limit)
  const [rows, total] = await Promise.all([
    selectRuns(db)
      .where(inArray(workflowRuns.id, page))
      .orderBy(...order),
    countUpTo(db, sql`select 1 from ${workflowRuns} where ${where}`),
  ])
  return { rows, ...total }
}

export async function findRun(db: Db, organizationId: number, workflowId: string, runId: string) {
  const rows = await selectRuns(db).where(
    and(
      eq(workflowRuns.organizationId, organizationId),
      eq(workflowRuns.workflowId, workflowId),
      eq(workflowRuns.id, runId),
    ),
  )
  return rows[0]
}

export async function findRunStatus(db: Db, runId: string): Promise<RunStatus | undefined> {
  const rows = await db
    .select({ status: workflowRuns.status })
    .from(workflowRuns)
    .where(eq(workflowRuns.id, runId))
  return rows[0]?.status
}

function selectRuns(db: Db) {
  return db
    .select(runColumns)
    .from(workflowRuns)
    .innerJoin(workflows, eq(workflows.id, workflowRuns.workflowId))
    .leftJoin(users, eq(users.id, workflowRuns.createdBy))
    .leftJoin(sql.raw(subjectOf('workflow_runs')), sql`true`)
    .$dynamic()
}

export function listSteps(db: Db, organizationId: number, runId: string) {
  return db
    .select({
      id: stepRuns.id,
      key: stepRuns.key,
      name: stepRuns.name,
      type: stepRuns.type,
      position: stepRuns.position,
      status: stepRuns.status,
      guarantee: stepRuns.guarantee,
      attempt: stepRuns.attempt,
      progressPercent: stepRuns.progressPercent,
      error: stepRuns.error,
      startedAt: stepRuns.startedAt,
      finishedAt: stepRuns.finishedAt,
    })
    .from(stepRuns)
    .where(and(eq(stepRuns.organizationId, organizationId), eq(stepRuns.runId, runId)))
    .orderBy(asc(stepRuns.position))
}

export type LogWindow = { after?: number | undefined; before?: number | undefined; limit: number }

/** Lines in ascending order: the first after `after`, else the last before `before`, else the last. */
export async function listLogs(db: Db, organizationId: number, runId: string, window: LogWindow) {
  const forward = window.after !== undefined
  const rows = await db
    .select({
      seq: stepLogs.seq,
      stepKey: stepRuns.key,
      attempt: stepLogs.attempt,
      at: stepLogs.at,
      level: stepLogs.level,
      message: stepLogs.message,
    })
    .from(stepLogs)
    .innerJoin(stepRuns, eq(stepRuns.id, stepLogs.stepRunId))
    .where(
      and(
        eq(stepLogs.organizationId, organizationId),
        eq(stepLogs.runId, runId),
        window.after === undefined ? undefined : sql`${stepLogs.seq} > ${window.after}`,
        window.before === undefined ? undefined : sql`${stepLogs.seq} < ${window.before}`,
      ),
    )
    .orderBy(forward ? asc(stepLogs.seq) : desc(stepLogs.seq))
    .limit(window.limit)
  return forward ? rows : rows.reverse()
}

/** How many runs the organization has in each status. */
export function countRunsByStatus(db: Db, organizationId: number) {
  return db
    .select({ status: workflowRuns.status, count: sql<number>`count(*)::int` })
    .from(workflowRuns)
    .where(eq(workflowRuns.organizationId, organizationId))
    .groupBy(workflowRuns.status)
}

export function listActiveRuns(db: Db, organizationId: number, statuses: RunStatus[], limit: number) {
  return db
    .select({
      id: workflowRuns.id,
      type: workflows.type,
      status: workflowRuns.status,
      createdAt: workflowRuns.queuedAt,
    })
    .from(workflowRuns)
    .innerJoin(workflows, eq(workflows.id, workflowRuns.workflowId))
    .where(and(eq(workflowRuns.organizationId, organizationId), inArray(workflowRuns.status, statuses)))
    .orderBy(desc(workflowRuns.queuedAt))
    .limit(limit)
}

export async function countWorkflows(db: Db, organizationId: number): Promise<number> {
  return db.$count(workflows, eq(workflows.organizationId, organizationId))
}
