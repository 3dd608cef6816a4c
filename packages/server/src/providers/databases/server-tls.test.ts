import { X509Certificate } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'

import { databasePlans } from '@bey/contract'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { createAuthority, createLeaf } from '../../platform/certificate/certificate.ts'
import type { Certificate } from '../../platform/http/tls-listener.ts'
import { createLog } from '../../platform/log.ts'
import { createEmbeddedDatabases } from './embedded.ts'
import { isTlsFile, type ServerTlsOptions } from './server-tls.ts'

const root = await mkdtemp(join(tmpdir(), 'bey-database-tls-'))
await chmod(root, 0o755)
const log = createLog({ level: 'fatal', write: () => undefined })
const authority = await createAuthority(new Date())
const stranger = await createAuthority(new Date())
const leafOf = async (): Promise<Certificate> => {
  const leaf = await createLeaf(authority, ['localhost'], new Date())
  return { key: leaf.keyPem, cert: leaf.certificatePem, ca: authority.certificatePem }
}
let current = await leafOf()
let isAway = false
const listeners: ((next: Certificate) => void)[] = []
const serversWith = (open: ServerTlsOptions['open']) =>
  createEmbeddedDatabases({
    root,
    machineId: 'm1',
    log,
    budgetBytes: 300 * 1024 ** 2,
    sandboxBytes: async () => 0,
    isDurable: false,
    tls: { host: 'localhost', open },
  })
const databases = serversWith(async () => {
  if (isAway) throw new Error('the database of Bey is away')
  return {
    current: () => current,
    trusted: () => authority.certificatePem,
    onRenewed: (callback) => {
      listeners.push(callback)
      return () => undefined
    },
    stop: () => undefined,
  }
})
const step = { log: () => undefined, signal: new AbortController().signal }
const subject = {
  id: 'encrypted',
  name: 'encrypted',
  databaseName: 'encrypted',
  username: 'encrypted',
  plan: databasePlans.small,
  // The other loopback address stands for another machine.
  allowList: [{ cidr: '127.0.0.2/32' }],
}
const placement = await databases.choosePlacement(subject.id, null)

beforeAll(async () => {
  await databases.reserve(subject, placement, step)
  await databases.initialize(placement, step)
  isAway = true
  await expect(databases.start(subject, placement)).rejects.toThrow('is away')
  isAway = false
  await databases.start(subject, placement)
  await databases.setUp(subject, placement, 'password')
}, 60_000)

afterAll(async () => {
  await databases.stopAll()
  await rm(root, { recursive: true, force: true })
})

/** A client at one of the two addresses. */
function clientAt(localAddress: '127.0.0.1' | '127.0.0.2', ssl: pg.ClientConfig['ssl']) {
  const socket = new Socket()
  const connect = socket.connect.bind(socket)
  // The driver connects by port and host, and has no setting for the own address.
  socket.connect = (port: unknown, host?: unknown) =>
    connect({ port: Number(port), host: String(host), localAddress })
  return new pg.Client({
    host: '127.0.0.1',
    port: placement.port,
    database: 'encrypted',
    user: 'encrypted',
    password: 'password',
    ssl,
    stream: () => socket,
  })
}

async function versionSeenBy(client: pg.Client): Promise<string | null> {
  await client.connect()
  try {
    const { rows } = await client.query('select version from pg_stat_ssl where pid = pg_backend_pid()')
    return rows[0].version
  } finally {
    await client.end()
  }
}

const trusting = (ca: string) => ({ ca, servername: 'localhost' })

test('other machines are admitted over TLS alone, and see by the authority whom they reached', async () => {
  await expect(clientAt('127.0.0.2', false).connect()).rejects.toThrow(/no encryption|SSL off/)
  expect(await versionSeenBy(clientAt('127.0.0.2', trusting(authority.certificatePem)))).toMatch(
    /^TLSv1\.[23]$/,
  )
  await expect(clientAt('127.0.0.2', trusting(stranger.certificatePem)).connect()).rejects.toThrow(
    /certificate/,
  )
  const elsewhere = { ca: authority.certificatePem, servername: 'elsewhere.test' }
  await expect(clientAt('127.0.0.2', elsewhere).connect()).rejects.toThrow(/altnames|Hostname/)
  expect(await databases.clientAccess()).toEqual({ host: 'localhost', authorities: authority.certificatePem })
})

test('on this machine clients choose', async () => {
  expect(await versionSeenBy(clientAt('127.0.0.1', false))).toBeNull()
  expect(await versionSeenBy(clientAt('127.0.0.1', trusting(authority.certificatePem)))).toMatch(/^TLSv1\./)
})

test('a renewed certificate is presented without a restart, and its key is the server’s alone', async () => {
  const open = clientAt('127.0.0.2', trusting(authority.certificatePem))
  await open.connect()
  current = await leafOf()
  for (const listener of listeners) listener(current)
  const wanted = new X509Certificate(current.cert).serialNumber
  await expect
    .poll(async () => {
      const client = clientAt('127.0.0.1', trusting(authority.certificatePem))
      await client.connect()
      const { stream } = (client as unknown as { connection: { stream: TLSSocket } }).connection
      const { serialNumber } = stream.getPeerCertificate()
      await client.end()
      return serialNumber
    })
    .toBe(wanted)
  // Who was connected stays connected.
  expect((await open.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await open.end()
  const dir = join(placement.dir, 'postgres')
  const files = (await readdir(dir)).filter(isTlsFile)
  expect(files.toSorted()).toEqual(['bey-server.crt', 'bey-server.key'])
  for (const file of files) expect((await stat(join(dir, file))).mode & 0o077).toBe(0)
})

test('while no certificate can be had, a server starts with the one of before', async () => {
  await databases.stop(subject.id, placement)
  const other = serversWith(() => Promise.reject(new Error('the database of Bey is away')))
  await other.start(subject, placement)
  expect(await versionSeenBy(clientAt('127.0.0.2', trusting(authority.certificatePem)))).toMatch(/^TLSv1\./)
  await other.stopAll()
})
