import { expect, test } from 'vitest'

import { clusterHealth } from '../../tables/cluster-health.ts'
import { testApp } from '../../testing/app.ts'
import { rowsRead } from '../../testing/rows-read.ts'
import { type ClusterFilter, clusterPage } from './list.ts'

const app = await testApp()
const { ask, given } = app
const owner = await given.user()
const { token, organizationId } = owner
for (const [title, status, createdAt] of [
  ['beta', 'RUNNING', '2026-01-02T00:00:00.070Z'],
  ['alpha', 'ERROR', '2026-01-03T00:00:00Z'],
  ['100%', 'ERROR', '2026-01-01T00:00:00.123Z'],
  ['gone', 'DELETED', '2026-01-04T00:00:00Z'],
] as const) {
  await given.cluster({
    organizationId,
    title,
    status,
    createdAt: new Date(createdAt),
    deletedAt: status === 'DELETED' ? new Date() : null,
  })
}
await given.cluster({ title: 'foreign' })

const titles = async (query: string) => {
  const { body } = await ask('GET', `/api/kubernetes/clusters?${query}`, { token, organizationId })
  return [body.clusters.map((cluster: { title: string }) => cluster.title), body.total]
}

test.each([
  ['', ['alpha', 'beta', '100%'], 3],
  ['order=asc', ['100%', 'beta', 'alpha'], 3],
  ['sort=title', ['100%', 'alpha', 'beta'], 3],
  ['sort=title&order=desc&limit=2', ['beta', 'alpha'], 3],
  ['sort=title&page=2&limit=2', ['beta'], 3],
  ['sort=title&page=9&limit=2', [], 3],
  ['sort=status&order=desc', ['beta', '100%', 'alpha'], 3],
  ['status=ERROR&sort=title', ['100%', 'alpha'], 2],
  ['status=DELETED', ['gone'], 1],
  ['search=ALP', ['alpha'], 1],
  ['search=%25', ['100%'], 1],
  ['search=_', [], 0],
  ['status=ERROR&search=a&limit=1', ['alpha'], 1],
])('asked with %j the list is %j of %d', async (query, expected, total) => {
  const found = await titles(query)
  // Rows that sort alike come by id, whichever way.
  expect([query.startsWith('sort=status') ? found[0].toSorted() : found[0], found[1]]).toEqual([
    query.startsWith('sort=status') ? expected.toSorted() : expected,
    total,
  ])
})

test('a total is exact to 10,000, whichever page is asked for, and says beyond that it is not', async () => {
  const many = await given.user()
  await app.database.ownerPool.query(
    `insert into clusters (organization_id, title, provider)
     select $1, 'c' || n, 'sandbox' from generate_series(1, 10000) n`,
    [many.organizationId],
  )
  const totals = async (query: string) => {
    const { body } = await ask('GET', `/api/kubernetes/clusters?limit=200&${query}`, { token: many.token })
    return [body.clusters.length, body.total, body.totalIsExact]
  }
  const exact = 10_000
  expect(await totals('page=1')).toEqual([200, exact, undefined])
  await given.cluster({ organizationId: many.organizationId, title: 'one too many' })
  expect(await totals('page=1')).toEqual([200, exact, false])
  expect(await totals('page=51')).toEqual([1, exact, false])
  expect(await totals('page=52')).toEqual([0, exact, false])
  expect(await totals('search=one')).toEqual([1, 1, undefined])
})

test('clusters are filtered and sorted by health, of which the row alone says what it can', async () => {
  const person = await given.user()
  const of = { organizationId: person.organizationId, status: 'RUNNING' } as const
  const observed = async (title: string, state: 'failing' | 'healthy', leaseUntil: Date) => {
    const made = await given.cluster({ ...of, title })
    await app.database.asSystem('test', (db) =>
      db.insert(clusterHealth).values({
        clusterId: made.id,
        organizationId: of.organizationId,
        state,
        reason: state === 'failing' ? 'CrashLoopBackOff' : null,
        since: new Date('2026-01-01T10:00:00Z'),
        observer: 'somebody',
        leaseUntil,
      }),
    )
  }
  const later = new Date(Date.now() + 60_000)
  await observed('well', 'healthy', later)
  await observed('ill', 'failing', later)
  await observed('unwatched', 'healthy', new Date(Date.now() - 1000))
  await given.cluster({ ...of, title: 'away', reachability: 'unreachable' })
  await given.cluster({ ...of, title: 'broken', status: 'ERROR' })
  await given.cluster({ ...of, title: 'new', status: 'CREATING' })
  const list = async (query: string) => {
    const { body } = await ask('GET', `/api/kubernetes/clusters?${query}`, { token: person.token })
    return body.clusters.map(
      ({ title, health }: { title: string; health: { state: string } }) => `${title} ${health.state}`,
    )
  }
  expect(await list('sort=health')).toEqual([
    'ill failing',
    'broken failing',
    'unwatched unknown',
    'away unknown',
    'new starting',
    'well healthy',
  ])
  expect(await list('health=unknown&sort=title')).toEqual(['away unknown', 'unwatched unknown'])
  const { body } = await ask('GET', '/api/kubernetes/clusters?search=ill', { token: person.token })
  expect(body.clusters[0].health).toEqual({
    state: 'failing',
    reason: 'CrashLoopBackOff',
    detail: null,
    since: '2026-01-01T10:00:00.000Z',
    object: null,
  })
})

test('times in the list are those of the cluster itself, to the millisecond', async () => {
  const { body } = await ask('GET', '/api/kubernetes/clusters', { token, organizationId })
  for (const row of body.clusters) {
    const { body: one } = await ask('GET', `/api/kubernetes/clusters/${row.id}`, { token, organizationId })
    expect(row).toEqual(one)
  }
  expect(body.clusters.map((row: { createdAt: string }) => row.createdAt)).toEqual([
    '2026-01-03T00:00:00.000Z',
    '2026-01-02T00:00:00.070Z',
    '2026-01-01T00:00:00.123Z',
  ])
})

test('a page of the list, whichever way it is sorted, reads no clusters but its own', async () => {
  const { organizationId: crowded } = await given.user()
  await app.database.ownerPool.query(
    `insert into clusters (organization_id, title, provider, status, deleted_at)
     select $1, md5(n::text), 'sandbox', (array['RUNNING', 'DELETED', 'ERROR'])[n % 3 + 1],
       case n % 3 when 1 then now() end
     from generate_series(1, 6000) n`,
    [crowded],
  )
  await app.database.ownerPool.query('analyze clusters')
  const filters: Pick<ClusterFilter, 'sort' | 'status'>[] = [
    { sort: 'title' },
    { sort: 'status' },
    { sort: 'createdAt' },
    { sort: 'createdAt', status: 'RUNNING' },
    { sort: 'createdAt', status: 'DELETED' },
  ]
  for (const filter of filters) {
    for (const order of ['asc', 'desc'] as const) {
      const read = await app.database.withTenant(crowded, (db) =>
        rowsRead(db, 'clusters', async () => {
          const rows = await clusterPage(db, crowded, { ...filter, order, page: 1, limit: 20 })
          expect(rows).toHaveLength(21)
        }),
      )
      expect(read, JSON.stringify({ ...filter, order })).toBeGreaterThan(20)
      // With a status that every second cluster has, some of the others are passed over.
      expect(read, JSON.stringify({ ...filter, order })).toBeLessThan(200)
    }
  }
})
