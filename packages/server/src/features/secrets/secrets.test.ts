import { randomBytes } from 'node:crypto'
import { secretLimits } from '@bey/contract'
import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'

const app = await testApp()
const { given, ask } = app

const as = ({ token, organizationId }: GivenUser) => ({ token, organizationId })
const post = (user: GivenUser, path: string, body: object = {}) =>
  ask('POST', `/api/secrets${path}`, { ...as(user), body })
const put = (user: GivenUser, id: string, body: object) =>
  ask('PUT', `/api/secrets/${id}`, { ...as(user), body })
const get = (user: GivenUser, path = '') => ask('GET', `/api/secrets${path}`, as(user))
const remove = (user: GivenUser, path: string) => ask('DELETE', `/api/secrets${path}`, as(user))
const reveal = (user: GivenUser, id: string, body: object = {}) =>
  post(user, `/${id}/reveal`, { reason: 'A test looks', ...body })

async function stored(user: GivenUser, values: object = {}): Promise<string> {
  const reply = await post(user, '', {
    name: `s-${randomBytes(4).toString('hex')}`,
    value: 'first',
    ...values,
  })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.id
}

async function audited(user: GivenUser, id: string) {
  const { rows } = await app.database.ownerPool.query<{ action: string; outcome: string }>(
    `select action, outcome from audit_entries where organization_id = $1 and target_id = $2 order by at, id`,
    [user.organizationId, id],
  )
  return rows
}

test('a secret is stored, shown without its value, and revealed with a reason', async () => {
  const user = await given.user({ role: 'OWNER', name: 'Grace' })
  const created = await post(user, '', {
    name: 'shop/db-password',
    description: 'Of the shop',
    type: 'password',
    value: 'correct horse',
    labels: { app: 'shop' },
  })
  expect(created.status, created.text).toBe(201)
  expect(created.text).not.toContain('correct horse')
  expect(created.body).toMatchObject({ name: 'shop/db-password', currentVersion: 1, access: 'manage' })
  const { id } = created.body
  expect((await get(user, `/${id}`)).text).not.toContain('correct horse')
  expect((await get(user)).body.secrets).toMatchObject([{ id, labels: { app: 'shop' } }])
  const revealed = await reveal(user, id)
  expect(revealed.body).toEqual({ value: 'correct horse', encoding: 'utf8', version: 1 })
  expect((await get(user, `/${id}`)).body).toMatchObject({
    lastReadBy: expect.stringMatching(/^Grace \(.+@.+\)$/) as unknown,
  })
  expect(await audited(user, id)).toEqual([
    { action: 'secret.create', outcome: 'success' },
    { action: 'secret.reveal', outcome: 'success' },
  ])
})

test('a value is not revealed when its read cannot be written to the audit trail', async () => {
  const user = await given.user({ role: 'OWNER' })
  const id = await stored(user, { name: 'unrecorded', value: 'canary-unrecorded' })
  await app.database.ownerPool.query(
    `create function refuse_reveal() returns trigger language plpgsql as $$ begin
       if new.action = 'secret.reveal' and new.target_name = 'unrecorded' then
         raise 'no room' using errcode = '53100'; end if; return new; end $$;
     create trigger a_refuse_reveal before insert on audit_entries for each row execute function refuse_reveal()`,
  )
  const reply = await reveal(user, id)
  await app.database.ownerPool.query('drop trigger a_refuse_reveal on audit_entries')
  expect(reply.status).toBe(503)
  expect(reply.text).not.toContain('canary-unrecorded')
})

test.each(['42501', 'P0001'])('nor when the trail refuses the entry with %s', async (state) => {
  const user = await given.user({ role: 'OWNER' })
  const id = await stored(user, { name: 'unwritten', value: 'canary-unwritten' })
  await app.database.ownerPool.query(
    `create or replace function refuse_unwritten() returns trigger language plpgsql as $$ begin
       if new.action = 'secret.reveal' and new.target_name = 'unwritten' then
         raise 'no' using errcode = '${state}'; end if; return new; end $$;
     create trigger a_refuse_unwritten before insert on audit_entries for each row execute function refuse_unwritten()`,
  )
  const reply = await reveal(user, id)
  await app.database.ownerPool.query('drop trigger a_refuse_unwritten on audit_entries')
  expect([reply.status, reply.body.code], reply.text).toEqual([503, 'unavailable'])
  expect(reply.text).not.toContain('canary-unwritten')
})

