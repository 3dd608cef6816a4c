import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'

const { given, ask } = await testApp()
const as = ({ token, organizationId }: GivenUser) => ({ token, organizationId })

test('an API key reads what was granted to it, as itself, and its owner still may not', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const { organizationId } = owner
  const member = await given.user({ organizationId, role: 'MEMBER' })
  const made = await ask('POST', '/api/secrets', {
    ...as(owner),
    body: { name: 'deploy-token', value: 'for the key' },
  })
  const path = `/api/secrets/${made.body.id}`
  async function keyOf(name: string) {
    const body = { name, isPersonal: true, permissions: ['secrets.read', 'secrets.reveal'] }
    const reply = await ask('POST', '/api/api-keys', { ...as(member), body })
    expect(reply.status, reply.text).toBe(201)
    return { id: String(reply.body.key?.id ?? reply.body.id), token: String(reply.body.token) }
  }
  const [granted, other] = [await keyOf('deploy'), await keyOf('other')]
  const grant = (subjectId: string) =>
    ask('PUT', `${path}/grants`, {
      ...as(owner),
      body: { grants: [{ subjectType: 'api_key', subjectId, access: 'read' }] },
    })
  expect((await grant('019a0000-0000-7000-8000-000000000000')).body).toMatchObject({
    code: 'invalid_request',
    errors: [{ path: 'grants.0.subjectId' }],
  })
  expect((await grant(granted.id)).body.grants).toMatchObject([{ subjectName: 'deploy', access: 'read' }])

  const reveal = (token: string) =>
    ask('POST', `${path}/reveal`, { token, organizationId, body: { reason: 'A key reads' } })
  expect((await reveal(granted.token)).body.value).toBe('for the key')
  expect((await reveal(other.token)).status).toBe(403)
  expect((await reveal(member.token)).status).toBe(403)

  const { body } = await ask('GET', `${path}/usage`, as(owner))
  expect(body.readers).toContainEqual(
    expect.objectContaining({
      subjectType: 'api_key',
      subjectId: granted.id,
      because: 'Granted to this API key',
      readCount: 1,
    }),
  )
  expect(body.readers.map(({ name }: { name: string }) => name)).not.toContain('other')
  expect(body.uses).toMatchObject([{ type: 'api_key', name: 'deploy', onRotation: 'breaks' }])
  expect(body.summary).toBe(
    '1 thing uses it; 1 person and 1 API key can read it, 1 API key has. If you rotate it, 1 breaks.',
  )
  expect((await ask('GET', path, as(owner))).body.lastReadBy).toBe('deploy')
})
