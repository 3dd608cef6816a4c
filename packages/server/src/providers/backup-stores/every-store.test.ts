import { randomBytes } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import type { ObjectStore } from '../../features/databases/backups/backup-store.ts'
import { directoryStore } from './directory-store.ts'
import { encryptedStore } from './encrypted-store.ts'
import { s3Store } from './s3-store.ts'
import { anyOutbound, objectStore } from '../../testing/object-store.ts'
import { organizationKey } from './testing/organization-key.ts'
import { inChunks, keysOf, never, readAll } from './testing/stored-bytes.ts'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'

const directory = () => directoryStore(temporaryDirectory(), 'machine')
const bucket = async () => s3Store((await objectStore()).place, anyOutbound)

const stores: [string, () => ObjectStore | Promise<ObjectStore>][] = [
  ['a directory', directory],
  ['a bucket', bucket],
  ['an encrypted directory', () => encryptedStore(directory(), organizationKey())],
  ['an encrypted bucket', async () => encryptedStore(await bucket(), organizationKey())],
]

describe.each(stores)('%s', (_name, open) => {
  test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 300_001])(
    'gives %i bytes back as they were',
    async (length) => {
      const store = await open()
      const bytes = randomBytes(length)
      const { storedBytes } = await store.put('a/b', inChunks(bytes), never)
      expect((await readAll(store, 'a/b')).equals(bytes)).toBe(true)
      const stored = []
      for await (const object of store.list('')) stored.push([object.key, object.sizeBytes])
      expect(stored).toEqual([['a/b', storedBytes]])
    },
  )

  test('lists by the beginning of keys, replaces, and removes what is there or not', async () => {
    const store = await open()
    for (const key of ['d/1/base', 'd/1/wal/0001', 'd/1/wal/0002', 'd/10/base', 'e']) {
      // oxlint-disable-next-line no-await-in-loop -- a few small objects
      await store.put(key, inChunks(Buffer.from(key)), never)
    }
    expect(await keysOf(store, 'd/1/')).toEqual(['d/1/base', 'd/1/wal/0001', 'd/1/wal/0002'])
    expect(await keysOf(store, 'd/1/wal/0002')).toEqual(['d/1/wal/0002'])
    expect((await keysOf(store, 'd/1')).toSorted()).toHaveLength(4)
    expect(await keysOf(store, 'nothing/')).toEqual([])

    await store.put('e', inChunks(Buffer.from('another')), never)
    expect(String(await readAll(store, 'e'))).toBe('another')
    await store.remove('e')
    await store.remove('e')
    await expect(readAll(store, 'e')).rejects.toThrow(/has no e: it was removed or never stored\.$/)
  })

  test('keeps the object before, and nothing of the new one, when the source fails or it is broken off', async () => {
    const store = await open()
    await store.put('kept', inChunks(Buffer.from('before')), never)
    async function* failing() {
      yield randomBytes(100_000)
      throw new Error('the server of the database ended')
    }
    await expect(store.put('kept', failing(), never)).rejects.toThrow('the server of the database ended')
    await expect(store.put('new', failing(), never)).rejects.toThrow('the server of the database ended')

    const abort = new AbortController()
    async function* endless() {
      yield randomBytes(100_000)
      abort.abort(new Error('cancelled'))
      yield randomBytes(100_000)
    }
    await expect(store.put('kept', endless(), abort.signal)).rejects.toThrow('cancelled')
    expect(String(await readAll(store, 'kept'))).toBe('before')
    expect(await keysOf(store)).toEqual(['kept'])
  })

  test('passes its check and leaves nothing behind', async () => {
    const store = await open()
    await store.check()
    expect(await keysOf(store)).toEqual([])
  })

  test.each(['../a', 'a/../../b', '/a', 'a//b', 'a/', '.hidden', 'a\0b', 'a b', 'é', ''])(
    'takes no key %j',
    async (key) => {
      const store = await open()
      await expect(store.put(key, inChunks(Buffer.from('x')), never)).rejects.toThrow(
        'cannot be the key of a backup',
      )
      await expect(store.get(key, never)).rejects.toThrow('cannot be the key of a backup')
      await expect(store.remove(key)).rejects.toThrow('cannot be the key of a backup')
    },
  )
})
