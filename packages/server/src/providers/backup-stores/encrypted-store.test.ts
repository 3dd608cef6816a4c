import { createHash, randomBytes } from 'node:crypto'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { directoryStore } from './directory-store.ts'
import { encryptedStore } from './encrypted-store.ts'
import { organizationKey } from './testing/organization-key.ts'
import { inChunks, never, readAll } from './testing/stored-bytes.ts'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'

const sealedFrame = 64 * 1024 + 16

async function given(bytes = randomBytes(200_000)) {
  const root = temporaryDirectory()
  const inner = directoryStore(root, 'machine')
  const store = encryptedStore(inner, organizationKey())
  const { storedBytes } = await store.put('base', inChunks(bytes), never)
  const file = join(root, 'base')
  const headerBytes = 8 + 2 + readFileSync(file).readUInt16BE(8)
  return { root, inner, store, file, bytes, storedBytes, headerBytes }
}

const changed = /^base in .* is not what was stored there: it was changed or is incomplete\.$/
const foreign = /^base in .* does not open with the key of this organization/

test('no plain byte is stored, and two objects of the same bytes have nothing in common', async () => {
  const bytes = Buffer.from('a row that nobody else may read, '.repeat(10_000))
  const { store, file, root } = await given(bytes)
  await store.put('again', inChunks(bytes), never)
  const [one, two] = [readFileSync(file), readFileSync(join(root, 'again'))]
  expect(one.includes('a row that')).toBe(false)
  expect(one.subarray(10).equals(two.subarray(10))).toBe(false)
})

// The longer ones are sealed in a thread.
test.each([0, 1, 65_536, 262_144, 262_145, 3_000_001])(
  'says of %i bytes how many they are and what their hash is, and gives them back',
  async (length) => {
    const bytes = randomBytes(length)
    const { store } = await given()
    const { sizeBytes, sha256 } = await store.put('b', inChunks(bytes, 100_003), never)
    expect({ sizeBytes, sha256 }).toEqual({
      sizeBytes: length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    expect((await readAll(store, 'b')).equals(bytes)).toBe(true)
  },
)

test('streams that are sealed at once keep apart, also where one is given up', async () => {
  const { store } = await given()
  const abort = new AbortController()
  async function* endless() {
    for (;;) {
      yield randomBytes(100_000)
      abort.abort(new Error('cancelled'))
    }
  }
  const sources = Array.from({ length: 4 }, () => randomBytes(1_000_000))
  const [lost, ...stored] = await Promise.allSettled([
    store.put('lost', endless(), abort.signal),
    ...sources.map((bytes, index) => store.put(`s${index}`, inChunks(bytes), never)),
  ])
  expect(lost).toMatchObject({ status: 'rejected', reason: { message: 'cancelled' } })
  expect(stored.map(({ status }) => status)).toEqual(sources.map(() => 'fulfilled'))
  for (const [index, bytes] of sources.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- a few objects
    expect((await readAll(store, `s${index}`)).equals(bytes)).toBe(true)
  }
})

test('any flipped bit is noticed, wherever it is', async () => {
  const { store, file, headerBytes, storedBytes } = await given(randomBytes(70_000))
  const whole = readFileSync(file)
  const places = [
    0,
    7,
    9,
    12,
    headerBytes - 1,
    headerBytes,
    headerBytes + sealedFrame - 1,
    headerBytes + sealedFrame,
    storedBytes - 1,
  ]
  for (const at of places) {
    const bytes = Buffer.from(whole)
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    writeFileSync(file, bytes)
    // oxlint-disable-next-line no-await-in-loop -- the file is changed one byte after the other
    await expect(readAll(store, 'base'), `byte ${at}`).rejects.toMatchObject({ kind: 'changed' })
  }
})

test('an end that is missing is noticed, also between two frames and with nothing left', async () => {
  const { store, file, headerBytes, storedBytes } = await given()
  const whole = readFileSync(file)
  for (const length of [
    0,
    5,
    headerBytes - 1,
    headerBytes,
    headerBytes + sealedFrame,
    headerBytes + 2 * sealedFrame,
    storedBytes - 1,
  ]) {
    writeFileSync(file, whole.subarray(0, length))
    // oxlint-disable-next-line no-await-in-loop -- the file is cut one length after the other
    await expect(readAll(store, 'base'), `${length} bytes`).rejects.toThrow(changed)
  }
})

test('frames that were exchanged, repeated, left out or appended are noticed', async () => {
  const { store, file, headerBytes } = await given(randomBytes(4 * 65_536))
  const whole = readFileSync(file)
  const header = whole.subarray(0, headerBytes)
  const frame = (index: number) =>
    whole.subarray(headerBytes + index * sealedFrame, headerBytes + (index + 1) * sealedFrame)
  const orders = [[1, 0, 2, 3], [0, 0, 1, 2, 3], [0, 2, 3], [0, 1, 2], [0, 1, 2, 3, 3], [3]]
  for (const order of orders) {
    writeFileSync(file, Buffer.concat([header, ...order.map(frame)]))
    // oxlint-disable-next-line no-await-in-loop -- one order after the other
    await expect(readAll(store, 'base'), String(order)).rejects.toThrow(changed)
  }
  writeFileSync(file, whole)
  expect((await readAll(store, 'base')).length).toBe(4 * 65_536)
})

test('an object under another key, with the header of another, or of another organization does not open', async () => {
  const { store, inner, file, root, headerBytes } = await given()
  await store.put('other', inChunks(randomBytes(200_000)), never)
  const own = readFileSync(file)
  const other = readFileSync(join(root, 'other'))
  copyFileSync(join(root, 'other'), file)
  await expect(readAll(store, 'base')).rejects.toThrow(foreign)
  writeFileSync(file, Buffer.concat([own.subarray(0, headerBytes), other.subarray(headerBytes)]))
  await expect(readAll(store, 'base')).rejects.toThrow(changed)
  writeFileSync(file, own)
  await expect(readAll(encryptedStore(inner, organizationKey()), 'base')).rejects.toThrow(foreign)
})

test('what was stored without encryption is not taken for an object', async () => {
  const { store, inner } = await given()
  await inner.put('base', inChunks(randomBytes(100_000)), never)
  await expect(readAll(store, 'base')).rejects.toThrow(changed)
})

test('bytes before a damaged frame are answered, none of it or after it', async () => {
  const { store, file, bytes, headerBytes } = await given()
  const damaged = readFileSync(file)
  damaged.writeUInt8(damaged.readUInt8(headerBytes + sealedFrame) ^ 1, headerBytes + sealedFrame)
  writeFileSync(file, damaged)
  const read: Uint8Array[] = []
  await expect(async () => {
    for await (const chunk of await store.get('base', never)) read.push(chunk)
  }).rejects.toThrow(changed)
  expect(Buffer.concat(read).equals(bytes.subarray(0, 65_536))).toBe(true)
})
