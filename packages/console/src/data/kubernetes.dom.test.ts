import type { EventFrame } from '@bey/contract'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { apiKey } from './api-query.ts'
import { isObjectReadOld, kubernetesReducers, readsAfter } from './kubernetes.ts'

const key = (name: 'kubernetes.pods' | 'kubernetes.events' | 'clusters.get', id: number) =>
  apiKey(3, name, { params: { id } })

function changed(
  kinds: string[],
  isLive = true,
  fill: (cache: QueryClient) => void = () => undefined,
): QueryClient {
  const cache = new QueryClient()
  fill(cache)
  for (const id of [7, 70]) {
    for (const name of ['kubernetes.pods', 'kubernetes.events', 'clusters.get'] as const) {
      cache.setQueryData(key(name, id), {})
    }
  }
  const rest = { id: '1', target: 'ALL', timestamp: '', component: 'kubernetes', message: '' } as const
  const event: EventFrame<'CLUSTER_RESOURCE_UPDATE'> = {
    ...rest,
    type: 'CLUSTER_RESOURCE_UPDATE',
    organizationId: 3,
    data: { clusterId: 7, kinds, objects: {}, isLive },
  }
  kubernetesReducers.CLUSTER_RESOURCE_UPDATE(cache, event)
  return cache
}
const isOld = (cache: QueryClient, name: Parameters<typeof key>[0], id: number) =>
  cache.getQueryState(key(name, id))?.isInvalidated

test.each([
  ['pods', ['figures of namespaces', 'nodes', 'overview', 'pods', 'workloads']],
  ['nodes', ['figures of namespaces', 'nodes', 'overview', 'pods', 'workloads']],
  ['namespaces', ['namespaces', 'overview']],
  ['deployments', ['figures of namespaces', 'overview', 'workloads']],
  ['replicasets', ['figures of namespaces', 'overview', 'workloads']],
  ['jobs', ['figures of namespaces', 'overview', 'workloads']],
  ['claims', ['figures of namespaces', 'overview']],
  ['events', ['events']],
])('changed %s make old what shows them, and nothing else', (kind, reads) => {
  expect([...readsAfter([kind])].toSorted()).toEqual(reads)
})

test('the names of namespaces are read again with namespaces alone, however live the cluster is', () => {
  const names = apiKey(3, 'kubernetes.namespaces', { params: { id: 7 }, query: { limit: 200 } })
  const figures = apiKey(3, 'kubernetes.namespaces', {
    params: { id: 7 },
    query: { limit: 200, sort: 'name' },
  })
  const oldAfter = (kinds: string[], isLive: boolean) => {
    const cache = changed(kinds, isLive, (each) => {
      each.setQueryData(names, {})
      each.setQueryData(figures, {})
    })
    return [names, figures].map((queryKey) => cache.getQueryState(queryKey)?.isInvalidated)
  }
  expect(oldAfter(['pods', 'events', 'deployments', 'nodes', 'claims'], true)).toEqual([false, true])
  expect(oldAfter(['pods'], false)).toEqual([false, true])
  expect(oldAfter(['events'], true)).toEqual([false, false])
  expect(oldAfter(['namespaces'], true)).toEqual([true, true])
  expect(oldAfter([], false)).toEqual([true, true])
})

test.each([
  ['policies', 'fetching'],
  ['namespaces', 'fetching'],
  ['events', 'idle'],
])('when %s change, an answer about who reaches whom that is on screen is %s', (kind, fetchStatus) => {
  // Each case has a question of its own: one that was just read again waits.
  const query = { from: `workload:a/${kind}`, to: 'pod:a/api', port: 80 } as const
  const queryKey = apiKey(3, 'networks.reachability.check', { params: { id: 7 }, query })
  const cache = changed([kind], true, (each) => {
    each.setQueryData(queryKey, {})
    const queryFn = () => Promise.resolve({})
    new QueryObserver(each, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => undefined)
  })
  expect(cache.getQueryState(queryKey)?.fetchStatus).toBe(fetchStatus)
})

