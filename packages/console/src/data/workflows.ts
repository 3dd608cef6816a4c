import type {
  CallInput,
  CallOutput,
  LiveEvents,
  Run,
  RunStatus,
  StepLog,
  StepRun,
  Workflow,
} from '@bey/contract'
import { isRunOver, stepMoves } from '@bey/contract'
import type { QueryClient } from '@tanstack/react-query'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey, apiPath, refetch, refetchBelow } from './api-query.ts'
import { changeHeld } from './change-held.ts'
import type { LiveReducers } from './live.ts'
import { refetchAtMost, refetchSoon } from './refetch-later.ts'
import { placeRun, type RunList, type RunListQuery } from './run-lists.ts'
import { addLines, addTail } from './run-log.ts'
import type { RunLog } from './run-log.ts'
import { stepDetailKey } from './run-steps.ts'
import { useOrganizationId } from './session.ts'

export type RunDetail = CallOutput<'workflows.run'>
type WorkflowList = CallOutput<'workflows.list'>
export type RunCountQuery = NonNullable<CallInput<'workflows.runCounts'>['query']>
export type WorkflowListQuery = NonNullable<CallInput<'workflows.list'>['query']>

const workflowsPath = apiPath('workflows.list')
const allRunsPath = apiPath('workflows.allRuns')
const runKey = (organizationId: number | undefined, id: string, runId: string) =>
  apiKey(organizationId, 'workflows.run', { params: { id, runId } })
const logKey = (organizationId: number | undefined, id: string, runId: string) =>
  apiKey(organizationId, 'workflows.runLogs', { params: { id, runId } })

/** A run with its steps. Its last log lines join those that are held already (see `useRunLog`). */
function runQuery(organizationId: number | undefined, id: string, runId: string) {
  return queryOptions<RunDetail>({
    queryKey: runKey(organizationId, id, runId),
    queryFn: async ({ signal, client }) => {
      const detail = await api.call('workflows.run', { params: { id, runId } }, { signal })
      client.setQueryData<RunLog>(logKey(organizationId, id, runId), (log) =>
        addTail(log, detail.logs, detail.logsBefore),
      )
      return detail
    },
  })
}

/** One run; nothing is asked while its ids are not known. */
export function useRun(id: string | undefined, runId: string | undefined) {
  const organizationId = useOrganizationId()
  return useQuery({
    ...runQuery(organizationId, id ?? '', runId ?? ''),
    enabled: id !== undefined && runId !== undefined,
  })
}

/** Asks a run to stop; what became of it is the server's to say. */
export function useCancelRun() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return useMutation({
    mutationFn: ({ id, runId }: { id: string; runId: string }) =>
      api.call('workflows.cancel', { params: { id, runId } }),
    onSuccess: ({ run }, { id, runId }) => {
      cache.setQueryData<RunDetail>(runKey(organizationId, id, runId), (detail) =>
        detail ? { ...detail, run } : undefined,
      )
    },
    onSettled: (_reply, _error, { id, runId }) =>
      cache.invalidateQueries({ queryKey: runKey(organizationId, id, runId) }),
  })
}

/** A run list after an event: the run's row gets the status and progress of the event. */
export function runsAfter(list: RunList, update: LiveEvents['WORKFLOW_RUN_UPDATE']): RunList {
  if (!list.runs.some((run) => run.id === update.runId)) return list
  return { ...list, runs: list.runs.map((run) => runAfter(run, update)) }
}

/** A run after an event. A run that is over stays so: a late event does not wake it. */
export function runAfter(run: Run, update: { runId: string; status: RunStatus; progress: number }): Run {
  if (run.id !== update.runId || isRunOver(run.status)) return run
  return { ...run, status: update.status, progressPercent: Math.max(run.progressPercent, update.progress) }
}

/**
 * A run's steps after an event about one of them. What begins or ends does so at the time of the event, until the run
 * has been read again.
 */
export function stepsAfter(
  steps: readonly StepRun[],
  update: LiveEvents['WORKFLOW_STEP_UPDATE'],
  at: string,
): StepRun[] {
  const { stepKey, stepStatus: status, progress } = update
  const isOver = stepMoves[status].length === 0
  return steps.map((step) => {
    if (step.key !== stepKey) return step
    const startedAt = step.startedAt ?? (status === 'running' ? at : null)
    const finishedAt = step.finishedAt ?? (isOver && startedAt ? at : null)
    return { ...step, status, progressPercent: progress, startedAt, finishedAt }
  })
}

/** A workflow list after one of its workflows ran. */
function workflowsAfter(list: WorkflowList, update: LiveEvents['WORKFLOW_UPDATE']): WorkflowList {
  const change = (workflow: Workflow) =>
    workflow.id === update.workflowId ? workflowAfter(workflow, update) : workflow
  return { ...list, workflows: list.workflows.map(change) }
}

