import { expect, test } from 'vitest'
import { serviceCatalog, serviceForPath } from './catalog.ts'

test.each([
  ['/', 'Dashboard'],
  ['/kubernetes/clusters', 'Kubernetes'],
  ['/kubernetes/clusters/7/pods', 'Kubernetes'],
  ['/kubernetes/admin', 'Kubernetes'],
  ['/storage', 'Kubernetes'],
  ['/workflows/runs', 'Workflows'],
  ['/databases', 'Databases'],
  ['/databases/metrics', 'Database Metrics'],
  ['/databases/7', 'Databases'],
  ['/entity-relationships', 'Resources'],
  ['/secrets-of-others', 'Dashboard'],
  ['/workspaces/members', 'Dashboard'],
])('%s belongs to %s', (path, label) => {
  expect(serviceForPath(path).label).toBe(label)
})

test('the catalogue has the groups in order, and Kubernetes in two of them', () => {
  expect(serviceCatalog.map((category) => category.name)).toEqual([
    'Compute',
    'Data & Analytics',
    'Infrastructure',
    'Databases',
  ])
  const listed = serviceCatalog.filter((category) =>
    category.services.some((service) => service.value === 'kubernetes'),
  )
  expect(listed.map((category) => category.name)).toEqual(['Compute', 'Infrastructure'])
})

test('what is not launched depends on kubernetes and has no routes', () => {
  const waiting = serviceCatalog
    .flatMap((category) => category.services)
    .filter((service) => !service.isLaunched)
  expect(waiting.map((service) => service.label)).toEqual([
    'Containers',
    'Serverless',
    'Database',
    'Security',
    'Edge Computing',
  ])
  for (const service of waiting) {
    expect(service.dependencies).toEqual(['kubernetes'])
    expect(service.routes).toBeUndefined()
  }
})
