import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'

const { ask, given, database } = await testApp()
const owner = await given.user()
const { organizationId } = owner

const post = (path: string, { token }: Pick<GivenUser, 'token'>, body: object) =>
  ask('POST', path, { token, organizationId, body })
const limitedTo = (type: 'cluster' | 'secret' | 'workflow', id: string | number) =>
  given.apiKey(owner, { resources: [{ type, id: String(id) }] })

test('a key that may do what admins do asks the person who makes or rotates it to confirm that it is they', async () => {
  const person = await given.user({ organizationId, role: 'OWNER' })
  const input = { name: 'leaver', isPersonal: true, permissions: ['members.remove'], expiresInDays: 1 }
  const made = await post('/api/api-keys', person, input)
  expect(made.status).toBe(201)
  await database.ownerPool.query(
    `update sessions set confirmed_at = now() - interval '11 minutes' where id = $1`,
    [person.sessionId],
  )
  const again = await post('/api/api-keys', person, { ...input, name: 'another' })
  expect([again.status, again.body.code]).toEqual([403, 'step_up_required'])
  const rotated = await post(`/api/api-keys/${made.body.key.id}/rotate`, person, {})
  expect(rotated.body.code).toBe('step_up_required')
  const modest = { ...input, name: 'modest', permissions: ['clusters.read'] }
  expect((await post('/api/api-keys', person, modest)).status).toBe(201)
})

test('exports and policies ask people for a recent confirmation, and exports take the keys of programs', async () => {
  const person = await given.user({ organizationId, role: 'OWNER' })
  await database.ownerPool.query(
    `update sessions set confirmed_at = now() - interval '1 day' where id = $1`,
    [person.sessionId],
  )
  for (const [method, path] of [
    ['POST', '/api/audit/export'],
    ['POST', '/api/secrets/export'],
    ['PUT', '/api/policies'],
  ] as const) {
    const { body } = await ask(method, path, { token: person.token, organizationId, body: {} })
    expect([path, body.code]).toEqual([path, 'step_up_required'])
  }
  const { token } = await given.apiKey(person)
  expect((await ask('POST', '/api/audit/export', { token })).status).toBe(200)
  expect((await ask('PUT', '/api/policies', { token, body: {} })).body.code).toBe('forbidden')
})

test('a key that is limited to one thing lists that one alone, and gets the reason for every other list', async () => {
  const [mine, other] = [await given.cluster({ organizationId }), await given.cluster({ organizationId })]
  const { token } = await limitedTo('cluster', mine.id)
  for (const query of ['', '?limit=1', `?search=${encodeURIComponent(other.title)}`, '?sort=title']) {
    const { body } = await ask('GET', `/api/kubernetes/clusters${query}`, { token })
    expect(body.clusters.filter(({ id }: { id: number }) => id !== mine.id)).toEqual([])
  }
  const { body } = await ask('GET', '/api/kubernetes/clusters', { token })
  expect(body).toMatchObject({ total: 1, clusters: [{ id: mine.id }] })
  const secrets = await ask('GET', '/api/secrets', { token })
  expect([secrets.status, secrets.body.detail]).toEqual([
    403,
    expect.stringContaining('is limited to cluster'),
  ])
})

test('the same holds for workflows and secrets', async () => {
  const [workflow] = [await given.workflow({ organizationId }), await given.workflow({ organizationId })]
  const flows = await limitedTo('workflow', workflow.id)
  expect((await ask('GET', '/api/v1/workflows', { token: flows.token })).body).toMatchObject({
    total: 1,
    workflows: [{ id: workflow.id }],
  })
  for (const name of ['limited-a', 'limited-b']) {
    expect((await post('/api/secrets', owner, { name, value: 'v' })).status).toBe(201)
  }
  const { body } = await ask('GET', '/api/secrets', { token: owner.token, organizationId })
  const [wanted] = body.secrets as { id: string }[]
  const reader = await limitedTo('secret', wanted?.id ?? '')
  expect((await ask('GET', '/api/secrets', { token: reader.token })).body).toMatchObject({
    total: 1,
    secrets: [{ id: wanted?.id }],
  })
})
