import { afterEach, expect, test, vi } from 'vitest'
import { prefetchCluster } from './prefetch-cluster.ts'
import { queryClient } from './query-client.ts'

vi.mock('./session.ts', () => ({ signedInOrganizationId: () => 3 }))

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

function askedAt(address: string): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path)
    return new Promise<Response>(() => undefined)
  })
  history.replaceState(null, '', address)
  prefetchCluster()
  return asked
}

test('the page of a cluster is asked for before its script is here, its list of pods too', () => {
  expect(askedAt('/kubernetes/clusters/7')).toEqual(['/api/kubernetes/clusters/7'])
  queryClient.clear()
  expect(askedAt('/kubernetes/clusters/7/pods')).toEqual([
    '/api/kubernetes/clusters/7',
    '/api/kubernetes/clusters/7/pods?sort=health',
  ])
})

test('pods that are filtered, and other pages, are left to the page', () => {
  expect(askedAt('/kubernetes/clusters/7/pods?q=web')).toEqual(['/api/kubernetes/clusters/7'])
  queryClient.clear()
  expect(askedAt('/kubernetes/clusters')).toEqual([])
  expect(askedAt('/kubernetes/clusters/7/objects/pods/shop/web')).toEqual([])
})