test('an altered value says that it does not open, wherever it is read', async () => {
  const user = await given.user({ role: 'OWNER' })
  const id = await stored(user, { value: 'canary-altered' })
  await put(user, id, { value: 'canary-second' })
  await app.database.ownerPool.query(
    'update secret_versions set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40)) where secret_id = $1',
    [id],
  )
  const replies = [
    await reveal(user, id),
    await post(user, `/${id}/versions/1/rollback`, { reason: 'Back' }),
    await post(user, '/export', { ids: [id], format: 'env', reason: 'Moving house' }),
  ]
  for (const { status, body } of replies) {
    expect([status, body.code]).toEqual([409, 'conflict'])
    expect(body.detail).toContain('does not open: it was altered')
  }
})

test('a value is revealed only to a session that was confirmed lately', async () => {
  const user = await given.user({ role: 'OWNER' })
  const id = await stored(user, { value: 'canary-step-up' })
  await app.database.ownerPool.query(
    `update sessions set confirmed_at = now() - interval '11 minutes' where user_id = $1`,
    [user.id],
  )
  const reply = await reveal(user, id)
  expect([reply.status, reply.body.code]).toEqual([403, 'step_up_required'])
})

test('the user name and host of a login are seen only by those who may read it', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const { organizationId } = owner
  const value = { server: 'registry.internal', username: 'deployer', password: 'pw-1234' }
  const id = await stored(owner, { type: 'registry', value })
  const seenBy = async (role: 'MEMBER' | 'VIEWER') =>
    (await get(await given.user({ organizationId, role }), `/${id}`)).text
  expect((await get(owner, `/${id}`)).body.facts.fields).toEqual({
    server: 'registry.internal',
    username: 'deployer',
  })
  for (const text of [await seenBy('MEMBER'), await seenBy('VIEWER')]) {
    expect(text).not.toMatch(/registry\.internal|deployer/)
  }
})

test('a taken name is refused, and the first secret is untouched', async () => {
  const user = await given.user({ role: 'OWNER' })
  const id = await stored(user, { name: 'taken', value: 'mine' })
  const second = await post(user, '', { name: 'taken', value: 'other' })
  expect([second.status, second.body.code]).toEqual([409, 'name_taken'])
  expect(second.body.detail).toContain('A secret named "taken" already exists.')
  expect((await reveal(user, id)).body.value).toBe('mine')
})

test('a new value is a new version; older ones are kept up to the limit and can be brought back', async () => {
  const user = await given.user({ role: 'OWNER' })
  const id = await stored(user, { value: 'one', maxVersions: 3 })
  for (const value of ['two', 'three', 'four']) {
    expect((await put(user, id, { value, reason: `now ${value}` })).status).toBe(200)
  }
  const { versions } = (await get(user, `/${id}/versions`)).body
  expect(versions.map((each: { version: number; status: string }) => [each.version, each.status])).toEqual([
    [4, 'current'],
    [3, 'superseded'],
    [2, 'superseded'],
  ])
  const back = await post(user, `/${id}/versions/2/rollback`, { reason: 'four does not work' })
  expect(back.body).toMatchObject({ currentVersion: 5 })
  expect((await reveal(user, id)).body).toMatchObject({ value: 'two', version: 5 })
  const after = (await get(user, `/${id}/versions`)).body.versions
  expect(after[0]).toMatchObject({ version: 5, restoredFrom: 2, reason: 'four does not work' })
})

test('of two writers who replace the same version one is refused and gets the reason', async () => {
  const user = await given.user({ role: 'OWNER' })
  const id = await stored(user, { requireCas: true })
  const without = await put(user, id, { value: 'blind' })
  expect([without.status, without.body.code]).toEqual([409, 'conflict'])
  const replies = await Promise.all(
    ['left', 'right'].map((value) => put(user, id, { value, expectedVersion: 1 })),
  )
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await get(user, `/${id}`)).body.currentVersion).toBe(2)
})

