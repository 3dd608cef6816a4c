import { expect, test } from 'vitest'
import { revertRequest } from './revert-request.ts'

const kept = (apiVersion: string, kind: string, spec = {}) => ({
  apiVersion,
  kind,
  metadata: { name: 'web', namespace: 'shop', labels: { a: 'b' } },
  spec,
})

test('a change is reverted by replacing the object as it was read', () => {
  const live = { metadata: { resourceVersion: '42', name: 'web' } }
  expect(revertRequest(kept('apps/v1', 'Deployment'), 'deployments.apps', live)).toEqual({
    method: 'PUT',
    path: '/apis/apps/v1/namespaces/shop/deployments/web',
    body: {
      ...kept('apps/v1', 'Deployment'),
      metadata: { name: 'web', namespace: 'shop', labels: { a: 'b' }, resourceVersion: '42' },
    },
  })
})

test('what was deleted is created again, a service with an address of its own', () => {
  const service = kept('v1', 'Service', { clusterIP: '10.0.0.1', ports: [] })
  expect(revertRequest(service, 'services')).toMatchObject({
    method: 'POST',
    path: '/api/v1/namespaces/shop/services',
    body: { spec: { ports: [] } },
  })
  expect(JSON.stringify(revertRequest(service, 'services'))).not.toContain('10.0.0.1')
  expect(
    revertRequest(kept('networking.k8s.io/v1', 'NetworkPolicy'), 'networkpolicies.networking.k8s.io').path,
  ).toBe('/apis/networking.k8s.io/v1/namespaces/shop/networkpolicies')
})
