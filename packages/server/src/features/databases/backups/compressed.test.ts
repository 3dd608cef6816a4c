import { createHash, randomBytes } from 'node:crypto'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createZstdCompress } from 'node:zlib'
import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { temporaryDirectory } from '../../../testing/temporary-directory.ts'
import { compressed, decompressed } from './compressed.ts'

/** Half of them shrink to nearly nothing, so that many frames come in one piece. */
async function* pieces(sizes: readonly number[]) {
  for (const [index, size] of sizes.entries())
    yield index % 2 === 0 ? randomBytes(size) : Buffer.alloc(size, 'row ')
}

async function digestOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of source) hash.update(piece)
  return hash.digest('hex')
}

/** As stores answer: without regard to where frames end. */
async function* inPiecesOf(size: number, source: AsyncIterable<Uint8Array>) {
  let held = Buffer.alloc(0)
  for await (const piece of source) {
    held = Buffer.concat([held, piece])
    for (; held.length > size; held = held.subarray(size)) yield held.subarray(0, size)
  }
  yield held
}

test.each([
  ['nothing', []],
  ['a byte', [1]],
  ['many small pieces', Array.from({ length: 5_000 }, () => 512)],
  ['many large pieces', Array.from({ length: 40 }, () => 1_048_576)],
  ['large and small ones in turn', [512, 1_048_576, 512, 300_000, 131_071, 131_072, 7]],
])('%s comes back as it was', async (_what, sizes) => {
  const hash = createHash('sha256')
  async function* watched() {
    for await (const piece of pieces(sizes)) {
      hash.update(piece)
      yield piece
    }
  }
  const back = await digestOf(decompressed(inPiecesOf(777_777, compressed(watched()))))
  expect(back).toBe(hash.digest('hex'))
})

test('what was compressed as one stream, as by an earlier Bey, comes back as well', async () => {
  const bytes = randomBytes(3_000_000)
  const old = Readable.from([bytes]).pipe(createZstdCompress())
  expect(await digestOf(decompressed(old))).toBe(createHash('sha256').update(bytes).digest('hex'))
})

test('what was cut off or changed is an error, wherever it is', async () => {
  const stored: Uint8Array[] = []
  for await (const piece of compressed(pieces([300_000, 1_000_000, 5, 300_000]))) stored.push(piece)
  const whole = Buffer.concat(stored)
  for (const length of [1, 4, 5, 9, 10_000, whole.length - 1]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(digestOf(decompressed(Readable.from([whole.subarray(0, length)])))).rejects.toThrow(
      /end too early/,
    )
  }
  const changed = Buffer.from(whole)
  changed.writeUInt8(0, 0)
  await expect(digestOf(decompressed(Readable.from([changed])))).rejects.toThrow(/damaged/)
})

test('ranges of a file are read in threads, those that were cut off as zeros, and a source may wait for them', async () => {
  const dir = temporaryDirectory()
  const bytes = randomBytes(9_000_000)
  await writeFile(join(dir, 'file'), bytes)
  await using handle = await open(join(dir, 'file'), 'r')
  const length = 1_000_000
  let unread = 0
  async function* parts() {
    yield Buffer.from('head')
    for (let position = 0; position < 10 * length; position += length) {
      unread += 1
      yield { fd: handle.fd, position, length, release: () => void (unread -= 1) }
    }
    yield 'barrier' as const
    await expect.poll(() => unread, { timeout: 60_000 }).toBe(0)
    yield Buffer.from('tail')
  }
  const expected = Buffer.concat([Buffer.from('head'), bytes, Buffer.alloc(length), Buffer.from('tail')])
  expect(await digestOf(decompressed(compressed(parts())))).toBe(
    createHash('sha256').update(expected).digest('hex'),
  )
  async function* ofClosedFile() {
    yield { fd: 100_000, position: 0, length, release: () => void (unread -= 1) }
  }
  await expect(digestOf(compressed(ofClosedFile()))).rejects.toThrow('EBADF')
  expect(unread).toBe(-1)
})

test('a source that fails fails its reader, and a reader that gives up ends the source', async () => {
  async function* failing() {
    yield randomBytes(1_000_000)
    throw new Error('the server ended')
  }
  await expect(digestOf(compressed(failing()))).rejects.toThrow('the server ended')
  let isEnded = false
  async function* endless() {
    try {
      for (;;) yield randomBytes(1_000_000)
    } finally {
      isEnded = true
    }
  }
  for await (const piece of compressed(endless())) {
    expect(piece.length).toBeGreaterThan(0)
    break
  }
  await expect.poll(() => isEnded).toBe(true)
})
