import type { EventFrame, LiveEvents, Run, StepRun } from '@bey/contract'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { apiKey } from './api-query.ts'
import type { RunLog } from './run-log.ts'
import { runAfter, runsAfter, stepsAfter, workflowReducers } from './workflows.ts'
import type { RunList } from './run-lists.ts'
import type { RunDetail } from './workflows.ts'

const organizationId = 3
const ids = { workflowId: 'w1', runId: 'r1' }

const run = (part: Partial<Run> = {}): Run => ({
  id: 'r1',
  workflowId: 'w1',
  workflowName: 'Provision cluster',
  status: 'running',
  version: null,
  trigger: 'manual',
  triggerName: null,
  waiting: null,
  parent: null,
  retryOf: null,
  priority: 0,
  deadlineAt: null,
  subject: { type: 'cluster', id: '1', name: 'prod' },
  input: {},
  output: null,
  error: null,
  recoveryCount: 0,
  progressPercent: 20,
  queuedAt: '2026-11-21T06:00:00.000Z',
  startedAt: '2026-11-21T06:00:00.000Z',
  finishedAt: null,
  cancelRequestedAt: null,
  createdBy: { type: 'user', id: '1', name: 'Ada', email: 'ada@example.com' },
  ...part,
})

const step = (key: string, part: Partial<StepRun> = {}): StepRun => ({
  id: key,
  key,
  name: key,
  type: 'cluster.provision',
  position: 0,
  status: 'pending',
  guarantee: 'at_least_once_keyed',
  attempt: 1,
  progressPercent: 0,
  error: null,
  needs: [],
  parentKey: null,
  note: '',
  nextAt: null,
  startedAt: null,
  finishedAt: null,
  ...part,
})

const runUpdate = (part: Partial<LiveEvents['WORKFLOW_RUN_UPDATE']> = {}) => ({
  ...ids,
  status: 'running' as const,
  subject: { type: 'cluster', id: '1' } as const,
  progress: 40,
  ...part,
})
const stepUpdate = (part: Partial<LiveEvents['WORKFLOW_STEP_UPDATE']> = {}) => ({
  ...ids,
  subject: { type: 'cluster', id: '1' } as const,
  stepKey: 'join',
  stepName: 'Join nodes',
  stepStatus: 'running' as const,
  message: '',
  progress: 10,
  ...part,
})

const at = '2026-11-21T06:00:05.000Z'

type Type = keyof typeof workflowReducers
function frame<T extends Type>(type: T, data: LiveEvents[T]) {
  const rest = { id: '1', target: 'ALL', timestamp: '', component: 'workflows', message: '' } as const
  return { ...rest, type, organizationId, data } as EventFrame<T>
}

const detailKey = apiKey(organizationId, 'workflows.run', { params: { id: 'w1', runId: 'r1' } })
const logKey = apiKey(organizationId, 'workflows.runLogs', { params: { id: 'w1', runId: 'r1' } })

function openRun(): QueryClient {
  const cache = new QueryClient()
  const detail = {
    run: run(),
    steps: [step('allocate', { status: 'succeeded' }), step('join')],
    logs: [],
    logsBefore: null,
  }
  cache.setQueryData(detailKey, detail)
  cache.setQueryData<RunLog>(logKey, { lines: [], earlier: null })
  return cache
}

test('progress never goes back, and a run that is over is not woken by a late event', () => {
  expect(runAfter(run({ progressPercent: 60 }), runUpdate()).progressPercent).toBe(60)
  const over = run({ status: 'completed', progressPercent: 100 })
  expect(runAfter(over, runUpdate())).toBe(over)
})

test('a list that does not hold the run stays the same object', () => {
  const held: RunList = { runs: [run({ id: 'other' })], total: 1, page: 1, limit: 50 }
  expect(runsAfter(held, runUpdate())).toBe(held)
})

test('a step event changes its own step alone', () => {
  const steps = [step('allocate'), step('join')]
  const after = stepsAfter(steps, stepUpdate(), at)
  expect(after[0]).toBe(steps[0])
  expect(after[1]).toMatchObject({ status: 'running', progressPercent: 10 })
})

test('a step begins and ends with its events, until its own times are known', () => {
  const begun = stepsAfter([step('join')], stepUpdate(), at)
  expect(begun[0]).toMatchObject({ startedAt: at, finishedAt: null })
  const later = '2026-11-21T06:00:09.000Z'
  const ended = stepsAfter(begun, stepUpdate({ stepStatus: 'succeeded' }), later)
  expect(ended[0]).toMatchObject({ startedAt: at, finishedAt: later })
  const skipped = stepsAfter([step('join')], stepUpdate({ stepStatus: 'skipped' }), at)
  expect(skipped[0]).toMatchObject({ startedAt: null, finishedAt: null })
})

test('a step that moves is shown at once, and the run is read again for times and cause', () => {
  const cache = openRun()
  workflowReducers.WORKFLOW_STEP_UPDATE(cache, frame('WORKFLOW_STEP_UPDATE', stepUpdate()))
  expect(cache.getQueryData<RunDetail>(detailKey)?.steps[1]?.status).toBe('running')
  expect(cache.getQueryState(detailKey)?.isInvalidated).toBe(true)
})

