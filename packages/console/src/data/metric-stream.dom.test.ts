import type { EventFrame } from '@bey/contract'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { apiKey } from './api-query.ts'
import { metricStreamReducers } from './metric-stream.ts'

const organizationId = 3
const frame = { id: '1', target: 'ALL', timestamp: '', component: '', message: '', organizationId } as const
const update: EventFrame<'CLUSTER_METRICS_UPDATE'> = {
  ...frame,
  type: 'CLUSTER_METRICS_UPDATE',
  data: {
    clusterId: 7,
    nodes: [
      { name: 'a', cpuMillicores: 300, memoryBytes: 10 },
      { name: 'b', cpuMillicores: 200, memoryBytes: 5 },
    ],
    at: '2026-11-22T10:00:00.000Z',
  },
}

function given() {
  const cache = new QueryClient()
  const use = { requested: 1, allocatable: 1000, used: null }
  const overviewKey = apiKey(organizationId, 'kubernetes.overview', { params: { id: 7 } })
  const nodesKey = apiKey(organizationId, 'kubernetes.nodes', { params: { id: 7 }, query: { page: 1 } })
  cache.setQueryData(overviewKey, { capacity: { cpuMillicores: use, memoryBytes: use, pods: use } })
  cache.setQueryData(nodesKey, { nodes: ['a', 'gone'].map((name) => ({ name, cpu: use, memory: use })) })
  const state = () => cache.getQueryData(['metrics-streaming', 7, organizationId])
  return { cache, overviewKey, nodesKey, state }
}

test('a measurement writes what the cluster and its nodes use now', () => {
  const { cache, overviewKey, nodesKey } = given()
  metricStreamReducers.CLUSTER_METRICS_UPDATE(cache, update)
  expect(cache.getQueryData(overviewKey)).toMatchObject({
    capacity: { cpuMillicores: { used: 500, requested: 1 }, memoryBytes: { used: 15 } },
  })
  expect(cache.getQueryData(nodesKey)).toMatchObject({
    nodes: [
      { name: 'a', cpu: { used: 300 }, memory: { used: 10 } },
      { name: 'gone', cpu: { used: null } },
    ],
  })
})

test('why nothing is measured is kept until a measurement comes', () => {
  const { cache, state } = given()
  const error = 'The cluster has no metrics.'
  metricStreamReducers.METRICS_STREAMING_ERROR(cache, {
    ...frame,
    type: 'METRICS_STREAMING_ERROR',
    data: { clusterId: 7, error },
  })
  expect(state()).toEqual({ error })
  metricStreamReducers.CLUSTER_METRICS_UPDATE(cache, update)
  expect(state()).toEqual({ error: null })
})

test.each([
  ['a moment ago is not read again', 1_000, 0],
  ['a step ago is read again', 20_000, 1],
])('a curve that was read %s at a measurement', async (_what, agoMs, reads) => {
  const { cache } = given()
  const queryKey = apiKey(organizationId, 'metrics.read', {
    params: { entity: 'cluster' },
    query: { ids: '7', metrics: 'cpu_used_millicores', range: 3_600 },
  })
  const queryFn = vi.fn<() => Promise<object>>().mockResolvedValue({ series: [] })
  cache.setQueryData(queryKey, { series: [] }, { updatedAt: Date.now() - agoMs })
  const observer = new QueryObserver(cache, { queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY })
  const stop = observer.subscribe(() => undefined)
  metricStreamReducers.CLUSTER_METRICS_UPDATE(cache, update)
  await Promise.resolve()
  expect(queryFn).toHaveBeenCalledTimes(reads)
  stop()
})
