import { expect, test } from 'vitest'
import { dashboardService, serviceCatalog, serviceForPath } from './catalog.ts'

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

test.each([
  ['Compute', 'Kubernetes', 'kubernetes', true],
  ['Compute', 'Workflows', 'workflows', true],
  ['Compute', 'Containers', 'containers', false],
  ['Compute', 'Serverless', 'serverless', false],
  ['Data & Analytics', 'Analytics', 'analytics', true],
  ['Data & Analytics', 'Database', 'database', false],
  ['Infrastructure', 'Kubernetes', 'kubernetes', true],
  ['Infrastructure', 'Networking', 'networking', true],
  ['Infrastructure', 'Security', 'security', false],
  ['Infrastructure', 'Edge Computing', 'edge-computing', false],
  ['Infrastructure', 'Secrets', 'secrets', true],
  ['Infrastructure', 'Resources', 'resources', true],
  ['Databases', 'Databases', 'databases', true],
  ['Databases', 'Database Metrics', 'database-metrics', true],
])('%s lists %s under the value %s, launched: %s', (group, label, value, isLaunched) => {
  const category = serviceCatalog.find(({ name }) => name === group)
  expect(category?.services).toContainEqual(expect.objectContaining({ label, value, isLaunched }))
})

test.each([
  ['workflows', 'Managed workflows which performs series of actions'],
  ['networking', 'Configure and manage your cloud networks, VPCs, and security groups'],
  ['secrets', 'Secure key and secrets management'],
])('%s is described as %j', (value, description) => {
  expect(serviceByValue(value)?.description).toBe(description)
})

test.each([
  ['dashboard', '/'],
  [
    'kubernetes',
    '/kubernetes/clusters /kubernetes/clusters/create /kubernetes/services /kubernetes/workloads /storage',
  ],
  ['workflows', '/workflows /workflows/create /workflows/runs'],
  ['analytics', '/analytics/dashboard /analytics/reports /analytics/metrics'],
  ['resources', '/resources /entity-relationships'],
  ['secrets', '/secrets /secrets/create'],
  ['databases', '/databases /databases/create'],
  ['database-metrics', '/databases/metrics'],
])('the routes of %s begin with %s', (value, paths) => {
  expect(
    serviceByValue(value)
      ?.routes?.map(({ path }) => path)
      .join(' '),
  ).toMatch(new RegExp(`^${paths}( |$)`))
})

test('each service says what it is, and each route has a label', () => {
  for (const service of [dashboardService, ...serviceCatalog.flatMap(({ services }) => services)]) {
    const { label, value, icon, description, routes = [] } = service
    const texts = [label, value, icon, description, ...routes.flatMap((route) => [route.label, route.path])]
    expect(
      texts.every((text) => text.length > 0),
      value,
    ).toBe(true)
  }
  expect(dashboardService).toMatchObject({ label: 'Dashboard', value: 'dashboard' })
})

function serviceByValue(value: string) {
  return [dashboardService, ...serviceCatalog.flatMap(({ services }) => services)].find(
    (service) => service.value === value,
  )
}
