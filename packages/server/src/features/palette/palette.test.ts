import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'

const { ask, given } = await testApp()
const owner = await given.user()
const viewer = await given.user({ organizationId: owner.organizationId, role: 'VIEWER' })
const stranger = await given.user()
const as = (user: typeof owner) => ({ token: user.token, organizationId: user.organizationId })

const made: string[] = []
for (let index = 0; index < 5; index += 1) {
  const cluster = await given.cluster({
    organizationId: owner.organizationId,
    title: `prod-${index}`,
    nodeGroups: [
      { name: 'system', count: 1 },
      { name: 'workers', count: index },
    ],
  })
  made.unshift(String(cluster.id))
}
await given.cluster({ organizationId: owner.organizationId, title: 'gone', deletedAt: new Date() })
for (let index = 0; index < 3; index += 1) {
  const workflow = await given.workflow({ organizationId: owner.organizationId, name: `nightly-${index}` })
  made.splice(5, 0, workflow.id)
}

test('pages of any size give every cluster and workflow once, newest first, and no deleted one', async () => {
  for (const limit of [1, 3, 5, 8, 200]) {
    const seen: string[] = []
    let cursor = ''
    for (;;) {
      const { body } = await ask('GET', `/api/palette?limit=${limit}${cursor}`, as(viewer))
      expect(body.items.length).toBeLessThanOrEqual(limit)
      seen.push(...body.items.map((item: { id: string }) => item.id))
      if (body.nextCursor === null) break
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`
    }
    expect(seen, `limit ${limit}`).toEqual(made)
  }
})

test('a cluster carries its version, the sum of its nodes, its region and its status', async () => {
  const { body } = await ask('GET', '/api/palette?limit=1', as(viewer))
  expect(body.items[0]).toMatchObject({
    type: 'cluster',
    title: 'prod-4',
    subtitle: expect.stringContaining('5 nodes'),
    status: expect.any(String),
    isReadOnly: false,
  })
})

test('a search is answered by the server, in pages, type by type', async () => {
  const search = async (text: string, limit = 200) => {
    const { body } = await ask(
      'GET',
      `/api/palette?search=${encodeURIComponent(text)}&limit=${limit}`,
      as(viewer),
    )
    return body
  }
  expect((await search('PROD-3')).items.map((item: { title: string }) => item.title)).toEqual(['prod-3'])
  const both = await search('-1')
  expect(both.items.map((item: { type: string }) => item.type)).toEqual(['cluster', 'workflow'])
  const first = await search('prod', 2)
  expect(first.items).toHaveLength(2)
  const path = `/api/palette?search=prod&limit=200&cursor=${first.nextCursor}`
  expect((await ask('GET', path, as(viewer))).body.items).toHaveLength(3)
  // What represents anything in a pattern of SQL is taken literally.
  expect((await search('%')).items).toEqual([])
  expect((await search('gone')).items).toEqual([])
})

test('another organization sees nothing of it, and its cursor opens nothing', async () => {
  const { body } = await ask('GET', `/api/palette?cursor=cluster:${made[0]}`, as(stranger))
  expect(body.items.filter((item: { id: string }) => made.includes(item.id))).toEqual([])
  expect((await ask('GET', '/api/palette')).status).toBe(401)
  expect(
    (await ask('GET', '/api/palette', { ...as(stranger), organizationId: owner.organizationId })).status,
  ).toBe(404)
})

test('a cursor that nobody gave is refused', async () => {
  for (const cursor of ['x', 'cluster:', 'cluster:9999999999', "workflow:' or 1=1", 'cluster:1:2']) {
    const reply = await ask('GET', `/api/palette?cursor=${encodeURIComponent(cursor)}`, as(owner))
    expect(reply.status, cursor).toBe(400)
    expect(reply.body.code).toBe('invalid_request')
  }
  expect((await ask('GET', '/api/palette?limit=201', as(owner))).status).toBe(400)
})