test('a deleted version is not revealed until it is undeleted; a destroyed one never again', async () => {
  const user = await given.user({ role: 'OWNER' })
  const id = await stored(user, { value: 'old' })
  await put(user, id, { value: 'new' })
  expect((await remove(user, `/${id}/versions/2`)).body.detail).toContain('is the current one')
  expect((await remove(user, `/${id}/versions/1`)).status).toBe(204)
  expect((await reveal(user, id, { version: 1 })).body.code).toBe('conflict')
  expect((await post(user, `/${id}/versions/1/undelete`)).body).toMatchObject({ status: 'superseded' })
  expect((await reveal(user, id, { version: 1 })).body.value).toBe('old')
  const destroyed = await post(user, `/${id}/versions/1/destroy`, { reason: 'leaked' })
  expect(destroyed.body).toMatchObject({ status: 'destroyed' })
  expect((await reveal(user, id, { version: 1 })).body).toMatchObject({
    code: 'conflict',
    detail: 'Version 1 was destroyed. Choose another.',
  })
  expect((await post(user, `/${id}/versions/1/undelete`)).body.code).toBe('conflict')
  const { rows } = await app.database.ownerPool.query(
    'select sealed, value_hash from secret_versions where secret_id = $1 and version = 1',
    [id],
  )
  expect(rows).toEqual([{ sealed: null, value_hash: null }])
})

test('a deleted secret can be restored as it was, and is not revealed meanwhile', async () => {
  const user = await given.user({ role: 'OWNER' })
  const id = await stored(user)
  expect((await put(user, id, { status: 'disabled' })).body.status).toBe('disabled')
  expect((await reveal(user, id)).body.detail).toContain('is disabled')
  expect((await remove(user, `/${id}`)).status).toBe(204)
  const inDays = Date.parse((await get(user, `/${id}`)).body.purgeAt) - Date.now()
  expect(Math.round(inDays / 86_400_000)).toBe(secretLimits.deletionDays)
  expect((await get(user)).body.secrets).toEqual([])
  expect((await get(user, '?filter=pending_deletion')).body.secrets).toMatchObject([{ id }])
  expect((await put(user, id, { description: 'later' })).body.detail).toContain('Restore it first')
  expect((await post(user, `/${id}/restore`)).body).toMatchObject({ status: 'disabled', purgeAt: null })
})

test('members reveal what was granted to them and use the rest; the refusal is in the trail', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const { organizationId } = owner
  const member = await given.user({ organizationId, role: 'MEMBER' })
  const viewer = await given.user({ organizationId, role: 'VIEWER' })
  const id = await stored(owner, { value: 'granted' })
  expect((await get(member, `/${id}`)).body.access).toBe('use')
  expect((await get(viewer, `/${id}`)).body.access).toBe(null)
  const refused = await reveal(member, id)
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
  expect(await audited(owner, id)).toContainEqual({ action: 'secret.reveal', outcome: 'denied' })
  const grants = [{ subjectType: 'user', subjectId: String(member.id), access: 'read' }]
  const path = `/api/secrets/${id}/grants`
  expect((await ask('PUT', path, { ...as(member), body: { grants } })).status).toBe(403)
  expect((await ask('PUT', path, { ...as(owner), body: { grants } })).status).toBe(200)
  expect((await reveal(member, id)).body.value).toBe('granted')
  expect((await reveal(viewer, id)).status).toBe(403)
  const { readers, summary } = (await get(owner, `/${id}/usage`)).body
  expect(readers.map(({ because }: { because: string }) => because).toSorted()).toEqual([
    'Granted to this person',
    'Owner of the organization',
  ])
  expect(summary).toContain('2 people can read it, 1 person has')
})

test('a grant to somebody of another organization is refused and changes nothing', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const stranger = await given.user({ role: 'OWNER' })
  const id = await stored(owner)
  const reply = await ask('PUT', `/api/secrets/${id}/grants`, {
    ...as(owner),
    body: { grants: [{ subjectType: 'user', subjectId: String(stranger.id), access: 'read' }] },
  })
  expect(reply.body).toMatchObject({ code: 'invalid_request', errors: [{ path: 'grants.0.subjectId' }] })
  expect((await get(owner, `/${id}/grants`)).body.grants).toHaveLength(2)
})

test('revealing in a loop is slowed down', async () => {
  const user = await given.user({ role: 'OWNER' })
  const id = await stored(user)
  const replies = await Promise.all(Array.from({ length: 40 }, () => reveal(user, id)))
  expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(5)
})

test('secrets with the same value are found as duplicates, without anybody comparing values', async () => {
  const user = await given.user({ role: 'OWNER' })
  const stranger = await given.user({ role: 'OWNER' })
  const first = await stored(user, { name: 'dup-a', value: 'same' })
  await stored(user, { name: 'dup-b', value: 'same' })
  await stored(stranger, { name: 'dup-c', value: 'same' })
  expect((await get(user, `/${first}`)).body.duplicates).toMatchObject([{ name: 'dup-b' }])
  const names = (await get(user, '?filter=duplicates')).body.secrets.map(
    (each: { name: string }) => each.name,
  )
  expect(names).toEqual(['dup-a', 'dup-b'])
})

