import { randomBytes, X509Certificate } from 'node:crypto'
import { createServer } from 'node:https'
import { connect } from 'node:tls'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { fingerprintOf } from '../crypto/root-key.ts'
import { createLog } from '../log.ts'
import { serverKeys } from '../../tables/server-keys.ts'
import { fakeClock } from '../../testing/clock.ts'
import { testDatabase } from '../../testing/database.ts'
import { kubeconfigYaml, proxyAddress } from '../../features/clusters/kubeconfig/kubeconfig.ts'
import { caLifetimeMs, successorAheadMs, takeoverAheadMs } from './certificate-terms.ts'
import { certificateHosts, openServerCertificate } from './server-certificate.ts'

const database = await testDatabase()
const key = randomBytes(32)
const rootKey = { key, fingerprint: fingerprintOf(key) }
const log = createLog({ level: 'silent' })
const day = 24 * 60 * 60 * 1000

afterEach(() => database.asSystem('test', (db) => db.delete(serverKeys)))

test('a client that trusts the authority reaches the server by each of its names, and by no other', async () => {
  const source = await openServerCertificate(
    { database, rootKey, clock: fakeClock(new Date()), log },
    certificateHosts('https://bey.example.com:8443'),
  )
  const { key: keyPem, cert } = source.current()
  const server = createServer({ key: keyPem, cert })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const reach = async (servername: string) => {
    const socket = connect({ port, host: '127.0.0.1', servername, ca: source.trusted() })
    try {
      await once(socket, 'secureConnect')
      return 'reached'
    } catch (error) {
      return error instanceof Error && 'code' in error ? error.code : error
    } finally {
      socket.destroy()
    }
  }
  expect(await reach('localhost')).toBe('reached')
  expect(await reach('bey.example.com')).toBe('reached')
  expect(await reach('evil.example.com')).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
  server.close()
  const names = new X509Certificate(cert).subjectAltName
  expect(names).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:bey.example.com')
})

test('the authority is shared by all processes, survives a restart, and its key is not readable in the database', async () => {
  const clock = fakeClock(new Date())
  const open = () => openServerCertificate({ database, rootKey, clock, log }, ['localhost'])
  const [one, two] = await Promise.all([open(), open()])
  expect(one.trusted()).toBe(two.trusted())
  expect((await open()).trusted()).toBe(one.trusted())
  expect((await open()).current()).toEqual(two.current())
  const rows = await database.asSystem('test', (db) => db.select().from(serverKeys))
  expect(rows).toHaveLength(2)
  expect(JSON.stringify(rows) + rows.map(({ sealed }) => sealed.toString()).join()).not.toContain('PRIVATE')
  const other = randomBytes(32)
  const wrong = { key: other, fingerprint: fingerprintOf(other) }
  await expect(
    openServerCertificate({ database, rootKey: wrong, clock, log }, ['localhost']),
  ).rejects.toThrow('does not open')
})

test('the certificate renews itself before it expires, under the same authority', async () => {
  const clock = fakeClock(new Date())
  const source = await openServerCertificate({ database, rootKey, clock, log }, ['localhost'])
  const renewed: string[] = []
  source.onRenewed(({ cert }) => renewed.push(cert))
  const before = source.current()
  clock.advance(60.1 * day)
  await source.renew()
  expect(renewed).toEqual([])
  clock.advance(day / 2)
  await expect.poll(() => renewed).toHaveLength(1)
  expect(source.current().ca).toBe(before.ca)
  expect(new X509Certificate(source.current().cert).validToDate.getTime()).toBeGreaterThan(
    clock.now().getTime() + 80 * day,
  )
  source.stop()
})

test('a new authority is trusted by kubeconfigs for a month before it takes over', async () => {
  const clock = fakeClock(new Date())
  const source = await openServerCertificate({ database, rootKey, clock, log }, ['localhost'])
  const old = source.current().ca
  source.stop()
  clock.advance(caLifetimeMs - successorAheadMs + day)
  await source.renew()
  expect(source.current().ca).toBe(old)
  const trusted = source.trusted()
  expect(trusted.match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
  clock.advance(successorAheadMs - takeoverAheadMs)
  await source.renew()
  const { ca, cert } = source.current()
  expect(ca).not.toBe(old)
  expect(trusted).toContain(ca)
  expect(new X509Certificate(cert).checkIssued(new X509Certificate(ca))).toBe(true)
  expect(source.trusted().match(/BEGIN CERTIFICATE/g)).toHaveLength(1)
})

test.each([
  [undefined, 'https://localhost:8443', true],
  ['http://192.168.1.7:8080', 'https://192.168.1.7:8443', true],
  ['http://[::1]:8080', 'https://[::1]:8443', true],
  ['https://bey.example.com:8443', 'https://bey.example.com:8443', true],
  ['https://bey.example.com', 'https://bey.example.com', false],
])('with the public URL %s kubectl goes to %s', (publicUrl, origin, trustsOurs) => {
  const address = proxyAddress({ publicUrl, tlsPort: 8443, trusted: 'PEM' }, 7)
  expect(address).toEqual({
    serverUrl: `${origin}/api/kubernetes/clusters/7/proxy`,
    caPem: trustsOurs ? 'PEM' : undefined,
  })
  const yaml = kubeconfigYaml({ clusterTitle: 'prod', ...address, token: 't' })
  expect(yaml.includes('certificate-authority-data')).toBe(trustsOurs)
})

test('names that change leave no certificate behind for longer than it lasts, and purposes have their own', async () => {
  const clock = fakeClock(new Date())
  const names = async () =>
    (await database.asSystem('test', (db) => db.select().from(serverKeys))).map(({ name }) => name)
  const open = async (host: string, purpose: 'https' | 'database') => {
    const source = await openServerCertificate({ database, rootKey, clock, log }, [host], purpose)
    source.stop()
    return source
  }
  const [https, ofDatabases] = [await open('one', 'https'), await open('one', 'database')]
  expect(https.current().ca).toBe(ofDatabases.current().ca)
  expect(https.current().cert).not.toBe(ofDatabases.current().cert)
  clock.advance(91 * day)
  await open('two', 'database')
  expect((await names()).map((name) => name.replace(/:.*/, '')).toSorted()).toEqual([
    'database-leaf',
    'https-ca',
    'https-leaf',
  ])
})
