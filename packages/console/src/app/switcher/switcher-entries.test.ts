import { expect, test } from 'vitest'
import { choosable, switcherGroups } from './switcher-entries.ts'

test('Dashboard stands first, then every group with launched and coming services', () => {
  const groups = switcherGroups('')
  expect(groups.map((group) => group.name)).toEqual([
    '',
    'Compute',
    'Data & Analytics',
    'Infrastructure',
    'Databases',
  ])
  const compute = groups[1]?.entries.map(({ service, path, needs }) => [service.label, path, needs])
  expect(compute).toEqual([
    ['Kubernetes', '/kubernetes/clusters', []],
    ['Workflows', '/workflows', []],
    ['Containers', undefined, ['Kubernetes']],
    ['Serverless', undefined, ['Kubernetes']],
  ])
})

test('the search finds labels and descriptions in any case, and passes coming services by when choosing', () => {
  expect(choosable(switcherGroups('VPC')).map(({ path }) => path)).toEqual(['/networking'])
  expect(switcherGroups('serverless')).toHaveLength(1)
  expect(choosable(switcherGroups('serverless'))).toEqual([])
  expect(switcherGroups('nothing like it')).toEqual([])
})

test('a service in two groups has a key of its own in each', () => {
  const keys = switcherGroups('').flatMap((group) => group.entries.map((entry) => entry.key))
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys).toContain('Compute/kubernetes')
  expect(keys).toContain('Infrastructure/kubernetes')
})
