import { expect, test } from 'vitest'
import { guardedPatterns, guardedRoutes } from '../../../../tools/all-routes.ts'

const ids = {
  clusterId: 4,
  workflowId: 'w',
  runId: 'r',
  errorId: 'e',
  secretId: 's',
  apiKeyId: 'k',
  webhookId: 'h',
}

test('every guarded page of the router is visited once', async () => {
  const { router } = await import('./router.tsx')
  const declared = Object.values(router.routesById)
    .filter(({ id }) => id.startsWith('/guarded/'))
    .map(({ fullPath }) => fullPath.replace(/(.)\/$/, '$1'))
  expect(guardedPatterns().toSorted()).toEqual(declared.toSorted())
  expect(new Set(guardedPatterns()).size).toBe(declared.length)
})

test('parameters are filled from the descriptors, and each tab is a page', () => {
  const routes = guardedRoutes(ids)
  expect(routes.filter((route) => route.includes('$'))).toEqual([])
  expect(routes).toEqual(
    expect.arrayContaining([
      '/',
      '/kubernetes/clusters/4',
      '/kubernetes/clusters/4/nodes',
      '/workflows/w/edit',
      '/workflows/w/runs/r',
      '/errors/e',
      '/secrets/s',
    ]),
  )
})
