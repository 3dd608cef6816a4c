import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'

const app = await testApp()
const { given, ask } = app

const as = ({ token, organizationId }: GivenUser) => ({ token, organizationId })
const list = async (user: GivenUser, query = '') =>
  (await ask('GET', `/api/resources?query=${encodeURIComponent(query)}`, as(user))).body
const names = async (user: GivenUser, query: string) =>
  (await list(user, query)).resources.map(({ name }: { name: string }) => name).toSorted()

async function world() {
  const owner = await given.user()
  const { organizationId } = owner
  const member = await given.user({ organizationId, role: 'MEMBER', name: 'Ada Lovelace' })
  const viewer = await given.user({ organizationId, role: 'VIEWER' })
  const broken = await given.cluster({ organizationId, status: 'ERROR', title: 'shop-prod' })
  const other = await given.cluster({ organizationId, status: 'PENDING', title: 'shop-test' })
  return { owner, member, viewer, broken, other, organizationId }
}

test('a cluster is found by its kind, health, name and age, and not by their negation', async () => {
  const { owner } = await world()
  for (const query of [
    'kind:cluster',
    'name:shop-*',
    'shop',
    'kind:cluster created:<1d',
    '-kind:member shop',
  ]) {
    expect(await names(owner, query), query).toEqual(['shop-prod', 'shop-test'])
  }
  for (const query of [
    'health:failing',
    'is:failing',
    'kind:cluster -health:starting',
    'cluster:shop-prod',
  ]) {
    expect(await names(owner, query), query).toEqual(['shop-prod'])
  }
  expect(await names(owner, 'kind:cluster created:>1d')).toEqual([])
})

test('the sentence, the counts and the rows of an answer agree', async () => {
  const { owner } = await world()
  const all = await list(owner)
  expect(all.total).toBe(all.of)
  expect(all.sentence).toBe(`${all.of} resources. 1 is failing.`)
  expect(all.kinds).toContainEqual({ kind: 'cluster', count: 2 })
  expect(all.marks).toContainEqual({ mark: 'failing', count: 1 })
  const failing = await list(owner, 'kind:cluster is:failing')
  expect(failing).toMatchObject({ total: 1, sentence: '1 of 2 clusters matches.' })
  expect(failing.resources).toMatchObject([{ name: 'shop-prod', health: { state: 'failing' } }])
})

test('a query that cannot be read is refused with the sentence that says why', async () => {
  const { owner } = await world()
  const reply = await ask('GET', '/api/resources?query=kind:podd', as(owner))
  expect(reply.status).toBe(400)
  expect(reply.body.detail ?? reply.body.message).toContain('There is no kind "podd". Did you mean pod?')
})

test('where nothing matches, the answer names the word and a query that would match', async () => {
  const { owner } = await world()
  expect(await list(owner, 'kind:cluster cluster:shop-prd')).toMatchObject({
    total: 0,
    sentence: 'Nothing matches cluster:shop-prd. Did you mean cluster:shop-prod?',
    suggestion: 'kind:cluster cluster:shop-prod',
  })
  expect((await list(owner, 'kind:network shop')).sentence).toMatch(
    /^Nothing matches kind:network|^Each word/,
  )
})

test('another organization sees nothing of it, and cannot tag it', async () => {
  const { broken } = await world()
  const stranger = await given.user()
  expect(await names(stranger, 'shop')).toEqual([])
  const id = `cluster:${broken.id}`
  const reply = await ask('POST', '/api/resources/tags', { ...as(stranger), body: { ids: [id], add: ['x'] } })
  expect(reply.status).toBe(404)
  expect((await ask('GET', `/api/resources/${id}`, as(stranger))).status).toBe(404)
})

test('tags and owners are set for many at once, found, replaced by name, and removed', async () => {
  const { owner, member, broken, other } = await world()
  const ids = [`cluster:${broken.id}`, `cluster:${other.id}`]
  const tag = (body: object) => ask('POST', '/api/resources/tags', { ...as(member), body: { ids, ...body } })
  expect((await tag({ add: ['team=shop', 'blue'], ownerId: member.id })).body).toEqual({ changed: 2 })
  expect((await tag({ add: ['blue'] })).body).toEqual({ changed: 0 })
  for (const query of ['tag:blue', 'label:team=shop', 'label:team', 'owner:ada kind:cluster']) {
    expect(await names(owner, query), query).toEqual(['shop-prod', 'shop-test'])
  }
  expect(await names(member, 'owner:me')).toEqual(['shop-prod', 'shop-test'])
  expect(await names(owner, 'owner:me')).toEqual([])
  expect(await names(owner, 'kind:cluster is:untagged,unowned')).toEqual([])
  await tag({ add: ['team=web'] })
  expect(await names(owner, 'label:team=shop')).toEqual([])
  expect((await list(owner, 'team=web kind:cluster')).total).toBe(0)
  expect((await list(owner, 'tag:team=web')).resources[0].tags).toEqual(['blue', 'team=web'])
  await tag({ remove: ['blue', 'team=web'], ownerId: null })
  expect(await names(owner, 'kind:cluster is:untagged')).toEqual(['shop-prod', 'shop-test'])
})