test('progress within a step costs no read', () => {
  const cache = openRun()
  workflowReducers.WORKFLOW_STEP_UPDATE(
    cache,
    frame('WORKFLOW_STEP_UPDATE', stepUpdate({ stepStatus: 'pending', progress: 5 })),
  )
  expect(cache.getQueryState(detailKey)?.isInvalidated).toBe(false)
})

test('a run that ends makes lists, run and dashboard old', () => {
  const cache = openRun()
  const list = apiKey(organizationId, 'workflows.allRuns', { query: { status: 'running' } })
  const dashboard = apiKey(organizationId, 'analytics.dashboard')
  cache.setQueryData<RunList>(list, { runs: [run()], total: 1, page: 1, limit: 50 })
  cache.setQueryData(dashboard, {})
  workflowReducers.WORKFLOW_RUN_UPDATE(
    cache,
    frame('WORKFLOW_RUN_UPDATE', runUpdate({ status: 'completed', progress: 100 })),
  )
  expect(cache.getQueryData<RunList>(list)?.runs[0]?.status).toBe('completed')
  for (const key of [list, detailKey, dashboard]) expect(cache.getQueryState(key)?.isInvalidated).toBe(true)
})

test('a run that ends while it is read for the first time is read again', async () => {
  const cache = new QueryClient()
  const answer = Promise.withResolvers<object>()
  const first = cache.query({ queryKey: detailKey, queryFn: () => answer.promise })
  workflowReducers.WORKFLOW_RUN_UPDATE(
    cache,
    frame('WORKFLOW_RUN_UPDATE', runUpdate({ status: 'completed', progress: 100 })),
  )
  answer.resolve({ run: run(), steps: [] })
  await first
  await Promise.resolve()
  expect(cache.getQueryState(detailKey)?.isInvalidated).toBe(true)
})

test('a run that the event carries takes its place, and no list is read again', () => {
  const cache = openRun()
  const [all, ongoing] = [{ limit: 8 }, { isOver: 'false' as const, limit: 10 }].map((query) =>
    apiKey(organizationId, 'workflows.allRuns', { query }),
  )
  for (const key of [all, ongoing])
    cache.setQueryData<RunList>(key ?? [], { runs: [run()], total: 1, page: 1, limit: 8 })
  const ended = run({ status: 'completed', progressPercent: 100, finishedAt: '2026-11-21T06:00:07.000Z' })
  workflowReducers.WORKFLOW_RUN_UPDATE(
    cache,
    frame('WORKFLOW_RUN_UPDATE', runUpdate({ status: 'completed', progress: 100, run: ended })),
  )
  expect(cache.getQueryData<RunList>(all ?? [])).toMatchObject({ runs: [ended], total: 1 })
  expect(cache.getQueryData<RunList>(ongoing ?? [])).toMatchObject({ runs: [], total: 0 })
  for (const key of [all, ongoing]) expect(cache.getQueryState(key ?? [])?.isInvalidated).toBe(false)
  expect(cache.getQueryData<RunDetail>(detailKey)?.run).toEqual(ended)
})

test('progress of a run that nobody opened makes nothing old', () => {
  const cache = new QueryClient()
  const list = apiKey(organizationId, 'workflows.allRuns', { query: {} })
  const dashboard = apiKey(organizationId, 'analytics.dashboard')
  cache.setQueryData<RunList>(list, { runs: [run()], total: 1, page: 1, limit: 50 })
  cache.setQueryData(dashboard, {})
  workflowReducers.WORKFLOW_RUN_UPDATE(cache, frame('WORKFLOW_RUN_UPDATE', runUpdate()))
  expect(cache.getQueryData<RunList>(list)?.runs[0]?.progressPercent).toBe(40)
  for (const key of [list, dashboard]) expect(cache.getQueryState(key)?.isInvalidated).toBe(false)
})

test('a run that no list holds yet makes the lists old', () => {
  const cache = new QueryClient()
  const list = apiKey(organizationId, 'workflows.allRuns', { query: {} })
  cache.setQueryData<RunList>(list, { runs: [], total: 0, page: 1, limit: 50 })
  workflowReducers.WORKFLOW_RUN_UPDATE(cache, frame('WORKFLOW_RUN_UPDATE', runUpdate()))
  expect(cache.getQueryState(list)?.isInvalidated).toBe(true)
})

test('a log line joins the log of an open run, and is not kept for one that nobody opened', () => {
  const cache = openRun()
  const log = {
    seq: 1,
    stepKey: 'join',
    attempt: 1,
    at: '',
    level: 'info' as const,
    message: 'node 1 joined',
  }
  const data = {
    ...ids,
    subject: { type: 'cluster', id: '1' } as const,
    stepName: 'Join nodes',
    message: log.message,
    log,
  }
  workflowReducers.WORKFLOW_LOG(cache, frame('WORKFLOW_LOG', data))
  expect(cache.getQueryData<RunLog>(logKey)?.lines).toEqual([log])
  const empty = new QueryClient()
  workflowReducers.WORKFLOW_LOG(empty, frame('WORKFLOW_LOG', data))
  expect(empty.getQueryData(logKey)).toBeUndefined()
})
