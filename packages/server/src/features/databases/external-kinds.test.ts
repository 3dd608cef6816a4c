import { afterAll, expect, test } from 'vitest'

import { createAuthority, createLeaf } from '../../platform/certificate/certificate.ts'
import { testApp } from '../../testing/app.ts'
import { databaseApi } from './testing/database-api.ts'
import { ofVersion, withPooler, withTls } from './testing/servers-in-between.ts'

const app = await testApp()
const api = databaseApi(app, await app.given.user({ role: 'MEMBER' }))
const { endpoint, password } = await api.embedded('behind')
const uriOf = (port: number, mode: string, host = '127.0.0.1') =>
  `postgresql://${endpoint.username}:${password}@${host}:${port}/${endpoint.database}?sslmode=${mode}`
const tried = async (uri: string, caPem?: string) =>
  (await api.ask('POST', '/api/databases/test', { connection: { uri, ...(caPem && { caPem }) } })).body

const authority = await createAuthority(new Date())
const other = await createAuthority(new Date())
const certificate = await createLeaf(authority, ['db.example.com', '127.0.0.1'], new Date())
const strange = await createLeaf(authority, ['db.example.com'], new Date())
const own = await withTls(endpoint, { key: certificate.keyPem, cert: certificate.certificatePem })
const misnamed = await withTls(endpoint, { key: strange.keyPem, cert: strange.certificatePem })
const pooler = await withPooler(endpoint)
const old = await ofVersion('12.22', 120_022)
afterAll(() => {
  for (const server of [own, misnamed, pooler, old]) server.close()
})
const ca = authority.certificatePem

test('a server with TLS is reached by each mode, checked by the authority that was pasted', async () => {
  for (const [mode, pem] of [['prefer'], ['require'], ['verify-ca', ca], ['verify-full', ca]] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const found = await tried(uriOf(own.port, mode), pem)
    expect([mode, found]).toMatchObject([mode, { isReachable: true, problem: null, isEncrypted: true }])
  }
})

test.each([
  ['no authority', own.port, undefined, 'not signed by an authority that this machine trusts'],
  [
    'another authority',
    own.port,
    other.certificatePem,
    'not signed by an authority that this machine trusts',
  ],
  ['another name', misnamed.port, ca, 'is for another name than "127.0.0.1"'],
])('with %s the certificate is refused in a sentence', async (_what, port, pem, sentence) => {
  const found = await tried(uriOf(port, 'verify-full'), pem)
  expect(found).toMatchObject({ isReachable: false, problem: expect.stringContaining(sentence) })
})

test('a certificate for another name passes where only its authority is checked', async () => {
  expect(await tried(uriOf(misnamed.port, 'verify-ca'), ca)).toMatchObject({ isReachable: true })
})

test('a pooler in between is recognised, and a server without one is not taken for it', async () => {
  const through = await tried(uriOf(pooler.port, 'disable'))
  expect(through).toMatchObject({ isReachable: true, notes: [expect.stringContaining('PgBouncer')] })
  expect((await tried(uriOf(endpoint.port, 'disable'))).notes).toEqual([])
})

test('a server that is too old is refused with its version', async () => {
  const found = await tried(uriOf(old.port, 'disable'))
  expect(found).toMatchObject({
    isReachable: false,
    problem: 'The server is PostgreSQL 12.22. Bey looks after PostgreSQL 13 and newer: upgrade it first.',
  })
})