type LastRun = { status: string; lastRunAt: string | null }

/** A workflow after one of its runs moved. A run older than its last one says nothing about it. */
export function workflowAfter<T extends LastRun>(
  workflow: T,
  { status, lastRunAt }: LiveEvents['WORKFLOW_UPDATE'],
): T {
  if (workflow.lastRunAt !== null && (lastRunAt ?? '') < workflow.lastRunAt) return workflow
  return { ...workflow, status, lastRunAt }
}

// Lists of runs are two: those of every workflow, and those of one.
const runListPaths = (workflowId: string) => [allRunsPath, apiPath('workflows.runs', { id: workflowId })]

/** Whether everything that holds a run holds it with the status of an event: then only its progress has changed. */
function isShownAs(
  cache: QueryClient,
  organizationId: number,
  { workflowId, runId, status }: LiveEvents['WORKFLOW_RUN_UPDATE'],
): boolean {
  const lists = runListPaths(workflowId).flatMap((path) =>
    cache.getQueriesData<RunList>({ queryKey: [path, organizationId] }),
  )
  const detail = cache.getQueryData<RunDetail>(runKey(organizationId, workflowId, runId))
  const held = [detail?.run, ...lists.map(([, list]) => list?.runs.find(({ id }) => id === runId))]
  const statuses = held.flatMap((run) => (run ? [run.status] : []))
  return statuses.length > 0 && statuses.every((each) => each === status)
}

/** A run of 2,000 steps is a megabyte: while its steps pass quickly it is read again every few seconds only. */
const detailEveryMs = ({ steps }: RunDetail) => Math.min(3_000, steps.length * 3)

type WorkflowEvents =
  | 'WORKFLOW_UPDATE'
  | 'WORKFLOW_RUN_UPDATE'
  | 'WORKFLOW_STEP_UPDATE'
  | 'WORKFLOW_LOG'
  | 'ENGINE_STATUS_UPDATE'

export const workflowReducers: Pick<LiveReducers, WorkflowEvents> = {
  WORKFLOW_UPDATE: (cache, { data, organizationId }) => {
    changeHeld<WorkflowList>(cache, [workflowsPath, organizationId], (list) => workflowsAfter(list, data))
    if (data.change !== undefined) refetchBelow(cache, organizationId, workflowsPath)
    else refetchSoon(cache, apiKey(organizationId, 'workflows.get', { params: { id: data.workflowId } }))
  },
  WORKFLOW_RUN_UPDATE: (cache, { data, organizationId }) => {
    const key = runKey(organizationId, data.workflowId, data.runId)
    const hasMoved = !isShownAs(cache, organizationId, data)
    for (const path of runListPaths(data.workflowId)) {
      changeHeld<RunList>(cache, [path, organizationId], (list, listKey, readAgain) => {
        const placed = data.run && placeRun(list, listKey[2] as RunListQuery | undefined, data.run)
        if (placed) return placed
        // A row that is new, or that a filter on its status may no longer show; times come with it.
        if (hasMoved) readAgain()
        return runsAfter(list, data)
      })
    }
    changeHeld<RunDetail>(cache, key, (detail) => ({
      ...detail,
      run: data.run ?? runAfter(detail.run, data),
    }))
    if (!hasMoved) return
    refetch(cache, { queryKey: key, exact: true })
    refetchSoon(cache, [apiPath('workflows.runCounts'), organizationId])
    refetchSoon(cache, [apiPath('workflows.approvals'), organizationId])
    refetchSoon(cache, apiKey(organizationId, 'analytics.dashboard'))
  },
  WORKFLOW_STEP_UPDATE: (cache, { data, organizationId, timestamp }) => {
    const key = runKey(organizationId, data.workflowId, data.runId)
    const detail = cache.getQueryData<RunDetail>(key)
    if (!detail) return
    const known = detail.steps.find((step) => step.key === data.stepKey)
    cache.setQueryData<RunDetail>(key, { ...detail, steps: stepsAfter(detail.steps, data, timestamp) })
    // When it started, at which attempt and why it failed stand in the run alone.
    if (known?.status === data.stepStatus) return
    refetchAtMost(cache, key, detailEveryMs(detail))
    const { workflowId, runId, stepKey } = data
    refetch(cache, { queryKey: stepDetailKey(organizationId, workflowId, runId, stepKey) })
  },
  WORKFLOW_LOG: (cache, { data, organizationId }) => {
    const lines: StepLog[] = [data.log]
    cache.setQueryData<RunLog>(logKey(organizationId, data.workflowId, data.runId), (log) =>
      log ? addLines(log, lines) : undefined,
    )
  },
  ENGINE_STATUS_UPDATE: (cache, { organizationId }) =>
    refetchSoon(cache, apiKey(organizationId, 'workflows.engineStatusCamel')),
}