test('network policies and volume claims are read again though their changes are told by short names', () => {
  for (const [kind, resource] of [
    ['policies', 'networkpolicies.networking.k8s.io'],
    ['claims', 'persistentvolumeclaims'],
  ] as const) {
    const list = apiKey(3, 'kubernetes.allObjects', { params: { resource }, query: {} })
    const cache = changed([kind], true, (each) => each.setQueryData(list, {}))
    expect(cache.getQueryState(list)?.isInvalidated, kind).toBe(true)
  }
})

test('lists over all clusters are read again when one of them stops answering', () => {
  const lists = [
    apiKey(3, 'kubernetes.allWorkloads', { query: {} }),
    apiKey(3, 'kubernetes.allObjects', { params: { resource: 'services' }, query: {} }),
  ]
  const cache = changed([], false, (each) => lists.forEach((queryKey) => each.setQueryData(queryKey, {})))
  expect(lists.map((queryKey) => cache.getQueryState(queryKey)?.isInvalidated)).toEqual([true, true])
})

test('a kind that no list shows may still count in the overview', () => {
  expect([...readsAfter(['services'])]).toEqual(['overview'])
})

test('changed pods of a cluster are read again, its events and other clusters are not', () => {
  const cache = changed(['pods'])
  expect(isOld(cache, 'kubernetes.pods', 7)).toBe(true)
  expect(isOld(cache, 'kubernetes.events', 7)).toBe(false)
  expect(isOld(cache, 'kubernetes.pods', 70)).toBe(false)
  expect(isOld(cache, 'clusters.get', 7)).toBe(false)
})

test('a lost watch makes the cluster itself old, for its reachability has changed', () => {
  expect(isOld(changed([], false), 'clusters.get', 7)).toBe(true)
})

test('a list of objects is old when one of its resource changed, the page of an object when it did itself', () => {
  const update = { kinds: ['configmaps', 'deployments'], objects: { configmaps: ['a/one'] } }
  const isOld = (path: string) => isObjectReadOld(path, update)
  expect(isOld('configmaps')).toBe(true)
  expect(isOld('secrets')).toBe(false)
  expect(isOld('configmaps/a/one')).toBe(true)
  expect(isOld('configmaps/a/two')).toBe(false)
  expect(isOld('configmaps/b/one')).toBe(false)
  // Too many deployments changed to be named.
  expect(isOld('deployments.apps')).toBe(true)
  expect(isOld('deployments.apps/a/web')).toBe(true)
  expect(isOld('deployments.example.com/a/web')).toBe(false)
})

test('what is related to an object is old when the object itself changed, not at every change of a pod', () => {
  const update = {
    kinds: ['pods', 'events', 'deployments'],
    objects: { pods: ['a/web-5d9-x'], events: ['a/web.17c'], deployments: ['a/api'] },
  }
  expect(isObjectReadOld('deployments.apps/a/web/related', update)).toBe(false)
  expect(isObjectReadOld('deployments.apps/a/api/related', update)).toBe(true)
})

test('the page of an object is old when its pods or events changed', () => {
  const update = { kinds: ['pods', 'events'], objects: { pods: ['a/web-5d9-x'], events: ['a/db.17c'] } }
  const isOld = (path: string) => isObjectReadOld(path, update)
  expect(isOld('deployments.apps/a/web')).toBe(true)
  expect(isOld('deployments.apps/b/web')).toBe(false)
  expect(isOld('statefulsets.apps/a/db')).toBe(true)
  expect(isOld('configmaps/a/other')).toBe(false)
  expect(
    isObjectReadOld('clusterroles.rbac.authorization.k8s.io/-/system%3Anode', {
      kinds: ['clusterroles.rbac.authorization.k8s.io'],
      objects: {},
    }),
  ).toBe(true)
})
