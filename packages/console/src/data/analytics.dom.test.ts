import { dashboardMarksSince } from '@bey/contract'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dashboardQuery } from './analytics.ts'
import { apiKey } from './api-query.ts'
import { setHeardPosition } from './positions.ts'

const organizationId = 3
const now = new Date('2026-11-22T10:00:30.000Z')
const runs = { runs: [], total: 0, page: 1, limit: 8 }
const range = { from: '', to: '', stepMs: 60_000, series: [], refused: null }
const overview = {
  since: null,
  services: { rows: [] },
  outlook: { filling: [] },
  layout: { cards: [] },
  dashboard: { summary: { state: 'healthy' }, clusterRows: [{ id: 7 }] },
  runs: { listed: runs, marked: runs },
  metrics: { use: range, trends: range, failing: range, degraded: range },
}
const listedKey = apiKey(organizationId, 'workflows.allRuns', { query: { limit: 8 } })
const markedKey = apiKey(organizationId, 'workflows.allRuns', {
  query: { limit: 200, since: dashboardMarksSince({ end: now.toISOString() }) },
})
const trendsKey = apiKey(organizationId, 'metrics.read', {
  params: { entity: 'cluster' },
  query: {
    ids: '7',
    metrics: 'cpu_used_millicores,cpu_allocatable_millicores,memory_used_bytes,memory_allocatable_bytes',
    range: 86_400,
    step: 1_800,
  },
})

const asked: string[] = []
let body: object = overview
beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] })
  asked.length = 0
  body = overview
  setHeardPosition(undefined)
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    const answer = path.endsWith('/overview') ? body : overview.dashboard
    return Response.json(answer, { headers: { 'x-bey-position': 'a.5.0' } })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const isOld = (cache: QueryClient, key: readonly unknown[]) => cache.getQueryState(key)?.isInvalidated

test('the first read of the dashboard brings its runs and curves, and later ones the figures alone', async () => {
  const cache = new QueryClient()
  await cache.query(dashboardQuery(organizationId))
  expect(cache.getQueryData(listedKey)).toEqual(runs)
  expect(cache.getQueryData(markedKey)).toEqual(runs)
  expect(cache.getQueryData(trendsKey)).toEqual(range)
  await cache.refetchQueries(dashboardQuery(organizationId))
  expect(asked).toEqual(['/api/analytics/overview', '/api/analytics/dashboard'])
})

test('parts that are older than an event are read again when they are shown', async () => {
  const cache = new QueryClient()
  setHeardPosition('a.6.0')
  await cache.query(dashboardQuery(organizationId))
  expect(isOld(cache, listedKey)).toBe(true)
  setHeardPosition('a.5.0')
  const other = new QueryClient()
  await other.query(dashboardQuery(organizationId))
  expect(isOld(other, listedKey)).toBe(false)
})

test('what the caller may not read is left to its own question', async () => {
  body = { ...overview, runs: null, metrics: null }
  const cache = new QueryClient()
  await cache.query(dashboardQuery(organizationId))
  const paths = cache
    .getQueryCache()
    .getAll()
    .map(({ queryKey: [path] }) => path)
  // What happened since the caller left is told as far as the caller may know.
  expect(new Set(paths)).toEqual(
    new Set(['dashboard', 'layout', 'outlook', 'services', 'since'].map((name) => `/api/analytics/${name}`)),
  )
})
