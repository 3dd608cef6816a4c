import { isIdOf, type LiveEvents } from '@bey/contract'

import type { Db } from '../../../platform/db/database.ts'
import { missing, type WorkflowParts } from '../parts.ts'
import { presentLog, presentRun, presentStep, presentWorkflow } from '../present.ts'
import { listRepeatedAttempts } from './attempts.ts'
import { countByStatus, listRuns, type RunFilter, type RunSelection } from './list.ts'
import { readSteps } from './store.ts'
import { usualDurations } from './usual-durations.ts'
import { findWorkflowFacts } from '../definition/facts.ts'
import {
  findRun,
  findRunStatus,
  findWorkflow,
  listChildren,
  listLogs,
  listRetries,
  listRunsById,
  listSteps,
  type LogWindow,
} from '../store.ts'

/** Lines of a log that come with a run; earlier ones are asked for. */
export const logsShown = 200

/** A row with more input and output than this is read by who shows it: notifications are bounded likewise. */
const maxRowLength = 6_000

const downloadBatch = 1_000

/** A line of text a log line: time, step, level, message. */
async function* logText(
  read: (after: number) => Promise<Awaited<ReturnType<typeof listLogs>>>,
): AsyncGenerator<string> {
  for (let after = 0; ;) {
    const lines = await read(after)
    const last = lines.at(-1)
    if (last === undefined) return
    yield lines
      .map(({ at, stepKey, level, message }) => `${at.toISOString()} ${stepKey} ${level} ${message}\n`)
      .join('')
    if (lines.length < downloadBatch) return
    after = last.seq
  }
}

/** What is asked about runs. */
export function createRunReads(parts: Pick<WorkflowParts, 'database' | 'definitions' | 'stepTypes'>) {
  const { database } = parts
  return {
    runs(organizationId: number, filter: RunFilter) {
      return database.readTenant(organizationId, async (db) => {
        if (filter.workflowId !== undefined) {
          const workflow = await findWorkflowFacts(db, organizationId, filter.workflowId)
          if (workflow === undefined) return missing('workflow')
        }
        const { rows, ...rest } = await listRuns(db, organizationId, filter)
        return { page: filter.page, limit: filter.limit, runs: rows.map(presentRun), ...rest }
      })
    },

    /** What events of runs are delivered with: the rows as lists show them. */
    async rowsOf(organizationId: number, events: readonly LiveEvents['WORKFLOW_RUN_UPDATE'][]) {
      const ids = [...new Set(events.map(({ runId }) => runId))].filter((id) => isIdOf('run', id))
      const rows = await database.readTenant(organizationId, (db) => listRunsById(db, organizationId, ids))
      const known = new Map(rows.map((row) => [row.id, presentRun(row)]))
      return events.map(({ runId }) => {
        const run = known.get(runId)
        return run !== undefined && JSON.stringify(run).length <= maxRowLength ? { run } : {}
      })
    },

    /** How many runs of a selection each status has. */
    runCounts(organizationId: number, selection: RunSelection) {
      return database.readTenant(organizationId, async (db) => ({
        counts: await countByStatus(db, organizationId, selection),
      }))
    },

    run(organizationId: number, workflowId: string, runId: string) {
      return database.readTenant(organizationId, async (db) => {
        const [row, workflow, steps, attempts, logs, durations, children, retries] = await Promise.all([
          findRun(db, organizationId, workflowId, runId),
          findWorkflow(db, organizationId, workflowId),
          listSteps(db, organizationId, runId),
          listRepeatedAttempts(db, organizationId, runId),
          listLogs(db, organizationId, runId, { limit: logsShown }),
          usualDurations(db, workflowId, runId),
          listChildren(db, organizationId, runId),
          listRetries(db, organizationId, runId),
        ])
        if (row === undefined || workflow === undefined) return missing('workflow run')
        const first = logs[0]?.seq ?? 1
        return {
          run: presentRun(row),
          workflow: presentWorkflow(parts, workflow),
          steps: steps.map(presentStep),
          attempts,
          logs: logs.map(presentLog),
          logsBefore: first > 1 ? first : null,
          ...durations,
          children: children.map(presentRun),
          retries,
        }
      })
    },

    /** The whole log of a run, or of one of its steps, as text in pieces. */
    async downloadLogs(organizationId: number, workflowId: string, runId: string, stepKey?: string) {
      const row = await database.readTenant(organizationId, (db) =>
        findRun(db, organizationId, workflowId, runId),
      )
      if (row === undefined) return missing('workflow run')
      return logText((after) =>
        database.readTenant(organizationId, (db) =>
          listLogs(db, organizationId, runId, { after, limit: downloadBatch, stepKey }),
        ),
      )
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
  }
}
