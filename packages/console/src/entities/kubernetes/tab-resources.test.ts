// @vitest-environment node
import { expect, test } from 'vitest'
import { resourceListHref } from './tab-resources.ts'

test('each resource has a list in one of the tabs of its cluster', () => {
  const href = (resource: string, kind: string, namespace?: string) =>
    resourceListHref(4, { resource, kind, ...(namespace ? { namespace } : {}) }).replace(
      '/kubernetes/clusters/4/',
      '',
    )
  expect(href('pods', 'Pod', 'shop')).toBe('pods?namespace=shop')
  expect(href('nodes', 'Node')).toBe('nodes')
  expect(href('deployments.apps', 'Deployment', 'shop')).toBe('workloads?type=Deployment&namespace=shop')
  expect(href('replicasets.apps', 'ReplicaSet')).toBe('custom?type=replicasets.apps')
  expect(href('configmaps', 'ConfigMap', 'shop')).toBe('config?type=configmaps&namespace=shop')
  expect(href('ingresses.networking.k8s.io', 'Ingress')).toBe('services?type=ingresses.networking.k8s.io')
  expect(href('roles.rbac.authorization.k8s.io', 'Role')).toBe(
    'access?tab=roles&type=roles.rbac.authorization.k8s.io',
  )
  expect(href('widgets.example.com', 'Widget')).toBe('custom?type=widgets.example.com')
})
