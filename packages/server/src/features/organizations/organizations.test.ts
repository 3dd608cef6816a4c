import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'

const app = await testApp()
const { given, ask } = app

test('a new organization has its creator as owner, is active, and is in the list', async () => {
  const user = await given.user()
  const reply = await ask('POST', '/api/organizations', { token: user.token, body: { name: '  Second  ' } })
  expect(reply.status).toBe(201)
  const { organization } = reply.body
  expect(organization).toEqual({ id: expect.any(Number), name: 'Second', role: 'OWNER' })
  const me = (await ask('GET', '/api/auth/me', { token: user.token })).body
  expect(me.active_organization_id).toBe(organization.id)
  const list = (await ask('GET', '/api/organizations?order=desc&limit=1', { token: user.token })).body
  expect(list).toEqual({ organizations: [organization], total: 2, page: 1, limit: 1 })
})

test('a new organization has the built-in workflows that the features bring', async () => {
  const { token } = await given.user()
  const { body } = await ask('POST', '/api/organizations', { token, body: { name: 'With workflows' } })
  const as = { token, organizationId: body.organization.id }
  const { workflows } = (await ask('GET', '/api/v1/workflows?limit=50', as)).body
  expect(workflows.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining([
      'Provision cluster',
      'Import cluster',
      'Drain node',
      'Uncordon node',
      'Rotate secret and restart',
      'Cancel or retry runs',
    ]),
  )
})

test('the list has my organizations and nobody else’s', async () => {
  const [mine, other] = [await given.user({ role: 'VIEWER' }), await given.user()]
  const { organizations } = (await ask('GET', '/api/organizations', { token: mine.token })).body
  expect(organizations.map(({ id, role }: { id: number; role: string }) => [id, role])).toEqual([
    [mine.organizationId, 'VIEWER'],
  ])
  expect(organizations.map(({ id }: { id: number }) => id)).not.toContain(other.organizationId)
})

test('activating another’s organization is not found and changes nothing', async () => {
  const [mine, other] = [await given.user(), await given.user()]
  const reply = await ask('POST', `/api/organizations/${other.organizationId}/activate`, {
    token: mine.token,
  })
  expect(reply.status).toBe(404)
  expect(reply.body.code).toBe('not_found')
  const me = (await ask('GET', '/api/auth/me', { token: mine.token })).body
  expect(me.active_organization_id).toBe(mine.organizationId)
})

test('activating one of my organizations makes it the active one', async () => {
  const user = await given.user()
  await ask('POST', '/api/organizations', { token: user.token, body: { name: 'Second' } })
  const reply = await ask('POST', `/api/organizations/${user.organizationId}/activate`, { token: user.token })
  expect(reply.status).toBe(200)
  expect(reply.body.active_organization_id).toBe(user.organizationId)
})

test('a user whose membership ended has no active organization', async () => {
  const user = await given.user()
  await app.database.ownerPool.query('delete from memberships where user_id = $1', [user.id])
  const me = (await ask('GET', '/api/auth/me', { token: user.token })).body
  expect(me.organizations).toEqual([])
  expect(me.active_organization_id).toBeNull()
})

test('the hundredth organization is the last, even when many are asked for at once', async () => {
  const user = await given.user()
  await app.database.ownerPool.query(
    `with made as (insert into organizations (name) select 'o' || n from generate_series(1, 97) n returning id)
     insert into memberships (organization_id, user_id, role) select id, $1, 'OWNER' from made`,
    [user.id],
  )
  const replies = await Promise.all(
    [1, 2, 3, 4, 5].map((n) =>
      ask('POST', '/api/organizations', { token: user.token, body: { name: `n${n}` } }),
    ),
  )
  expect(replies.map((reply) => reply.status).sort((a, b) => a - b)).toEqual([201, 201, 422, 422, 422])
})