test('a viewer tags nothing, and a tag that is none is refused', async () => {
  const { owner, viewer, broken } = await world()
  const ids = [`cluster:${broken.id}`]
  const tag = (user: GivenUser, body: object) =>
    ask('POST', '/api/resources/tags', { ...as(user), body: { ids, ...body } })
  expect((await tag(viewer, { add: ['x'] })).status).toBe(403)
  for (const add of ['=x', 'a b', '<b>', '']) expect((await tag(owner, { add: [add] })).status, add).toBe(400)
  expect((await tag(owner, {})).status).toBe(400)
  expect((await tag(owner, { ownerId: 999_999 })).status).toBe(404)
})

test('somebody sees their own saved views and those that are shared', async () => {
  const { owner, member } = await world()
  const save = (body: object) => ask('POST', '/api/resources/views', { ...as(member), body })
  expect((await save({ name: 'Mine', query: 'owner:me' })).status).toBe(201)
  const shared = await save({ name: 'Trouble', query: 'is:failing', isShared: true })
  expect((await save({ name: 'mine', query: 'owner:me' })).status).toBe(409)
  expect((await save({ name: 'Odd', query: 'kind:' })).status).toBe(400)
  const seen = async (user: GivenUser) => (await ask('GET', '/api/resources/views', as(user))).body.views
  expect(await seen(member)).toMatchObject([{ name: 'Mine', isOwn: true }, { name: 'Trouble' }])
  expect(await seen(owner)).toMatchObject([{ name: 'Trouble', isOwn: false }])
  const path = `/api/resources/views/${shared.body.id}`
  expect((await ask('DELETE', path, as(owner))).status).toBe(404)
  expect((await ask('DELETE', path, as(member))).status).toBe(204)
  expect(await seen(owner)).toEqual([])
})

test('a completion continues the word at the position, with counts of what the other words match', async () => {
  const { owner } = await world()
  const complete = async (query: string, position = query.length) =>
    (
      await ask(
        'GET',
        `/api/resources/completions?query=${encodeURIComponent(query)}&position=${position}`,
        as(owner),
      )
    ).body
  expect((await complete('ki')).completions).toMatchObject([{ text: 'kind:', count: null }])
  expect(await complete('is:failing kind:clu')).toMatchObject({
    start: 11,
    end: 19,
    completions: [{ text: 'kind:cluster', count: 1 }],
  })
  expect((await complete('-cluster:shop-p')).completions).toMatchObject([{ text: '-cluster:shop-prod' }])
})

test('a file runs no formula and has the matches alone', async () => {
  const { owner, organizationId } = await world()
  await given.cluster({ organizationId, status: 'PENDING', title: '=1+1,"x"' })
  const reply = await ask('POST', '/api/resources/export?query=kind:cluster', as(owner))
  const text = String(reply.text ?? reply.body)
  expect(text).toContain(`"'=1+1,""x"""`)
  expect(text.split('\r\n')).toHaveLength(5)
})

test('a resource that is gone says so', async () => {
  const { owner } = await world()
  const reply = await ask('GET', '/api/resources/cluster:999999', as(owner))
  expect(reply.status).toBe(404)
  expect(JSON.stringify(reply.body)).toContain('This cluster is gone, or never was in this organization.')
})

test('a role sees members, and of API keys its own unless it manages them', async () => {
  const { owner, viewer } = await world()
  expect((await list(owner, 'kind:member')).total).toBe(3)
  expect((await list(viewer, 'kind:member')).total).toBe(3)
  const body = { name: 'mine', isPersonal: true, permissions: ['clusters.read'] }
  expect((await ask('POST', '/api/api-keys', { ...as(owner), body })).status).toBeLessThan(300)
  expect(await names(owner, 'kind:api-key')).toEqual(['mine'])
  expect(await names(viewer, 'kind:api-key')).toEqual([])
})

test('an owner who leaves can be decided about, and is shown as a former member', async () => {
  const { owner, member, broken } = await world()
  const id = `cluster:${broken.id}`
  const body = { ids: [id], ownerId: member.id }
  await ask('POST', '/api/resources/tags', { ...as(owner), body })
  const { belongings } = (await ask('GET', `/api/members/${member.id}/belongings`, as(owner))).body
  expect(belongings).toContainEqual(
    expect.objectContaining({ kind: 'resources', total: 1, choices: ['keep', 'transfer', 'end'] }),
  )
  const remove = `/api/members/${member.id}/remove`
  expect((await ask('POST', remove, { ...as(owner), body: {} })).status).toBe(200)
  const { owner: shown } = (await ask('GET', `/api/resources/${id}`, as(owner))).body
  expect(shown).toMatchObject({ name: 'Former member', isMember: false })
})
