import { randomBytes } from 'node:crypto'

import type { ObjectKeys } from '../../features/databases/backup-targets/backup-places.ts'
import type { BackupStore, ObjectStore } from '../../features/databases/backups/backup-store.ts'
import { BackupStoreProblem } from '../../platform/backups/backup-store-problem.ts'
import { SealError } from '../../platform/crypto/sealed-box.ts'
import { checkStore } from './check-store.ts'
import { decryptFrames, FrameError } from './frames.ts'
import { sealStream } from './seal-stream.ts'

const magic = Buffer.from('BEYBKUP1')
const maxWrappedBytes = 1024

/**
 * Encrypts what another store keeps. Each object has a data key of its own, wrapped by the organization's, and both are
 * bound to the key of the object: one that was renamed or comes from another organization does not open. Layout: magic
 * and version (8 bytes), length of the wrapped key (2), the wrapped key, frames.
 */
export function encryptedStore(inner: ObjectStore, keys: ObjectKeys): BackupStore {
  const store: Omit<BackupStore, 'check'> = {
    place: inner.place,

    async put(key, source, signal) {
      const dataKey = randomBytes(32)
      const header = headerOf(await keys.wrap(dataKey, contextOf(key)))
      const { bytes, result } = sealStream(dataKey, associatedOf(header, key), source)
      async function* encrypted() {
        yield header
        yield* bytes
      }
      const { storedBytes } = await inner.put(key, encrypted(), signal)
      return { ...result(), storedBytes }
    },

    async get(key, signal) {
      const source = (await inner.get(key, signal))[Symbol.asyncIterator]()
      try {
        const { header, wrapped, rest } = await readHeader(source)
        const dataKey = await keys.unwrap(wrapped, contextOf(key))
        return explained(decryptFrames(dataKey, associatedOf(header, key), rest), inner.place, key)
      } catch (error) {
        await source.return?.()
        throw problemOf(error, inner.place, key)
      }
    },

    list: (prefix) => inner.list(prefix),
    remove: (key) => inner.remove(key),
  }
  return { ...store, check: () => checkStore(store) }
}

const contextOf = (key: string) => `backup-object:${key}`
const associatedOf = (header: Buffer, key: string) => Buffer.concat([header, Buffer.from(key)])

function headerOf(wrapped: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(wrapped.length)
  return Buffer.concat([magic, length, wrapped])
}

/** Reads the header of an object; `rest` is what follows it. Throws FrameError where it is none. */
async function readHeader(source: AsyncIterator<Uint8Array>) {
  let bytes = Buffer.alloc(0)
  const until = async (length: number) => {
    while (bytes.length < length) {
      // oxlint-disable-next-line no-await-in-loop -- one chunk after the other
      const { done, value } = await source.next()
      if (done) throw new FrameError()
      bytes = Buffer.concat([bytes, value])
    }
  }
  await until(magic.length + 2)
  if (!bytes.subarray(0, magic.length).equals(magic)) throw new FrameError()
  const end = magic.length + 2 + bytes.readUInt16BE(magic.length)
  if (end > magic.length + 2 + maxWrappedBytes) throw new FrameError()
  await until(end)
  async function* rest(): AsyncGenerator<Uint8Array> {
    try {
      if (bytes.length > end) yield bytes.subarray(end)
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- one chunk after the other
        const { done, value } = await source.next()
        if (done) return
        yield value
      }
    } finally {
      // Whoever stops reading ends the request or closes the file.
      await source.return?.()
    }
  }
  return { header: bytes.subarray(0, end), wrapped: bytes.subarray(magic.length + 2, end), rest: rest() }
}

async function* explained(source: AsyncIterable<Uint8Array>, place: string, key: string) {
  try {
    yield* source
  } catch (error) {
    throw problemOf(error, place, key)
  }
}

function problemOf(error: unknown, place: string, key: string): unknown {
  if (error instanceof SealError) {
    return new BackupStoreProblem(
      'changed',
      `${key} in ${place} does not open with the key of this organization: it was changed, renamed, or belongs to another one.`,
      { cause: error },
    )
  }
  if (!(error instanceof FrameError)) return error
  return new BackupStoreProblem(
    'changed',
    `${key} in ${place} is not what was stored there: it was changed or is incomplete.`,
    { cause: error },
  )
}
