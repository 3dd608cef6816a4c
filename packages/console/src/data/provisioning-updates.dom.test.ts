import type { EventFrame } from '@bey/contract'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { reducers } from './reducers.ts'
import { apiKey } from './api-query.ts'
import { provisioningEvents } from './provisioning-updates.ts'

// What arrives is not what the contract says: that is the point.
const frame = (data: unknown) =>
  ({
    id: 'e1',
    type: 'CLUSTER_PROVISIONING_UPDATE',
    target: 'ALL',
    timestamp: '2026-11-21T12:00:00Z',
    component: 'clusters',
    message: '',
    organizationId: 1,
    data,
  }) as EventFrame<'CLUSTER_PROVISIONING_UPDATE'>

const lastRun = { workflowId: 'w', runId: 'r' }
const listed = (id: number) => ({ id, title: `c${id}`, status: 'PENDING', pending_operations: 1, lastRun })

function statusesAfter(data: unknown) {
  const cache = new QueryClient()
  const key = apiKey(1, 'clusters.list', { query: {} })
  cache.setQueryData(key, { clusters: [listed(1), listed(2), listed(3)], total: 3, page: 1, limit: 50 })
  reducers.CLUSTER_PROVISIONING_UPDATE(cache, frame(data))
  const after = cache.getQueryData<{ clusters: ReturnType<typeof listed>[] }>(key)
  expect(after?.clusters.every((cluster) => cluster.lastRun.runId === 'r')).toBe(true)
  return after?.clusters.map((cluster) => cluster.status)
}

test('a list called activeClusters changes each cluster that it names, by either name', () => {
  const activeClusters = [
    { clusterId: 1, status: 'COMPLETED', error: null },
    { cluster_id: '2', status: 'PROCESSING' },
  ]
  expect(statusesAfter({ activeClusters })).toEqual(['RUNNING', 'CREATING', 'PENDING'])
})

test('a single update may name its cluster cluster_id and come without a workflow', () => {
  expect(statusesAfter({ cluster_id: 3, status: 'FAILED', error: null })).toEqual([
    'PENDING',
    'PENDING',
    'ERROR',
  ])
})

test.each([
  { activeClusters: 'none' },
  { activeClusters: [null, 7, { status: 'COMPLETED' }] },
  { clusterId: 1 },
])('%j changes nothing', (data) => {
  expect(provisioningEvents(frame(data))).toEqual([])
  expect(statusesAfter(data)).toEqual(['PENDING', 'PENDING', 'PENDING'])
})
