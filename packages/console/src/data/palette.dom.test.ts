import { workflowAfter } from './workflows.ts'
import type { EventFrame, LiveEvents, PaletteEntity } from '@bey/contract'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { apiKey } from './api-query.ts'
import {
  givenCluster,
  givenOrganizationId as organizationId,
  givenUpdate as update,
} from './given-cluster.ts'
import { keepKnown, paletteReducers, withFound } from './palette.ts'

const key = [...apiKey(organizationId, 'palette.list'), 'all']

const entity = (part: Partial<PaletteEntity>): PaletteEntity => ({
  id: '1',
  type: 'cluster',
  title: 'prod',
  subtitle: 'local',
  status: 'CREATING',
  createdAt: '2026-11-21T06:00:00.000Z',
  isReadOnly: false,
  lastUsedAt: null,
  health: null,
  ...part,
})

const known = [
  entity({ id: '2', title: 'staging', status: 'RUNNING' }),
  entity({}),
  entity({ id: '1', type: 'workflow', title: 'Deploy', status: 'idle' }),
]

function after<T extends keyof typeof paletteReducers>(type: T, data: LiveEvents[T]): PaletteEntity[] {
  const cache = new QueryClient()
  cache.setQueryData(key, known)
  // A frame is typed by its own name; the table of reducers is typed by the same.
  const frame = { type, organizationId, data } as unknown as EventFrame<T>
  const reduce = paletteReducers[type] as (cache: QueryClient, event: EventFrame<T>) => void
  reduce(cache, frame)
  return cache.getQueryData<PaletteEntity[]>(key) ?? []
}

test('a cluster that is ready is listed as running, and nothing else changes', () => {
  const [staging, prod, deploy] = after('CLUSTER_PROVISIONING_UPDATE', update('COMPLETED'))
  expect(prod?.status).toBe('RUNNING')
  expect([staging, deploy]).toEqual([known[0], known[2]])
})

test('a deleted cluster is no longer found, the workflow of the same id is', () => {
  const left = after('CLUSTER_PROVISIONING_UPDATE', update('DELETED'))
  expect(left.map(({ title }) => title)).toEqual(['staging', 'Deploy'])
})

test('a new cluster comes first, and known ones are renewed in place', () => {
  const metadata = { version: '1.33.1', nodeCount: 5, created: '2026-11-21T06:00:00.000Z' }
  const clusters = [givenCluster(3, { title: 'new' }), givenCluster(1, { title: 'prod-eu', metadata })]
  const listed = after('CLUSTERS_UPDATE', { clusters, total: 3 })
  expect(listed.map(({ title }) => title)).toEqual(['new', 'staging', 'prod-eu', 'Deploy'])
  expect(listed[2]?.subtitle).toBe('1.33.1 · 5 nodes · local')
})

test('a workflow tells how its last run went', () => {
  const lastRunAt = '2026-11-21T07:00:00.000Z'
  const listed = after('WORKFLOW_UPDATE', { workflowId: '1', status: 'failed', lastRunAt })
  expect(listed[2]).toMatchObject({ status: 'failed', lastUsedAt: lastRunAt })
  expect(listed[1]).toEqual(known[1])
})

test('a run older than the last one does not speak for its workflow', () => {
  const workflow = { status: 'running', lastRunAt: '2026-11-21T07:00:00.000Z' }
  const after = (lastRunAt: string) =>
    workflowAfter(workflow, { workflowId: '1', status: 'failed', lastRunAt })
  expect(after('2026-11-21T06:59:59.999Z')).toBe(workflow)
  expect(after(workflow.lastRunAt)).toEqual({ ...workflow, status: 'failed' })
})

test('a palette that has never been opened keeps nothing', () => {
  const cache = new QueryClient()
  const frame = {
    type: 'WORKFLOW_UPDATE',
    organizationId,
    data: { workflowId: '1', status: 'idle', lastRunAt: null },
  }
  // As above: one frame of the union.
  paletteReducers.WORKFLOW_UPDATE(cache, frame as EventFrame<'WORKFLOW_UPDATE'>)
  expect(cache.getQueryData(key)).toBeUndefined()
})

test('what is read again keeps the entities that have not changed, and the list if none has', () => {
  const again = known.map((each) => ({ ...each }))
  expect(keepKnown(known, again)).toBe(known)
  const renamed = again.map((each, at) => (at === 1 ? { ...each, title: 'prod-eu' } : each))
  const kept = keepKnown(known, renamed)
  expect(kept.map((each) => each.title)).toEqual(['staging', 'prod-eu', 'Deploy'])
  expect([kept[0], kept[2]]).toEqual([known[0], known[2]])
  expect(kept[0]).toBe(known[0])
  expect(keepKnown(known, again.slice(1))).toHaveLength(2)
  expect(keepKnown(undefined, again)).toBe(again)
})

test('what the server found stands after what is held, each once', () => {
  const found = [entity({ id: '2' }), entity({ id: '9', title: 'prod-9' })]
  expect(withFound(known, found).map(({ title }) => title)).toEqual(['staging', 'prod', 'Deploy', 'prod-9'])
  expect(withFound(known, [entity({ id: '2' })])).toBe(known)
  expect(withFound(known, [])).toBe(known)
})
