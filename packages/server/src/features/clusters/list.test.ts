import { expect, test } from 'vitest'

import { testApp } from '../../testing/app.ts'

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
