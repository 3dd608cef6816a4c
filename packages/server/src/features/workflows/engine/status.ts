import type { EngineStatus } from '@bey/contract'
import { desc, eq, sql } from 'drizzle-orm'

import type { Database, Db } from '../../../platform/db/database.ts'
import { countUpTo, exactTotal } from '../../../platform/db/totals.ts'
import type { EngineState } from '../../../platform/engine/engine.ts'
import { isLiving } from '../../../platform/engine/living.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { workflows } from '../../../tables/workflows.ts'
import type { WorkflowParts } from '../parts.ts'
import { countByStatus, newestOfStatuses } from '../runs/list.ts'
import { activeRunStatuses } from '../runs/store.ts'

/** Consoles ask every 30 s: beyond this many runs of a status, the exact figure is not worth reading them all. */
const countedRuns = 1_000
const maxActive = 200

/** The state of the engine in this process and the others, with the figures of one organization. */
export async function readEngineStatus(
  { database, definitions, engine, stepTypes, executorId }: WorkflowParts,
  version: string,
  organizationId: number,
): Promise<EngineStatus> {
  const workers = await readWorkers(database)
  const { workflowsByStatus, active, total, queue } = await database.readTenant(organizationId, (db) =>
    readEngineFigures(db, organizationId),
  )
  return {
    engine: { ...engineFacts(engine.state(), workers), version, currentActiveWorkflows: active.length },
    statistics: {
      totalWorkflows: Math.max(total, definitions.size),
      workflowsByStatus,
      activeWorkflows: active.length,
    },
    websocket: { enabled: true },
    activeWorkflows: active.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
    executors: {
      // A type of step and a built-in workflow may have one name.
      registered: [...new Set([...stepTypes.keys(), ...definitions.keys()])].slice(0, 200),
      type: 'dbos',
    },
    queue,
    workers: workers.map((worker) => ({ ...worker, isThisOne: worker.id === executorId })),
  }
}

/** The figures of one organization, as quick with a million runs as with a thousand. */
export async function readEngineFigures(db: Db, organizationId: number) {
  const [workflowsByStatus, active, { total }, queue] = await Promise.all([
    countByStatus(db, organizationId, {}, countedRuns),
    listActiveRuns(db, organizationId),
    countUpTo(db, sql`select 1 from ${workflows} where ${workflows.organizationId} = ${organizationId}`),
    readOwnQueue(db, organizationId),
  ])
  return { workflowsByStatus, active, total, queue }
}

function listActiveRuns(db: Db, organizationId: number) {
  const active = db
    .select({
      id: workflowRuns.id,
      workflowId: workflowRuns.workflowId,
      status: workflowRuns.status,
      queuedAt: workflowRuns.queuedAt,
    })
    .from(workflowRuns)
    // As an array, whose few runs are looked up one by one.
    .where(
      sql`${workflowRuns.id} = any (array(${newestOfStatuses(organizationId, activeRunStatuses, maxActive)}))`,
    )
    // Found before they are joined: else the planner may begin with the workflows and read every run of each along an
    // index, 0.3 s of a million.
    .limit(maxActive)
    .as('active')
  return db
    .select({ id: active.id, type: workflows.type, status: active.status, createdAt: active.queuedAt })
    .from(active)
    .innerJoin(workflows, eq(workflows.id, active.workflowId))
    .orderBy(desc(active.queuedAt))
}

type Worker = Omit<EngineStatus['workers'][number], 'isThisOne'>

/** A process that executes nothing itself answers for those that do. */
function engineFacts(state: EngineState, workers: readonly Worker[]) {
  const maxConcurrentWorkflows = workers.reduce((sum, worker) => sum + worker.maxRuns, 0)
  const startTime = state.startedAt.toISOString()
  if (state.executes || state.status !== 'running') {
    return { status: state.status, startTime, maxConcurrentWorkflows }
  }
  const [oldest] = workers
  return {
    status: oldest === undefined ? 'no_worker' : 'running',
    startTime: oldest?.startedAt ?? startTime,
    maxConcurrentWorkflows,
  }
}

/** How many runs of an organization are under way. */
export async function countActive(db: Db, organizationId: number): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from workflow_runs
    where organization_id = ${organizationId} and status in ('running', 'waiting', 'paused', 'cancelling')`)
  return rows[0]?.count ?? 0
}

type QueueRow = { depth: number; oldest_ms: number | null }

async function readOwnQueue(db: Db, organizationId: number): Promise<EngineStatus['queue']> {
  const { rows } = await db.execute<QueueRow>(sql`
    select count(*)::int as depth, (extract(epoch from now() - min(queued_at)) * 1000)::float8 as oldest_ms
    from (select queued_at from workflow_runs where organization_id = ${organizationId} and status = 'queued'
      order by queued_at limit ${exactTotal + 1}) queued`)
  return { depth: rows[0]?.depth ?? 0, oldestMs: Math.max(0, rows[0]?.oldest_ms ?? 0) }
}

type WorkerRow = {
  id: string
  role: 'all' | 'worker'
  started_at: string
  heartbeat_at: string
  active_runs: number
  max_runs: number
}

/** Those that live: the row of a process that was killed stays until another one takes its work over. */
async function readWorkers(database: Database): Promise<Worker[]> {
  const { rows } = await database.asSystem('list the processes of the engine', (db) =>
    db.execute<WorkerRow>(sql`
      select p.executor_id as id, p.role, p.started_at, p.heartbeat_at, p.max_runs,
        (select count(*)::int from workflow_runs r
         where r.executor_id = p.executor_id and r.status in ('running', 'cancelling')) as active_runs
      from processes p where ${isLiving} order by p.started_at, p.executor_id limit 200`),
  )
  return rows.map((row) => ({
    id: row.id,
    role: row.role,
    startedAt: new Date(row.started_at).toISOString(),
    heartbeatAt: new Date(row.heartbeat_at).toISOString(),
    activeRuns: row.active_runs,
    maxRuns: row.max_runs,
  }))
}
