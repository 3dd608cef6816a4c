import { randomBytes } from 'node:crypto'
import { connect as connectPlainly } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { createServer, connect } from 'node:tls'

import { expect, onTestFinished, test, vi } from 'vitest'

import { testDatabase } from '../../testing/database.ts'
import { realClock } from '../clock.ts'
import { fingerprintOf } from '../crypto/root-key.ts'
import { loadServerKey } from '../crypto/server-seal.ts'
import { createLog } from '../log.ts'
import { formatPeerAddress, readPeerAddress } from './peer-address.ts'
import { connectPeer } from './peer-connection.ts'
import type { ServeStream } from './peer-server.ts'
import { openPeers } from './peers.ts'
import { frameText, helloFrame, pskIdentity, tlsOptions } from './protocol.ts'

const patience = { timeout: 30_000, interval: 50 }
const database = await testDatabase()
const key = randomBytes(32)
const rootKey = { key, fingerprint: fingerprintOf(key) }

async function peer(serve: ServeStream = async () => null) {
  const peers = await openPeers({
    database,
    rootKey,
    address: { host: '127.0.0.1', port: 0 },
    clock: realClock,
    log: createLog({ level: 'silent' }),
  })
  onTestFinished(() => peers.stop())
  await peers.join(serve)
  return peers
}

const addressOf = async (id: string) => {
  const { rows } = await database.ownerPool.query('select address from peers where id = $1', [id])
  return Number(String(rows[0].address).split(':').at(-1))
}

test('peers find each other by the database, and one reads what another one sends until either ends it', async () => {
  let left: AbortSignal | undefined
  const one = await peer()
  const other = await peer(async (request, signal, { begin, line }) => {
    begin()
    line(`{"asked":${JSON.stringify(request)}}`)
    if (request === 'short') return { lines: 1 }
    left = signal
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return null
  })
  await vi.waitFor(() => expect(one.connected()).toEqual(new Set([other.id])), patience)
  await vi.waitFor(() => expect(other.connected()).toEqual(new Set([one.id])), patience)
  const heard: string[] = []
  const on = { begin: () => heard.push('begun'), line: (text: string) => heard.push(text) }
  const never = new AbortController()
  expect(await one.open(other.id, 'short', on, never.signal)).toEqual({
    kind: 'ended',
    outcome: { lines: 1 },
  })
  expect(heard).toEqual(['begun', '{"asked":"short"}'])

  const leaving = new AbortController()
  const long = one.open(other.id, 'long', on, leaving.signal)
  await vi.waitFor(() => expect(heard).toContain('{"asked":"long"}'), patience)
  expect(other.figures().served).toBe(1)
  leaving.abort()
  expect(await long).toEqual({ kind: 'left' })
  await vi.waitFor(() => expect(left?.aborted).toBe(true), patience)

  const failing = { begin: () => undefined, line: () => expect.fail('This reader fails') }
  await expect(one.open(other.id, 'short', failing, never.signal)).rejects.toThrow('This reader fails')
  const cut = one.open(other.id, 'long', on, never.signal)
  await vi.waitFor(() => expect(other.figures().served).toBe(1), patience)
  await other.stop()
  expect(await cut).toEqual({ kind: 'lost' })
  await vi.waitFor(() => expect(one.connected().size).toBe(0), patience)
  expect(one.figures()).toMatchObject({ connected: 0, unreachable: 0 })
})

test('a client without the key of the installation is refused in the handshake, and receives nothing', async () => {
  const asked = vi.fn(async () => null)
  const one = await peer(asked)
  const port = await addressOf(one.id)
  const words = `${helloFrame('any')}${frameText('open', 1, '"secrets"')}`
  const outcome = (options: object) =>
    new Promise<string>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options }, () =>
        socket.write(words),
      )
      socket.on('data', (data) => resolve(`was sent ${String(data)}`))
      socket.on('error', () => resolve('refused'))
      socket.on('close', () => resolve('refused'))
    })
  const withKey = (psk: Buffer, identity: string) => ({
    ...tlsOptions,
    pskCallback: () => ({ psk, identity }),
  })
  expect(await outcome(withKey(randomBytes(32), pskIdentity))).toBe('refused')
  expect(await outcome(withKey(Buffer.alloc(32), ''))).toBe('refused')
  // The root key itself is not the key of the channel.
  expect(await outcome(withKey(key, pskIdentity))).toBe('refused')
  expect(await outcome({})).toBe('refused')
  const plain = await new Promise<string>((resolve) => {
    const socket = connectPlainly({ host: '127.0.0.1', port }, () => socket.write(words))
    const received: Buffer[] = []
    socket.on('data', (data) => received.push(data))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(Buffer.concat(received).toString('latin1')))
  })
  expect(plain).not.toMatch(/hello|begun|line|end /)
  expect(asked).not.toHaveBeenCalled()
})

