import { deniedReason, type EngineStatus, type EntityRef, isRunOver, type Role } from '@bey/contract'
import { and, eq } from 'drizzle-orm'

import { type AuditEntry, audit } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Engine, EngineState } from '../../platform/engine/engine.ts'
import { AppError } from '../../platform/errors.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { workflows } from '../../tables/workflows.ts'
import type { Json, WorkflowDefinition } from './definition.ts'
import { moveRun } from './moves.ts'
import { presentLog, presentRun, presentStep, presentWorkflow } from './present.ts'
import type { Publish } from './ports.ts'
import { runEvents } from './run-events.ts'
import { applyRunChange } from './run-changes.ts'
import { activeRunStatuses, lockRunState, markCancelRequested, queueRun, readSteps } from './run-store.ts'
import { endRun } from './run-transitions.ts'
import {
  countRunsByStatus,
  countWorkflows,
  findRun,
  findRunStatus,
  findWorkflow,
  listActiveRuns,
  listLogs,
  listRuns,
  listSteps,
  listWorkflows,
  type LogWindow,
  type RunFilter,
  type WorkflowFilter,
} from './store.ts'

/** The engine as this feature needs it; created after it, hence given by `connect`. */
type EnginePort = Pick<Engine, 'enqueue' | 'requestCancel'> & { state(): EngineState }

export type StartRun = {
  organizationId: number
  /** Key of a built-in workflow. */
  workflowKey: string
  subject: EntityRef | null
  input: Json
  trigger: 'manual' | 'system'
  createdBy: number | null
}

export type Who = { userId: number; name: string; role: Role } & Pick<
  AuditEntry,
  'via' | 'ip' | 'userAgent' | 'requestId'
>

const logsShown = 200

type Options = {
  database: Database
  definitions: ReadonlyMap<string, WorkflowDefinition>
  publish: Publish
  engine: EnginePort
  clock: Clock
  version: string
}

