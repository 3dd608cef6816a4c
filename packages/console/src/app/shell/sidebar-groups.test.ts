// @vitest-environment node
import { serviceCatalog, serviceForPath } from '@bey/contract'
import { expect, test } from 'vitest'
import { selectedEntryKey, selectedRoute, sidebarGroups } from './sidebar-groups.ts'

const labels = (query: string) =>
  sidebarGroups(query).flatMap((group) => group.entries.map((entry) => entry.service.label))

test('only launched services are shown, in their groups, Kubernetes in both of its own', () => {
  const groups = sidebarGroups('')
  expect(groups.map((group) => group.name)).toEqual(['', ...serviceCatalog.map((category) => category.name)])
  for (const { name, services } of serviceCatalog) {
    const shown = groups.find((group) => group.name === name)?.entries.map(({ service }) => service.label)
    expect(shown, name).toEqual(services.filter(({ isLaunched }) => isLaunched).map(({ label }) => label))
  }
  expect(labels('').filter((label) => label === 'Kubernetes')).toHaveLength(2)
  expect(labels('')).not.toContain('Containers')
})

test('the search finds service labels in any case, and shows all their routes', () => {
  expect(labels('SECRE')).toEqual(['Secrets'])
  expect(sidebarGroups('workflows')[0]?.entries[0]?.routes).toHaveLength(3)
})

test('the search finds route labels, and shows only those routes', () => {
  const [entry] = sidebarGroups('workloads').flatMap((group) => group.entries)
  expect(entry?.service.label).toBe('Kubernetes')
  expect(entry?.routes.map((route) => route.label)).toEqual(['Workloads'])
})

test('a search without a match leaves nothing', () => {
  expect(sidebarGroups('no such thing')).toEqual([])
})

test('the selected service is the one with the longest route that prefixes the path, else Dashboard', () => {
  expect(serviceForPath('/databases/metrics').value).toBe('database-metrics')
  expect(serviceForPath('/databases/5').value).toBe('databases')
  expect(serviceForPath('/storage').value).toBe('kubernetes')
  expect(serviceForPath('/kubernetes/admin').value).toBe('kubernetes')
  expect(serviceForPath('/entity-relationships').value).toBe('resources')
  expect(serviceForPath('/profile').value).toBe('dashboard')
})

test('a service in two groups is marked once, in the first', () => {
  expect(selectedEntryKey(sidebarGroups(''), '/kubernetes/clusters/4')).toBe('Compute/kubernetes')
  expect(selectedEntryKey(sidebarGroups(''), '/')).toBe('/dashboard')
})

test('within a service the longest route wins', () => {
  const kubernetes = serviceForPath('/kubernetes/clusters')
  expect(selectedRoute(kubernetes, '/kubernetes/clusters/create')?.label).toBe('Create cluster')
  expect(selectedRoute(kubernetes, '/kubernetes/clusters/4/pods')?.label).toBe('Clusters')
  expect(selectedRoute(kubernetes, '/kubernetes/admin')).toBeUndefined()
})