test.each([
  ['an empty value', { value: '' }, 'value'],
  ['65,537 bytes', { value: 'x'.repeat(65_537) }, 'value'],
  ['65,536 bytes in characters of two', { value: 'ä'.repeat(32_769) }, 'value'],
  ['broken base64', { value: '@@@', encoding: 'base64' }, 'value'],
  ['a name that no expression can name', { name: '-x', value: 'v' }, 'name'],
  ['a name with a space', { name: 'a b', value: 'v' }, 'name'],
  [
    'a certificate that is none',
    { type: 'certificate', value: { certificate: 'x', privateKey: 'y' } },
    'value.certificate',
  ],
  ['a field that is missing', { type: 'registry', value: { server: 's', username: 'u' } }, 'value.password'],
  [
    'a field of another type',
    { type: 'registry', value: { server: 's', username: 'u', password: 'p', host: 'h' } },
    'value.host',
  ],
  ['a kubeconfig that is none', { type: 'kubeconfig', value: 'a: 1' }, 'value'],
])('%s is refused with its field, and nothing of the value is repeated', async (_name, values, path) => {
  const user = await given.user({ role: 'OWNER' })
  const reply = await post(user, '', { name: 'bad', ...values })
  expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request'])
  expect(reply.body.errors[0].path).toBe(path)
  expect((await get(user)).body.total).toBe(0)
})

test('names in other scripts, line breaks, bytes and the largest value survive as they were sent', async () => {
  const user = await given.user({ role: 'OWNER' })
  const bytes = randomBytes(300).toString('base64')
  const values = ['zwei\nZeilen\r\n', ' ', '\u{1F511}', 'x'.repeat(65_536)]
  for (const value of values) {
    const id = await stored(user, { name: `ключ-${randomBytes(3).toString('hex')}`, value })
    expect((await reveal(user, id)).body.value).toBe(value)
  }
  const id = await stored(user, { value: bytes, encoding: 'base64' })
  expect((await reveal(user, id)).body).toMatchObject({ value: bytes, encoding: 'base64' })
})

test('a ciphertext that was changed, or moved to another row, version or organization, does not open', async () => {
  const user = await given.user({ role: 'OWNER' })
  const stranger = await given.user({ role: 'OWNER' })
  const { ownerPool } = app.database
  const [a, b, foreign] = [await stored(user), await stored(user), await stored(stranger)]
  await put(user, a, { value: 'second' })
  const sealedOf = async (id: string, version: number) =>
    (
      await ownerPool.query<{ sealed: Buffer }>(
        'select sealed from secret_versions where secret_id = $1 and version = $2',
        [id, version],
      )
    ).rows[0]?.sealed ?? Buffer.alloc(0)
  const own = await sealedOf(a, 2)
  const flipped = Buffer.from(own)
  flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1
  for (const sealed of [flipped, await sealedOf(b, 1), await sealedOf(a, 1), await sealedOf(foreign, 1)]) {
    await ownerPool.query('update secret_versions set sealed = $1 where secret_id = $2 and version = 2', [
      sealed,
      a,
    ])
    const reply = await reveal(user, a)
    expect([reply.status, reply.body.code]).toEqual([409, 'conflict'])
  }
  await ownerPool.query('update secret_versions set sealed = $1 where secret_id = $2 and version = 2', [
    own,
    a,
  ])
  expect((await reveal(user, a)).body.value).toBe('second')
})

test('lists are searched, filtered and sorted by the server', async () => {
  const user = await given.user({ role: 'OWNER' })
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString()
  await stored(user, { name: 'alpha', labels: { team: 'web' }, expiresAt: soon })
  await stored(user, { name: 'beta', type: 'password', labels: { team: 'data' } })
  await stored(user, { name: 'gamma', description: 'alphabet' })
  const names = async (query: string) =>
    (await get(user, query)).body.secrets.map((each: { name: string }) => each.name)
  expect(await names('?search=alpha')).toEqual(['alpha', 'gamma'])
  expect(await names('?type=password')).toEqual(['beta'])
  expect(await names('?label=team')).toEqual(['alpha', 'beta'])
  expect(await names('?label=team=data')).toEqual(['beta'])
  expect(await names('?filter=expiring')).toEqual(['alpha'])
  expect(await names('?filter=stale')).toEqual([])
  expect(await names('?sort=name&order=desc')).toEqual(['gamma', 'beta', 'alpha'])
})
