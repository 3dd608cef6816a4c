import type { RunStatus, WorkflowState } from '@bey/contract'
import { and, asc, desc, eq, gt, ilike, inArray, isNull, lt, ne, type SQL, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import { countUpTo } from '../../platform/db/totals.ts'
import { lastRun } from '../../tables/last-run.ts'
import { type LogLevel, stepLogs } from '../../tables/step-logs.ts'
import { stepRuns } from '../../tables/step-runs.ts'
import { subjectOf } from '../../tables/entity-tables.ts'
import { users } from '../../tables/users.ts'
import { workflowRuns } from '../../tables/workflow-runs.ts'
import { workflows } from '../../tables/workflows.ts'

// Reads of the requesting side.

type Paging = { page: number; limit: number }

/** The last 100 runs of a workflow in short; times in milliseconds since 1970. */
type RecentRuns = {
  runs: { id: string; status: RunStatus; queuedAt: number; durationMs: number | null }[]
  successRate: number | null
  medianMs: number | null
}

// As a range, for the same reason as in `lastRun`.
const recentRuns = sql`
  select json_build_object(
    'runs', coalesce(json_agg(json_build_object(
      'id', r.id, 'status', r.status, 'queuedAt', r.queued_ms, 'durationMs', r.duration_ms
    ) order by r.place desc) filter (where r.place <= 20), '[]'::json),
    'successRate', avg((r.status = 'completed')::int) filter (where r.status in ('completed', 'failed', 'timed_out')),
    'medianMs', percentile_cont(0.5) within group (order by r.duration_ms) filter (where r.status = 'completed')
  )
  from (
    select id, status, row_number() over (order by workflow_id desc, queued_at desc, id desc) as place,
      (extract(epoch from queued_at) * 1000)::float8 as queued_ms,
      (extract(epoch from finished_at - started_at) * 1000)::float8 as duration_ms
    from workflow_runs
    where workflow_id >= ${workflows.id} and workflow_id <= ${workflows.id}
    order by workflow_id desc, queued_at desc, id desc
    limit 100
  ) r`

const workflowColumns = {
  id: workflows.id,
  name: workflows.name,
  description: workflows.description,
  type: workflows.type,
  builtIn: workflows.builtIn,
  state: workflows.state,
  deletedAt: workflows.deletedAt,
  version: workflows.currentVersion,
  tags: workflows.tags,
  definition: workflows.definition,
  activity: sql<RecentRuns>`(${recentRuns})`,
  nextRunAt: sql<string | null>`(
    select to_char(min(t.next_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from workflow_triggers t
    where t.workflow_id = ${workflows.id} and t.is_enabled and ${workflows.state} = 'active'
  )`,
  createdBy: workflows.createdBy,
  createdByName: users.name,
  createdByEmail: users.email,
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
  state?: WorkflowState | undefined
  /** Only these; undefined: all. */
  ids?: readonly string[] | undefined
}

export async function listWorkflows(db: Db, organizationId: number, filter: WorkflowFilter) {
  const conditions: (SQL | undefined)[] = [eq(workflows.organizationId, organizationId)]
  if (filter.search) conditions.push(ilike(workflows.name, containing(filter.search)))
  if (filter.type !== undefined) conditions.push(eq(workflows.type, filter.type))
  if (filter.ids) conditions.push(inArray(workflows.id, [...filter.ids]))
  // What was put away is shown where it is asked for.
  conditions.push(
    filter.state === undefined ? ne(workflows.state, 'archived') : eq(workflows.state, filter.state),
  )
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
      .leftJoin(users, eq(users.id, workflows.createdBy))
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
    .leftJoin(users, eq(users.id, workflows.createdBy))
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
  version: workflowRuns.workflowVersion,
  trigger: workflowRuns.trigger,
  triggerName: workflowRuns.triggerName,
  waiting: workflowRuns.waiting,
  parentRunId: workflowRuns.parentRunId,
  parentStepKey: workflowRuns.parentStepKey,
  parentWorkflowId: sql<string | null>`(
    select p.workflow_id from workflow_runs p where p.id = ${workflowRuns.parentRunId}
  )`,
  retryOf: workflowRuns.retryOf,
  priority: workflowRuns.priority,
  deadlineAt: workflowRuns.deadlineAt,
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
  createdByEmail: users.email,
}

export type RunRow = Awaited<ReturnType<typeof findRun>> & {}

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

export function listRunsById(db: Db, organizationId: number, ids: readonly string[]) {
  return selectRuns(db).where(
    and(eq(workflowRuns.organizationId, organizationId), inArray(workflowRuns.id, [...ids])),
  )
}

/** Runs that steps of this one started, oldest first. */
export function listChildren(db: Db, organizationId: number, runId: string) {
  return selectRuns(db)
    .where(and(eq(workflowRuns.organizationId, organizationId), eq(workflowRuns.parentRunId, runId)))
    .orderBy(asc(workflowRuns.queuedAt), asc(workflowRuns.id))
    .limit(100)
}

/** Runs that retry this one, oldest first. */
export function listRetries(db: Db, organizationId: number, runId: string) {
  return db
    .select({ workflowId: workflowRuns.workflowId, runId: workflowRuns.id, status: workflowRuns.status })
    .from(workflowRuns)
    .where(and(eq(workflowRuns.organizationId, organizationId), eq(workflowRuns.retryOf, runId)))
    .orderBy(asc(workflowRuns.queuedAt), asc(workflowRuns.id))
    .limit(50)
}

export async function findRunStatus(db: Db, runId: string): Promise<RunStatus | undefined> {
  const rows = await db
    .select({ status: workflowRuns.status })
    .from(workflowRuns)
    .where(eq(workflowRuns.id, runId))
  return rows[0]?.status
}

/** Runs with the names of what they belong to. */
export function selectRuns(db: Db) {
  return db
    .select(runColumns)
    .from(workflowRuns)
    .innerJoin(workflows, eq(workflows.id, workflowRuns.workflowId))
    .leftJoin(users, eq(users.id, workflowRuns.createdBy))
    .leftJoin(sql.raw(subjectOf('workflow_runs')), sql`true`)
    .$dynamic()
}

/** What a list shows of a step of a run. */
export const stepColumns = {
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
  needs: stepRuns.needs,
  parentKey: stepRuns.parentKey,
  note: stepRuns.note,
  nextAt: stepRuns.nextAt,
  startedAt: stepRuns.startedAt,
  finishedAt: stepRuns.finishedAt,
}

export function listSteps(db: Db, organizationId: number, runId: string) {
  return db
    .select(stepColumns)
    .from(stepRuns)
    .where(and(eq(stepRuns.organizationId, organizationId), eq(stepRuns.runId, runId)))
    .orderBy(asc(stepRuns.position), sql`${stepRuns.iteration} nulls first`, asc(stepRuns.key))
}

export type LogWindow = {
  after?: number | undefined
  before?: number | undefined
  limit: number
  stepKey?: string | undefined
  /** Lines of at least this level. */
  level?: 'debug' | 'info' | 'warning' | 'error' | undefined
  search?: string | undefined
}

/**
 * Lines in ascending order: the first after `after`, else the last before `before`, else the last. The lines first, by an
 * index, and only then their steps: joined first, every line of the run would be read, and compared with every step
 * while PostgreSQL has no statistics of a run that is new.
 */
export function listLogs(db: Db, organizationId: number, runId: string, window: LogWindow) {
  const forward = window.after !== undefined
  const { seq, stepRunId, attempt, at, level, message } = stepLogs
  const stepId = sql`(select ${stepRuns.id} from ${stepRuns}
    where ${stepRuns.runId} = ${runId} and ${stepRuns.key} = ${window.stepKey})`
  const lines = db
    .select({ seq, stepRunId, attempt, at, level, message })
    .from(stepLogs)
    .where(
      and(
        eq(stepLogs.organizationId, organizationId),
        eq(stepLogs.runId, runId),
        window.after === undefined ? undefined : gt(seq, window.after),
        window.before === undefined ? undefined : lt(seq, window.before),
        window.stepKey === undefined ? undefined : eq(stepRunId, stepId),
        window.level === undefined ? undefined : inArray(level, levelsFrom(window.level)),
        window.search ? ilike(message, containing(window.search)) : undefined,
      ),
    )
    .orderBy(forward ? asc(seq) : desc(seq))
    .limit(window.limit)
    .as('lines')
  return db
    .select({
      seq: lines.seq,
      stepKey: stepRuns.key,
      attempt: lines.attempt,
      at: lines.at,
      level: lines.level,
      message: lines.message,
    })
    .from(lines)
    .innerJoin(stepRuns, eq(stepRuns.id, lines.stepRunId))
    .orderBy(asc(lines.seq))
}

/** The levels as they are kept, from one on. */
function levelsFrom(least: 'debug' | 'info' | 'warning' | 'error'): LogLevel[] {
  const levels: LogLevel[] = ['trace', 'debug', 'info', 'warning', 'error', 'fatal']
  return least === 'debug' ? levels : levels.slice(levels.indexOf(least))
}
