import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { directoryStore } from './directory-store.ts'
import { encryptedStore } from './encrypted-store.ts'
import { organizationKey } from './testing/organization-key.ts'
import { inChunks, never, readAll } from './testing/stored-bytes.ts'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import { throttledStore } from './throttled-store.ts'

const encrypted = () => encryptedStore(directoryStore(temporaryDirectory(), 'machine'), organizationKey())

test('100 kB at 10 kB a second take 10 s, and what is read is not slowed down', async () => {
  let nowMs = 0
  const store = throttledStore(encrypted(), {
    bytesPerSecond: 10_000,
    clock: { monotonicMs: () => nowMs },
    wait: async (ms) => void (nowMs += ms),
  })
  const bytes = randomBytes(100_000)
  await store.put('a', inChunks(bytes, 7_000), never)
  expect(nowMs).toBeCloseTo(10_000, 0)
  expect((await readAll(store, 'a')).equals(bytes)).toBe(true)
  expect(nowMs).toBeCloseTo(10_000, 0)
})

test('a wait ends when the upload is broken off', async () => {
  const abort = new AbortController()
  const store = throttledStore(encrypted(), { bytesPerSecond: 1 })
  const stored = store.put('a', inChunks(randomBytes(100)), abort.signal)
  abort.abort(new Error('cancelled'))
  await expect(stored).rejects.toThrow('cancelled')
})