test('a foreign address in the table counts as unreachable, and is sent nothing', async () => {
  const heard: Buffer[] = []
  const stranger = createServer({ ...tlsOptions, pskCallback: () => randomBytes(32) }, (socket) => {
    socket.on('data', (data) => heard.push(data))
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void stranger.close())
  const address = `127.0.0.1:${(stranger.address() as AddressInfo).port}`
  const beat = () =>
    database.ownerPool.query(
      `insert into peers (id, address, protocol) values ('stranger', $1, 1)
       on conflict (id) do update set heartbeat_at = now()`,
      [address],
    )
  onTestFinished(() =>
    database.ownerPool.query(`delete from peers where id = 'stranger'`).then(() => undefined),
  )
  await beat()
  const one = await peer()
  await one.ready()
  expect(one.connected().size).toBe(0)
  await vi.waitFor(async () => {
    await beat()
    expect(one.figures().unreachable).toBe(1)
    const { rows } = await database.ownerPool.query('select unreachable from peers where id = $1', [one.id])
    expect(rows).toEqual([{ unreachable: [address] }])
  }, patience)
  expect(heard).toEqual([])
})

test('a peer that keeps its connection and says nothing any more is lost', async () => {
  const psk = await loadServerKey(database, rootKey, 'peer-channel')
  const silent = createServer({ ...tlsOptions, pskCallback: () => psk }, (socket) => {
    socket.on('error', () => undefined)
    socket.resume()
    socket.write(helloFrame('silent'))
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void silent.close())
  const opened = Promise.withResolvers<void>()
  const lost = Promise.withResolvers<Error | undefined>()
  const connection = connectPeer({
    ownId: 'any',
    peerId: 'silent',
    address: { host: '127.0.0.1', port: (silent.address() as AddressInfo).port },
    key: psk,
    clock: realClock,
    onOpen: opened.resolve,
    onLost: lost.resolve,
  })
  await opened.promise
  const stream = connection.open(
    'any',
    { begin: () => undefined, line: () => undefined },
    new AbortController().signal,
  )
  expect(await stream).toEqual({ kind: 'lost' })
  expect(String(await lost.promise)).toContain('The peer is silent')
})

test('a peer that does not read is cut off before it takes much memory', async () => {
  const psk = await loadServerKey(database, rootKey, 'peer-channel')
  let sentMiB = 0
  const cutOff = Promise.withResolvers<void>()
  const one = await peer(async (_request, signal, { line }) => {
    const text = 'x'.repeat(1024 * 1024)
    while (!signal.aborted && sentMiB < 1_000) {
      line(text)
      sentMiB += 1
      await setImmediate()
    }
    cutOff.resolve()
    return null
  })
  const socket = connect({
    host: '127.0.0.1',
    port: await addressOf(one.id),
    ...tlsOptions,
    pskCallback: () => ({ psk, identity: pskIdentity }),
    checkServerIdentity: () => undefined,
  })
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  socket.once('secureConnect', () => {
    socket.pause()
    socket.write(`${helloFrame('any')}${frameText('open', 1, '1')}`)
  })
  await cutOff.promise
  // What is not read yet, what the system holds of it, and the line that was one too many.
  expect(sentMiB).toBeLessThan(100)
})

test('an address that leads to another process than its row says is found not to be reached', async () => {
  const one = await peer()
  const beat = async () =>
    database.ownerPool.query(
      `insert into peers (id, address, protocol) values ('mistaken', $1, 1)
       on conflict (id) do update set heartbeat_at = now()`,
      [`127.0.0.1:${await addressOf(one.id)}`],
    )
  onTestFinished(() =>
    database.ownerPool.query(`delete from peers where id = 'mistaken'`).then(() => undefined),
  )
  await vi.waitFor(async () => {
    await beat()
    expect(one.figures()).toEqual({ connected: 0, unreachable: 1, served: 0 })
  }, patience)
})

test('a process of another version of the protocol is left alone', async () => {
  await database.ownerPool.query(
    `insert into peers (id, address, protocol) values ('newer', '127.0.0.1:1', 2)`,
  )
  onTestFinished(() => database.ownerPool.query(`delete from peers where id = 'newer'`).then(() => undefined))
  const one = await peer()
  await one.ready()
  expect(one.figures()).toEqual({ connected: 0, unreachable: 0, served: 0 })
})

test('an address at which this machine cannot listen ends the start with a sentence', async () => {
  const opened = openPeers({
    database,
    rootKey,
    address: { host: '203.0.113.1', port: 8090 },
    clock: realClock,
    log: createLog({ level: 'silent' }),
  })
  await expect(opened).rejects.toThrow(
    /^BEY_PEER_ADDRESS is 203\.0\.113\.1:8090, where this process cannot listen/,
  )
})

test('addresses of peers are read and written alike, and what is none is refused with a sentence', () => {
  const read = (value: string | undefined, databaseUrl: string | undefined = 'postgres://a/b') =>
    readPeerAddress((name) => (name === 'DATABASE_URL' ? databaseUrl : value))
  expect(read(undefined)).toBeUndefined()
  expect(read('10.0.0.5:8090')).toEqual({ host: '10.0.0.5', port: 8090 })
  expect(read('worker-1.bey:0')).toEqual({ host: 'worker-1.bey', port: 0 })
  expect(read('[fd00::5]:8090')).toEqual({ host: 'fd00::5', port: 8090 })
  // As Kubernetes writes the address of a pod.
  expect(read('fd00::5:8090')).toEqual({ host: 'fd00::5', port: 8090 })
  expect(formatPeerAddress({ host: 'fd00::5', port: 1 })).toBe('[fd00::5]:1')
  for (const wrong of ['10.0.0.5', 'a b:1', '10.0.0.5:70000', '[10.0.0.5]:1', ':8090'])
    expect(() => read(wrong), wrong).toThrow(
      /^BEY_PEER_ADDRESS is ".*"\. Set BEY_PEER_ADDRESS to the host and port/,
    )
  for (const everywhere of ['0.0.0.0:8090', '[::]:8090'])
    expect(() => read(everywhere)).toThrow('at which nobody reaches this process')
  const embedded = () => readPeerAddress((name) => (name === 'DATABASE_URL' ? undefined : '10.0.0.5:1'))
  expect(embedded).toThrow('the embedded database belongs to one. Set DATABASE_URL')
})
