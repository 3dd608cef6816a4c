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
import { isRunOver } from '@bey/contract'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey, apiPath, apiQuery, refetchBelow } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { refetchAtMost } from './refetch-later.ts'
import { addLines, addTail } from './run-log.ts'
import type { RunLog } from './run-log.ts'
import { stepDetailKey } from './run-steps.ts'
import { useOrganizationId } from './session.ts'

export type RunList = CallOutput<'workflows.allRuns'>
export type RunDetail = CallOutput<'workflows.run'>
type WorkflowList = CallOutput<'workflows.list'>
export type RunListQuery = NonNullable<CallInput<'workflows.allRuns'>['query']>
export type RunCountQuery = NonNullable<CallInput<'workflows.runCounts'>['query']>
export type WorkflowListQuery = NonNullable<CallInput<'workflows.list'>['query']>

const workflowsPath = apiPath('workflows.list')
const allRunsPath = apiPath('workflows.allRuns')
/** Runs of an organization are counted at most this often. */
const countEveryMs = 2_000
const runKey = (organizationId: number | undefined, id: string, runId: string) =>
  apiKey(organizationId, 'workflows.run', { params: { id, runId } })
const logKey = (organizationId: number | undefined, id: string, runId: string) =>
  apiKey(organizationId, 'workflows.runLogs', { params: { id, runId } })

export function useWorkflows(query: WorkflowListQuery) {
  const organizationId = useOrganizationId()
  return useQuery({
    ...apiQuery(organizationId, 'workflows.list', { query }),
    placeholderData: keepPreviousData,
  })
}

export function useWorkflow(id: string) {
  return useQuery(apiQuery(useOrganizationId(), 'workflows.get', { params: { id } }))
}

export function useRuns(query: RunListQuery) {
  const organizationId = useOrganizationId()
  return useQuery({
    ...apiQuery(organizationId, 'workflows.allRuns', { query }),
    placeholderData: keepPreviousData,
  })
}

/** How many runs each status has within a filter; 10,001 stands for more than 10,000. */
export function useRunCounts(query: RunCountQuery) {
  const organizationId = useOrganizationId()
  return useQuery({
    ...apiQuery(organizationId, 'workflows.runCounts', { query }),
    placeholderData: keepPreviousData,
  })
}

export function useWorkflowRuns(
  id: string,
  query: Omit<RunListQuery, 'subjectType' | 'subjectId' | 'since'>,
) {
  const organizationId = useOrganizationId()
  return useQuery({
    ...apiQuery(organizationId, 'workflows.runs', { params: { id }, query }),
    placeholderData: keepPreviousData,
  })
}

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

/** A run's steps after an event about one of them. */
export function stepsAfter(steps: readonly StepRun[], update: LiveEvents['WORKFLOW_STEP_UPDATE']): StepRun[] {
  return steps.map((step) =>
    step.key === update.stepKey
      ? { ...step, status: update.stepStatus, progressPercent: update.progress }
      : step,
  )
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
function runLists(cache: QueryClient, organizationId: number, workflowId: string): [QueryKey, RunList][] {
  const paths = [allRunsPath, apiPath('workflows.runs', { id: workflowId })]
  return paths
    .flatMap((path) => cache.getQueriesData<RunList>({ queryKey: [path, organizationId] }))
    .flatMap(([key, list]) => (list ? [[key, list] as [QueryKey, RunList]] : []))
}

/** A run of 2,000 steps is a megabyte: while its steps pass quickly it is read again every few seconds only. */
const detailEveryMs = ({ steps }: RunDetail) => Math.min(3_000, steps.length * 3)

/**
 * Reads a run again. While it is read for the first time, that is done when the answer is here: it may have been written
 * before the event, and a first read is never asked twice at once.
 */
function refetchOnceLoaded(cache: QueryClient, queryKey: QueryKey): void {
  const refetch = () => void cache.invalidateQueries({ queryKey, exact: true })
  const query = cache.getQueryCache().find({ queryKey, exact: true })
  const isFirstRead = query?.state.data === undefined && query?.state.fetchStatus === 'fetching'
  if (isFirstRead) void query.promise?.then(refetch, () => undefined)
  else refetch()
}

type WorkflowEvents =
  | 'WORKFLOW_UPDATE'
  | 'WORKFLOW_RUN_UPDATE'
  | 'WORKFLOW_STEP_UPDATE'
  | 'WORKFLOW_LOG'
  | 'ENGINE_STATUS_UPDATE'

export const workflowReducers: Pick<LiveReducers, WorkflowEvents> = {
  WORKFLOW_UPDATE: (cache, { data, organizationId }) => {
    const lists = cache.getQueriesData<WorkflowList>({ queryKey: [workflowsPath, organizationId] })
    for (const [key, list] of lists) if (list) cache.setQueryData(key, workflowsAfter(list, data))
    if (data.change !== undefined) refetchBelow(cache, organizationId, workflowsPath)
    void cache.invalidateQueries({
      queryKey: apiKey(organizationId, 'workflows.get', { params: { id: data.workflowId } }),
    })
  },
  WORKFLOW_RUN_UPDATE: (cache, { data, organizationId }) => {
    for (const [key, list] of runLists(cache, organizationId, data.workflowId)) {
      const known = list.runs.find((run) => run.id === data.runId)
      cache.setQueryData(key, runsAfter(list, data))
      // A row that is new, or that a filter on its status may no longer show; times come with it.
      if (known?.status !== data.status) void cache.invalidateQueries({ queryKey: key, exact: true })
    }
    const key = runKey(organizationId, data.workflowId, data.runId)
    const detail = cache.getQueryData<RunDetail>(key)
    if (detail) cache.setQueryData<RunDetail>(key, { ...detail, run: runAfter(detail.run, data) })
    if (detail?.run.status === data.status) return
    refetchOnceLoaded(cache, key)
    refetchAtMost(cache, [apiPath('workflows.runCounts'), organizationId], countEveryMs)
    refetchBelow(cache, organizationId, apiPath('workflows.approvals'))
    refetchBelow(cache, organizationId, apiPath('analytics.dashboard'))
  },
  WORKFLOW_STEP_UPDATE: (cache, { data, organizationId }) => {
    const key = runKey(organizationId, data.workflowId, data.runId)
    const detail = cache.getQueryData<RunDetail>(key)
    if (!detail) return
    const known = detail.steps.find((step) => step.key === data.stepKey)
    cache.setQueryData<RunDetail>(key, { ...detail, steps: stepsAfter(detail.steps, data) })
    // When it started, at which attempt and why it failed stand in the run alone.
    if (known?.status === data.stepStatus) return
    refetchAtMost(cache, key, detailEveryMs(detail))
    const { workflowId, runId, stepKey } = data
    void cache.invalidateQueries({ queryKey: stepDetailKey(organizationId, workflowId, runId, stepKey) })
  },
  WORKFLOW_LOG: (cache, { data, organizationId }) => {
    const lines: StepLog[] = [data.log]
    cache.setQueryData<RunLog>(logKey(organizationId, data.workflowId, data.runId), (log) =>
      log ? addLines(log, lines) : undefined,
    )
  },
  ENGINE_STATUS_UPDATE: (cache, { organizationId }) =>
    void cache.invalidateQueries({ queryKey: apiKey(organizationId, 'workflows.engineStatusCamel') }),
}
