import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'

import type { BucketAccess } from '../../features/databases/backup-targets/backup-places.ts'
import { createAddressGuard } from '../../platform/outbound/address-guard.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { s3Problem } from './s3-problem.ts'
import { s3Store } from './s3-store.ts'
import { anyOutbound, objectStore } from '../../testing/object-store.ts'
import { inChunks, keysOf, never, readAll } from './testing/stored-bytes.ts'

test('a large object is uploaded in parts', async () => {
  const store = s3Store((await objectStore()).place, anyOutbound)
  const bytes = randomBytes(40 * 1024 * 1024)
  await store.put('large', inChunks(bytes, 1_000_003), never)
  expect((await readAll(store, 'large')).equals(bytes)).toBe(true)
  async function* failing() {
    yield* inChunks(bytes)
    throw new Error('the server of the database ended')
  }
  await expect(store.put('second', failing(), never)).rejects.toThrow('the server of the database ended')
  expect(await keysOf(store)).toEqual(['large'])
})

test('a service that was stopped, emptied and given back is seen as it is', async () => {
  const service = await objectStore()
  const store = s3Store(service.place, anyOutbound)
  await store.put('a', inChunks(Buffer.from('kept')), never)
  await service.stop()
  const away = { kind: 'unavailable', message: /^127\.0\.0\.1:\d+ refused the connection\.$/ }
  await expect(readAll(store, 'a')).rejects.toMatchObject({
    kind: away.kind,
    message: expect.stringMatching(away.message),
  })
  await expect(store.check()).rejects.toThrow(away.message)
  await expect(keysOf(store)).rejects.toThrow(away.message)
  await service.start()
  service.empty()
  await expect(readAll(store, 'a')).rejects.toMatchObject({
    kind: 'absent',
    message: 'The bucket backups has no a: it was removed or never stored.',
  })
  service.giveBack()
  expect(String(await readAll(store, 'a'))).toBe('kept')
})

const wrong: [string, Partial<BucketAccess>, string][] = [
  [
    'a bucket that is missing',
    { bucket: 'nowhere' },
    'has no bucket nowhere. Create it, or enter the name of one that exists.',
  ],
  [
    'an unknown access key',
    { accessKeyId: 'OTHER' },
    'does not know the access key OTHER. Enter one that it has.',
  ],
]
test('settings that are wrong each have their sentence', async () => {
  const { place } = await objectStore()
  for (const [name, changes, sentence] of wrong) {
    // oxlint-disable-next-line no-await-in-loop -- one setting after the other
    await expect(s3Store({ ...place, ...changes }, anyOutbound).check(), name).rejects.toThrow(sentence)
  }
})

/** A service that answers every request with one error. */
async function answering(status: number, code: string): Promise<BucketAccess> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/xml' })
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>secret detail</Message></Error>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return placeAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

const placeAt = (endpoint: string): BucketAccess => ({
  endpoint,
  region: 'eu-central-1',
  bucket: 'backups',
  prefix: '',
  accessKeyId: 'AKIA1',
  secretAccessKey: 'secret',
})

test.each([
  [403, 'AccessDenied', 'denied', 'The access key AKIA1 may not do this in the bucket backups.'],
  [403, 'SignatureDoesNotMatch', 'denied', 'The secret access key is not that of the access key AKIA1.'],
  [403, 'ExpiredToken', 'denied', 'The access key AKIA1 has expired.'],
  [403, 'RequestTimeTooSkewed', 'denied', 'The clock of this server differs from that of 127.0.0.1:'],
  [400, 'AuthorizationHeaderMalformed', 'denied', 'The bucket backups is not in the region eu-central-1.'],
  [301, 'PermanentRedirect', 'denied', 'The bucket backups is not in the region eu-central-1.'],
  [403, 'SomethingOfItsOwn', 'denied', 'The access key AKIA1 may not do this in the bucket backups.'],
  [507, 'XMinioStorageFull', 'full', 'The storage of the bucket backups is full.'],
  [418, 'Teapot', 'unavailable', 'answered 418 (Teapot).'],
])('the answer %i %s is a problem of kind %s', async (status, code, kind, sentence) => {
  const store = s3Store(await answering(status, code), anyOutbound)
  await expect(store.remove('a')).rejects.toMatchObject({ kind, message: expect.stringContaining(sentence) })
})

test('a service that is overloaded is tried again later; neither problem nor place has the secret', () => {
  const place = placeAt('https://s3.example.com')
  const overloaded = Object.assign(new Error('secret detail'), {
    name: 'SlowDown',
    $metadata: { httpStatusCode: 503 },
  })
  expect(s3Problem(overloaded, place)).toMatchObject({
    kind: 'unavailable',
    message: 's3.example.com is overloaded or out of order. Try again later.',
  })
  expect(s3Store(place, anyOutbound).place).toBe('backups at s3.example.com')
})

test('an endpoint without TLS, or that is no service at all, is said', async () => {
  const plain = await answering(200, '')
  const overTls = s3Store(
    { ...plain, endpoint: plain.endpoint?.replace('http:', 'https:') ?? null },
    anyOutbound,
  )
  await expect(overTls.remove('a')).rejects.toThrow('does not speak TLS on this port.')

  const server = createTcpServer((socket) => socket.end('220 mail.example.com ESMTP\r\n'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const mail = placeAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await expect(s3Store(mail, anyOutbound).remove('a')).rejects.toThrow('answered something that is not HTTP.')
})

test('an endpoint leads to allowed addresses only, by address, by name, and when the name changes', async () => {
  const { place } = await objectStore()
  const guard = createAddressGuard({ kind: 'public' })
  const metadata = s3Store({ ...place, endpoint: 'http://169.254.169.254' }, anyOutbound)
  await expect(metadata.check()).rejects.toThrow('169.254.169.254 is a link-local address')
  await expect(s3Store(place, createOutbound(guard)).check()).rejects.toThrow(
    '127.0.0.1 is not public, and this server connects to public addresses only (BEY_OUTBOUND).',
  )
  const rebound = createOutbound(guard, ((
    _name: string,
    _options: unknown,
    callback: (...given: unknown[]) => void,
  ) => callback(null, [{ address: '127.0.0.1', family: 4 }])) as never)
  const { port: at } = new URL(place.endpoint ?? '')
  await expect(
    s3Store({ ...place, endpoint: `http://backups.example.com:${at}` }, rebound).check(),
  ).rejects.toThrow('backups.example.com resolves to 127.0.0.1, which is not public')
})
