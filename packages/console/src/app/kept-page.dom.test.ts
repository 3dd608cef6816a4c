import { expect, test } from 'vitest'
import { keptPage } from './kept-page.ts'
import { router } from './router.tsx'

test('pages without parameters are kept, and those of one thing lead to its list', () => {
  expect(keptPage('/workspaces/members')).toBe('/workspaces/members')
  expect(keptPage('/secrets/create')).toBe('/secrets/create')
  expect(keptPage('/workflows/$workflowId/runs/$runId')).toBe('/workflows')
  expect(keptPage('/kubernetes/clusters/$id')).toBe('/kubernetes/clusters')
  expect(keptPage('/')).toBe('/')
})

test('every page leads to one that exists in each organization', () => {
  const patterns = Object.values(router.routesById)
    .filter(({ id }) => id.startsWith('/guarded/'))
    .map(({ fullPath }) => fullPath.replace(/(.)\/$/, '$1'))
  for (const pattern of patterns) if (pattern !== '/$') expect(patterns, pattern).toContain(keptPage(pattern))
})
