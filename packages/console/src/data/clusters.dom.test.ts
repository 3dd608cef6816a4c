import type { Cluster, EventFrame, LiveEvents } from '@bey/contract'
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { apiKey } from './api-query.ts'
import { clusterAfter, clusterReducers, clustersAfter, isFirstPage } from './clusters.ts'
import type { ClusterList, ClusterListQuery } from './clusters.ts'
import {
  givenCluster as cluster,
  givenOrganizationId as organizationId,
  givenUpdate as update,
} from './given-cluster.ts'

const list = (clusters: Cluster[]): ClusterList => ({ clusters, total: clusters.length, page: 1, limit: 50 })

function frame<T extends 'CLUSTER_PROVISIONING_UPDATE' | 'CLUSTERS_UPDATE'>(
  type: T,
  data: LiveEvents[T],
  organization = organizationId,
) {
  const rest = { id: '1', target: 'ALL', timestamp: '', component: 'clusters', message: '' } as const
  return { ...rest, type, organizationId: organization, data } as EventFrame<T>
}

test.each([
  ['PROVISIONING', 'CREATING', 1],
  ['PROCESSING', 'CREATING', 1],
  ['COMPLETED', 'RUNNING', 0],
  ['FAILED', 'ERROR', 1],
  ['DELETED', 'DELETED', 0],
  ['UPDATING', 'RUNNING', 1],
] as const)('an update %s leaves a cluster %s with %i pending operations', (status, after, pending) => {
  const before = cluster(1, { status: status === 'UPDATING' ? 'RUNNING' : 'PENDING' })
  expect(clusterAfter(before, update(status))).toMatchObject({ status: after, pending_operations: pending })
})

test('a failure shows its cause, and the next success takes it away', () => {
  const failed = clusterAfter(cluster(1), update('FAILED', { error: 'The port is taken.' }))
  expect(failed.error).toBe('The port is taken.')
  expect(clusterAfter(failed, update('COMPLETED')).error).toBeNull()
})

test('an update leaves other clusters as they are, and the list itself if it does not hold the cluster', () => {
  const held = list([cluster(1), cluster(2)])
  expect(clustersAfter(held, undefined, update('COMPLETED')).clusters[1]).toBe(held.clusters[1])
  expect(clustersAfter(held, undefined, update('COMPLETED', { clusterId: 9 }))).toBe(held)
})

test('a deleted cluster leaves every list but that of deleted ones', () => {
  const held = list([cluster(1), cluster(2)])
  const after = clustersAfter(held, undefined, update('DELETED'))
  expect(after.clusters.map((each) => each.id)).toEqual([2])
  expect(after.total).toBe(1)
  expect(clustersAfter(held, { status: 'DELETED' }, update('DELETED')).total).toBe(2)
})

test.each<[ClusterListQuery | undefined, boolean]>([
  [undefined, true],
  [{}, true],
  [{ page: 1, sort: 'createdAt', order: 'desc' }, true],
  [{ page: 2 }, false],
  [{ search: 'prod' }, false],
  [{ status: 'RUNNING' }, false],
  [{ order: 'asc' }, false],
  [{ limit: 8 }, false],
])('the list asked with %j is the first page: %s', (query, isFirst) => {
  expect(isFirstPage(query)).toBe(isFirst)
})

test('CLUSTERS_UPDATE replaces the first page; a filtered list is read again', () => {
  const cache = new QueryClient()
  const first = apiKey(organizationId, 'clusters.list', { query: {} })
  const filtered = apiKey(organizationId, 'clusters.list', { query: { status: 'RUNNING' } })
  cache.setQueryData(first, list([cluster(1)]))
  cache.setQueryData(filtered, list([cluster(1)]))
  clusterReducers.CLUSTERS_UPDATE(
    cache,
    frame('CLUSTERS_UPDATE', { clusters: [cluster(2), cluster(1)], total: 2 }),
  )
  expect(cache.getQueryData<ClusterList>(first)).toMatchObject({ total: 2, page: 1, limit: 50 })
  expect(cache.getQueryData<ClusterList>(filtered)?.total).toBe(1)
  expect(cache.getQueryState(filtered)?.isInvalidated).toBe(true)
  expect(cache.getQueryState(first)?.isInvalidated).toBe(false)
})

test('the end of an operation makes everything that was read of the cluster old, and nothing of another', () => {
  const cache = new QueryClient()
  const pods = apiKey(organizationId, 'kubernetes.pods', { params: { id: 1 }, query: {} })
  const others = apiKey(organizationId, 'kubernetes.pods', { params: { id: 11 }, query: {} })
  cache.setQueryData(pods, { pods: [] })
  cache.setQueryData(others, { pods: [] })
  clusterReducers.CLUSTER_PROVISIONING_UPDATE(
    cache,
    frame('CLUSTER_PROVISIONING_UPDATE', update('COMPLETED')),
  )
  expect(cache.getQueryState(pods)?.isInvalidated).toBe(true)
  expect(cache.getQueryState(others)?.isInvalidated).toBe(false)
})

test('an update of another organization changes nothing of this one', () => {
  const cache = new QueryClient()
  const key = apiKey(organizationId, 'clusters.get', { params: { id: 1 } })
  cache.setQueryData(key, cluster(1))
  clusterReducers.CLUSTER_PROVISIONING_UPDATE(
    cache,
    frame('CLUSTER_PROVISIONING_UPDATE', update('COMPLETED'), 4),
  )
  expect(cache.getQueryData<Cluster>(key)?.status).toBe('CREATING')
})

test('a cluster that is open follows its update, one that is not is not invented', () => {
  const cache = new QueryClient()
  const open = apiKey(organizationId, 'clusters.get', { params: { id: 1 } })
  cache.setQueryData(open, cluster(1))
  const reduce = clusterReducers.CLUSTER_PROVISIONING_UPDATE
  reduce(cache, frame('CLUSTER_PROVISIONING_UPDATE', update('COMPLETED')))
  reduce(cache, frame('CLUSTER_PROVISIONING_UPDATE', update('COMPLETED', { clusterId: 2 })))
  expect(cache.getQueryData<Cluster>(open)).toMatchObject({
    status: 'RUNNING',
    lastRun: { workflowId: 'w', runId: 'r' },
  })
  expect(cache.getQueryData(apiKey(organizationId, 'clusters.get', { params: { id: 2 } }))).toBeUndefined()
})

test('a provisioning that failed with an error is logged, one without is not', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const cache = new QueryClient()
  const apply = (part: { error: string | null }) =>
    clusterReducers.CLUSTER_PROVISIONING_UPDATE(
      cache,
      frame('CLUSTER_PROVISIONING_UPDATE', update('FAILED', part)),
    )
  apply({ error: null })
  apply({ error: 'No machine answered.' })
  await vi.waitFor(() => expect(warn).toHaveBeenCalled(), 60_000)
  expect(warn.mock.calls).toEqual([
    ['Provisioning of cluster 1 failed', { error: 'No machine answered.', runId: 'r' }],
  ])
  warn.mockRestore()
})