export function createWorkflows(options: Options) {
  const { database, definitions, publish, engine, clock } = options
  /** Ids of built-in workflows that are committed, for they never change. */
  const builtInIds = new Map<string, string>()

  /** Makes the built-in workflows of an organization where they are missing. */
  async function ensureBuiltIns(db: Db, organizationId: number): Promise<void> {
    await db
      .insert(workflows)
      .values(
        [...definitions.values()].map(({ key, name, description, type }) => ({
          id: uuidv7(),
          organizationId,
          name,
          description,
          type,
          builtIn: key,
        })),
      )
      .onConflictDoNothing()
  }

  async function builtIn(db: Db, organizationId: number, key: string): Promise<string> {
    const known = builtInIds.get(`${organizationId}:${key}`)
    if (known !== undefined) return known
    const find = () =>
      db
        .select({ id: workflows.id })
        .from(workflows)
        .where(and(eq(workflows.organizationId, organizationId), eq(workflows.builtIn, key)))
    const [committed] = await find()
    if (committed !== undefined) {
      builtInIds.set(`${organizationId}:${key}`, committed.id)
      return committed.id
    }
    await ensureBuiltIns(db, organizationId)
    const [made] = await find()
    if (made === undefined) throw new Error(`There is no built-in workflow "${key}"`)
    return made.id
  }

  /** Queues a run inside the caller's transaction; it begins after the commit, or never. */
  async function startRun(db: Db, start: StartRun): Promise<{ workflowId: string; runId: string }> {
    const definition = definitions.get(start.workflowKey)
    if (definition === undefined) throw new Error(`There is no workflow "${start.workflowKey}"`)
    const { organizationId } = start
    const workflowId = await builtIn(db, organizationId, start.workflowKey)
    const runId = uuidv7()
    const { steps } = definition
    const queuedAt = clock.now()
    await Promise.all([
      queueRun(db, [
        runId,
        organizationId,
        workflowId,
        JSON.stringify(start.input),
        start.trigger,
        start.subject?.type ?? null,
        start.subject?.id ?? null,
        start.createdBy,
        queuedAt,
        steps.map(() => uuidv7()),
        steps.map((step) => step.key),
        steps.map((step) => step.name),
        steps.map((step) => step.type),
        steps.map((step) => step.guarantee),
      ]),
      engine.enqueue(db, runId),
      publish(db, runEvents({ ...start, id: runId, workflowId, queuedAt }, 'queued', 0, undefined)),
    ])
    return { workflowId, runId }
  }

  /**
   * Asks a run to stop inside the caller's transaction: one that is queued is over at once, one that runs ends
   * within its step. Undefined when it is over or stopping already.
   */
  async function cancelRun(
    db: Db,
    runId: string,
    by: { userId: number },
  ): Promise<'cancelled' | 'cancelling' | undefined> {
    const state = await lockRunState(db, runId)
    if (state === undefined) return undefined
    const { run } = state
    if (isRunOver(run.status) || run.status === 'cancelling') return undefined
    const isBegun = run.status !== 'queued' && run.status !== 'scheduled'
    const status = isBegun ? moveRun(run.status, 'cancelling') : run.status
    const now = clock.now()
    await markCancelRequested(db, runId, { status, cancelRequestedAt: now, cancelRequestedBy: by.userId })
    if (isBegun) {
      await publish(db, runEvents(run, 'cancelling', 0, undefined))
      await engine.requestCancel(db, runId)
      return 'cancelling'
    }
    const definition = definitions.get(run.workflowKey)
    const asked = { run: { ...run, cancelRequestedBy: by.userId }, steps: state.steps }
    await applyRunChange(db, { publish, definition }, asked, endRun(asked, { status: 'cancelled' }, now))
    // Another run may wait for this one's subject.
    await engine.enqueue(db, runId)
    return 'cancelled'
  }

  function definitionOf(row: { builtIn: string | null }): WorkflowDefinition | undefined {
    return row.builtIn === null ? undefined : definitions.get(row.builtIn)
  }

  return {
    ensureBuiltIns,
    startRun,
    cancelRun,

    async list(organizationId: number, filter: WorkflowFilter) {
      let page = await database.readTenant(organizationId, (db) => listWorkflows(db, organizationId, filter))
      const mayMiss = page.total < definitions.size && !filter.search && !filter.type && !filter.status
      if (mayMiss) {
        await database.withTenant(organizationId, (db) => ensureBuiltIns(db, organizationId))
        page = await database.readTenant(organizationId, (db) => listWorkflows(db, organizationId, filter))
      }
      const { rows, ...rest } = page
      return {
        page: filter.page,
        limit: filter.limit,
        workflows: rows.map((row) => presentWorkflow(row, definitionOf(row))),
        ...rest,
      }
    },

    get(organizationId: number, id: string) {
      return database.readTenant(organizationId, async (db) => {
        const row = (await findWorkflow(db, organizationId, id)) ?? missing('workflow')
        const [steps, logs] =
          row.lastRunId === null
            ? [[], []]
            : await Promise.all([
                listSteps(db, organizationId, row.lastRunId),
                listLogs(db, organizationId, row.lastRunId, { limit: logsShown }),
              ])
        return {
          workflow: presentWorkflow(row, definitionOf(row)),
          steps: steps.map(presentStep),
          logs: logs.map(presentLog),
        }
      })
    },

    runs(organizationId: number, filter: RunFilter) {
      return database.readTenant(organizationId, async (db) => {
        if (filter.workflowId !== undefined) {
          const workflow = await findWorkflow(db, organizationId, filter.workflowId)
          if (workflow === undefined) return missing('workflow')
        }
        const { rows, ...rest } = await listRuns(db, organizationId, filter)
        return { page: filter.page, limit: filter.limit, runs: rows.map(presentRun), ...rest }
      })
    },

    run(organizationId: number, workflowId: string, runId: string) {
      return database.readTenant(organizationId, async (db) => {
        const [row, workflow, steps, logs] = await Promise.all([
          findRun(db, organizationId, workflowId, runId),
          findWorkflow(db, organizationId, workflowId),
          listSteps(db, organizationId, runId),
          listLogs(db, organizationId, runId, { limit: logsShown }),
        ])
        if (row === undefined || workflow === undefined) return missing('workflow run')
        const first = logs[0]?.seq ?? 1
        return {
          run: presentRun(row),
          workflow: presentWorkflow(workflow, definitionOf(workflow)),
          steps: steps.map(presentStep),
          logs: logs.map(presentLog),
          logsBefore: first > 1 ? first : null,
        }
      })
    },

    /** How far a run of this organization is, inside the caller's transaction. */
    async progress(db: Db, runId: string) {
      const [status, steps] = await Promise.all([findRunStatus(db, runId), readSteps(db, runId)])
      if (status === undefined) return undefined
      const current =
        steps.find((step) => step.status === 'running') ?? steps.find((step) => step.status === 'failed')
      const sum = steps.reduce((total, step) => total + step.progressPercent, 0)
      return {
        status,
        currentStep: current?.name ?? null,
        progressPercent: status === 'completed' ? 100 : Math.round(sum / Math.max(1, steps.length)),
      }
    },

    logs(organizationId: number, workflowId: string, runId: string, window: LogWindow) {
      return database.readTenant(organizationId, async (db) => {
        const row = await findRun(db, organizationId, workflowId, runId)
        if (row === undefined) return missing('workflow run')
        const logs = await listLogs(db, organizationId, runId, window)
        const edge = window.after === undefined ? logs[0]?.seq : logs.at(-1)?.seq
        const hasMore = window.after === undefined ? (edge ?? 1) > 1 : logs.length === window.limit
        return { logs: logs.map(presentLog), nextCursor: hasMore ? (edge ?? null) : null }
      })
    },

    cancel(organizationId: number, workflowId: string, runId: string, who: Who) {
      return database.withTenant(organizationId, async (db) => {
        const found = await findRun(db, organizationId, workflowId, runId)
        if (found === undefined) return missing('workflow run')
        const workflow = await findWorkflow(db, organizationId, workflowId)
        const needed = definitionOf(workflow ?? { builtIn: null })?.cancelPermission
        const reason = needed === undefined ? undefined : deniedReason(who.role, needed)
        if (reason !== undefined) throw new AppError('forbidden', reason)
        const moved = await cancelRun(db, runId, who)
        const row = await findRun(db, organizationId, workflowId, runId)
        if (row === undefined) return missing('workflow run')
        if (moved !== undefined) {
          await audit(db, {
            organizationId,
            actor: { type: 'user', id: who.userId, display: who.name },
            via: who.via,
            action: 'workflow_run.cancel',
            class: 'execute',
            target: { type: 'workflow_run', id: runId, name: row.workflowName },
            ip: who.ip,
            userAgent: who.userAgent,
            requestId: who.requestId,
            runId,
          })
        }
        return keepReply(db, { run: presentRun(row) })
      })
    },

    /** The state of this process's engine, with the figures of one organization. */
    engineStatus(organizationId: number): Promise<EngineStatus> {
      return database.readTenant(organizationId, async (db) => {
        const [byStatus, active, total] = await Promise.all([
          countRunsByStatus(db, organizationId),
          listActiveRuns(db, organizationId, activeRunStatuses, 200),
          countWorkflows(db, organizationId),
        ])
        const state = engine.state()
        return {
          engine: {
            status: state.status,
            version: options.version,
            startTime: state.startedAt.toISOString(),
            currentActiveWorkflows: active.length,
            maxConcurrentWorkflows: state.maxConcurrentRuns,
          },
          statistics: {
            totalWorkflows: Math.max(total, definitions.size),
            workflowsByStatus: Object.fromEntries(byStatus.map(({ status, count }) => [status, count])),
            activeWorkflows: active.length,
          },
          websocket: { enabled: true },
          activeWorkflows: active.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
          executors: { registered: [...definitions.keys()], type: 'dbos' },
        }
      })
    },
  }
}

export type Workflows = ReturnType<typeof createWorkflows>

function missing(what: string): never {
  throw new AppError('not_found', `This ${what} does not exist in this organization.`)
}
