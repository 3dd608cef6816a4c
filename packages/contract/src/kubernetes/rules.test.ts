import { expect, test } from 'vitest'
import { kubernetesPath, objectPath, resourceName, resourcePattern } from './rules.ts'

test('resources are named as kubectl names them', () => {
  expect(resourceName('pods', '')).toBe('pods')
  expect(resourceName('deployments', 'apps')).toBe('deployments.apps')
  for (const name of ['pods', 'ingresses.networking.k8s.io', 'x-y.example.com'])
    expect(name).toMatch(resourcePattern)
  for (const name of ['', 'Pods', 'pods.', '.apps', 'a/b', '../../x', 'a b', 'pods/log'])
    expect(name).not.toMatch(resourcePattern)
})

test('an address escapes what a name may hold', () => {
  const role = {
    clusterId: 3,
    resource: 'clusterroles.rbac.authorization.k8s.io',
    namespace: '',
    name: 'system:node',
  }
  expect(objectPath(role)).toBe(
    '/kubernetes/clusters/3/objects/clusterroles.rbac.authorization.k8s.io/-/system%3Anode',
  )
  expect(objectPath({ clusterId: 3, resource: 'pods', namespace: 'a', name: 'b' }, 'logs')).toBe(
    '/kubernetes/clusters/3/objects/pods/a/b?tab=logs',
  )
})

test('paths follow the API server', () => {
  expect(kubernetesPath({ group: '', version: 'v1', plural: 'pods' })).toBe('/api/v1/pods')
  expect(kubernetesPath({ group: 'apps', version: 'v1', plural: 'deployments' }, 'a', 'web')).toBe(
    '/apis/apps/v1/namespaces/a/deployments/web',
  )
  expect(kubernetesPath({ group: '', version: 'v1', plural: 'nodes' }, '', 'n:1')).toBe('/api/v1/nodes/n%3A1')
})
