import { expect, test } from 'vitest'
import { fakeClock } from '../../testing/clock.ts'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'
import { sweepExpired } from '../../platform/db/retention.ts'
import { createDataKeys } from '../../platform/crypto/data-keys.ts'
import { createShares } from './shares.ts'

const app = await testApp()
const { given, ask, database } = app
const ciphertext = Buffer.from('sealed in the browser').toString('base64')

const as = ({ token, organizationId }: GivenUser) => ({ token, organizationId })
const share = (user: GivenUser, more: object = {}) =>
  ask('POST', '/api/secret-shares', { ...as(user), body: { ciphertext, expiresInHours: 24, ...more } })
const list = async (user: GivenUser, query = '') =>
  (await ask('GET', `/api/secret-shares${query}`, as(user))).body.shares
/** Without limits, which have a test of their own; each call comes from another network. */
let address = 0
const shares = () => {
  const key = Buffer.alloc(32)
  return createShares({
    database,
    clock: fakeClock(new Date()),
    dataKeys: createDataKeys({ key, fingerprint: '' }),
  })
}
const stranger = () => {
  address += 1
  return { ip: `198.51.100.${address}`, userAgent: 'curl', requestId: 'r', host: 'bey' }
}

const stored = async (user: GivenUser) =>
  (await ask('POST', '/api/secrets', { ...as(user), body: { name: `s-${Math.random()}`, value: 'v' } })).body
    .id

test('a link opens once, of many at the same time for one, and what it held is wiped', async () => {
  const user = await given.user({ role: 'OWNER' })
  const { id } = (await share(user)).body
  const service = shares()
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => service.open(id, stranger())))
  const opened = results.filter((result) => result.status === 'fulfilled')
  expect(opened.map(({ value }) => value)).toEqual([{ ciphertext }])
  const again = await ask('POST', `/api/secret-shares/${id}/open`)
  expect([again.status, again.body.code]).toEqual([404, 'not_found'])
  const { rows } = await database.ownerPool.query('select ciphertext from secret_shares where id = $1', [id])
  expect(rows).toEqual([{ ciphertext: null }])
  expect(await list(user)).toMatchObject([{ id, status: 'opened' }])
  const trail = await database.ownerPool.query(
    `select actor_display, ip from audit_entries where action = 'secret.share.open' and target_id = $1`,
    [id],
  )
  expect(trail.rows).toHaveLength(1)
})

test('opened over the network it needs no session, and no reply may be kept', async () => {
  const user = await given.user({ role: 'OWNER' })
  const { id } = (await share(user)).body
  const reply = await ask('POST', `/api/secret-shares/${id}/open`)
  expect([reply.status, reply.body, reply.headers.get('cache-control')]).toEqual([
    200,
    { ciphertext },
    'no-store',
  ])
})

test('a revoked link and an expired one open nothing, and the retention wipes what expired', async () => {
  const user = await given.user({ role: 'MEMBER' })
  const other = await given.user({ organizationId: user.organizationId, role: 'MEMBER' })
  const revoked = (await share(user)).body.id
  const path = `/api/secret-shares/${revoked}`
  expect((await ask('DELETE', path, as(other))).status).toBe(403)
  expect((await ask('DELETE', path, as(user))).status).toBe(204)
  expect((await ask('DELETE', path, as(user))).status).toBe(409)
  const expired = (await share(user, { expiresInHours: 1 })).body.id
  await database.ownerPool.query(
    `update secret_shares set expires_at = now() - interval '1 second' where id = $1`,
    [expired],
  )
  for (const id of [revoked, expired]) {
    await expect(shares().open(id, stranger())).rejects.toMatchObject({ code: 'not_found' })
  }
  expect((await list(user)).map((each: { status: string }) => each.status)).toEqual(['expired', 'revoked'])
  await sweepExpired(database, new Date())
  const { rows } = await database.ownerPool.query(
    'select count(*)::int from secret_shares where ciphertext is not null and expires_at < now()',
  )
  expect(rows).toEqual([{ count: 0 }])
})

test('a link of a secret needs read access, and both its making and its opening are in the trail', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const member = await given.user({ organizationId: owner.organizationId, role: 'MEMBER' })
  const secretId = await stored(owner)
  const refused = await share(member, { secretId })
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
  const made = await share(owner, { secretId })
  expect(await list(member, `?secretId=${secretId}`)).toMatchObject([{ id: made.body.id, status: 'waiting' }])
  await shares().open(made.body.id, stranger())
  const { rows } = await database.ownerPool.query(
    `select action, outcome from audit_entries where target_id = $1 and action like 'secret.share%' order by seq`,
    [secretId],
  )
  expect(rows).toEqual([
    { action: 'secret.share', outcome: 'denied' },
    { action: 'secret.share', outcome: 'success' },
    { action: 'secret.share.open', outcome: 'success' },
  ])
  const foreign = await given.user({ role: 'OWNER' })
  expect((await share(foreign, { secretId })).status).toBe(404)
  expect((await ask('DELETE', `/api/secret-shares/${made.body.id}`, as(foreign))).status).toBe(404)
})

test('strangers who guess are slowed down by their network', async () => {
  const service = shares()
  const from = stranger()
  const guess = () =>
    service.open('00000000-0000-4000-8000-000000000000', from).catch((error: { code: string }) => error.code)
  const codes: unknown[] = []
  for (let tried = 0; tried < 12; tried += 1) codes.push(await guess())
  expect(codes.filter((code) => code === 'not_found')).toHaveLength(10)
  expect(codes.slice(10)).toEqual(['rate_limited', 'rate_limited'])
})

test.each([
  ['a week and an hour', { expiresInHours: 169 }],
  ['no base64', { ciphertext: 'a b' }],
  ['140,001 characters', { ciphertext: 'x'.repeat(140_001) }],
])('%s is refused', async (_name, values) => {
  const user = await given.user({ role: 'OWNER' })
  expect((await share(user, values)).status).toBe(400)
})
