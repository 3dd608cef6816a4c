import { actorText } from '@bey/contract'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createDataKeys } from '../../platform/crypto/data-keys.ts'
import { checkRootKey, fingerprintOf } from '../../platform/crypto/root-key.ts'
import { rotateRootKey } from '../../platform/crypto/rotate-root-key.ts'
import { testApp } from '../../testing/app.ts'
import { testDatabaseUrl } from '../../testing/database.ts'
import type { GivenUser } from '../../testing/given.ts'

const databaseUrl = await testDatabaseUrl()
const [first, second] = [randomBytes(32), randomBytes(32)]
const fingerprints = [fingerprintOf(first), fingerprintOf(second)] as const
/** Told of the next key before any server uses it. */
const before = await testApp({ databaseUrl, secretKey: first, secretKeyPrevious: second })
const { given } = before

const as = ({ token, organizationId }: GivenUser) => ({ token, organizationId })
type Server = Pick<typeof before, 'ask'>
const reveal = (server: Server, user: GivenUser, id: string) =>
  server.ask('POST', `/api/secrets/${id}/reveal`, { ...as(user), body: { reason: 'A test looks' } })
async function stored(server: Server, user: GivenUser, value: string): Promise<string> {
  const body = { name: `s-${randomBytes(4).toString('hex')}`, value }
  const reply = await server.ask('POST', '/api/secrets', { ...as(user), body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.id
}
const query = <Row extends object>(text: string) =>
  before.database.ownerPool.query<Row>(text).then(({ rows }) => rows)
const ciphertexts = (ids: string[]) =>
  query(`select md5(string_agg(sealed::text, '' order by secret_id)) from secret_versions
    where version = 1 and secret_id in ('${ids.join("','")}')`)

test('an owner alone sees the fingerprints, and a damaged value is found by its name', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const admin = await given.user({ organizationId: owner.organizationId, role: 'ADMIN' })
  expect((await before.ask('GET', '/api/secrets/keys', as(admin))).status).toBe(403)
  expect((await before.ask('GET', '/api/secrets/keys', as(owner))).body).toEqual({
    rootKeyFingerprint: fingerprints[0],
    previousFingerprint: fingerprints[1],
    dataKeyCreatedAt: null,
    dataKeyWrappedBy: null,
    versions: 0,
    verifying: null,
    lastVerified: null,
  })
  const ids = [await stored(before, owner, 'a'), await stored(before, owner, 'b')]
  const verify = () => before.ask('POST', '/api/secrets/verify', as(owner))
  expect((await verify()).body).toMatchObject({
    versions: 2,
    opened: 2,
    failed: [],
    auditBefore: { isIntact: true },
    audit: { isIntact: true },
  })
  expect((await before.ask('GET', '/api/secrets/keys', as(owner))).body).toMatchObject({
    dataKeyWrappedBy: 'present',
    versions: 2,
    verifying: null,
    lastVerified: { by: actorText(owner), isGood: true },
  })
  await query(`update secret_versions set sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1)
    where secret_id = '${ids[0]}'`)
  expect((await verify()).body).toMatchObject({
    versions: 2,
    opened: 1,
    failed: [{ secretId: ids[0], version: 1 }],
  })
  const keys = (await before.ask('GET', '/api/secrets/keys', as(owner))).body
  expect(keys.lastVerified).toMatchObject({ isGood: false })
})

test('the root key changes under traffic without a failed request, and no value is sealed again', async () => {
  const users = [await given.user({ role: 'OWNER' }), await given.user({ role: 'OWNER' })] as const
  const ids = [await stored(before, users[0], 'zero'), await stored(before, users[1], 'one')]
  const sealed = await ciphertexts(ids)
  let isOver = false
  const statuses = new Set<number>()
  async function traffic(user: GivenUser) {
    const id = await stored(before, user, 'busy')
    for (let n = 0; !isOver || n < 5; n += 1) {
      const body = { value: `v${n}` }
      const reply = await before.ask('PUT', `/api/secrets/${id}`, { ...as(user), body })
      statuses.add(reply.status)
    }
  }
  const busy = Promise.all(users.map(traffic))
  const present = { key: second, fingerprint: fingerprints[1] }
  const previous = { key: first, fingerprint: fingerprints[0] }
  const { database } = before
  // As another server does it at its start.
  expect(await rotateRootKey(database, { ...present, previous })).toBeGreaterThanOrEqual(2)
  await checkRootKey(database, present)
  const keys = (await before.ask('GET', '/api/secrets/keys', as(users[0]))).body
  // Of the server that still runs with the first key.
  expect(keys.dataKeyWrappedBy).toBe('previous')
  isOver = true
  await busy
  expect([...statuses]).toEqual([200])
  expect(await ciphertexts(ids)).toEqual(sealed)
  expect((await reveal(before, users[1], ids[1] ?? '')).body.value).toBe('one')
  const alone = createDataKeys(present)
  for (const { organizationId } of users) {
    await database.readTenant(organizationId, (db) => alone.opener(db, organizationId))
  }
  const trail = await query(`select diff->>'to' as to from audit_entries where action = 'root-key.rotate'`)
  expect(trail).toEqual([{ to: fingerprints[1] }])
  // With the first key alone a server that still runs says what is wrong, and another does not start.
  const { organizationId } = users[0]
  const stale = database.readTenant(organizationId, (db) =>
    createDataKeys(previous).opener(db, organizationId),
  )
  await expect(stale).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('Restart the server with the present root key.') as string,
  })
  await expect(checkRootKey(database, previous)).rejects.toThrow(fingerprints[1])
  expect(await rotateRootKey(database, { ...present, previous })).toBe(undefined)
  expect((await before.ask('POST', '/api/secrets/verify', as(users[0]))).body).toMatchObject({
    failed: [],
    audit: { isIntact: true },
  })
})
