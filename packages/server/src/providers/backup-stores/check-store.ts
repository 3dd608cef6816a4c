import { randomBytes, randomUUID } from 'node:crypto'

import type { ObjectStore } from '../../features/databases/backups/backup-store.ts'
import { BackupStoreProblem } from '../../platform/backups/backup-store-problem.ts'

/** Writes 1 KiB, reads it back, lists it and removes it. Throws BackupStoreProblem at the first that does not work. */
export async function checkStore(store: Omit<ObjectStore, 'check'>): Promise<void> {
  const key = `bey-check/${randomUUID()}`
  const written = randomBytes(1024)
  const signal = AbortSignal.timeout(30_000)
  await store.put(key, chunksOf(written), signal)
  try {
    const read: Uint8Array[] = []
    for await (const chunk of await store.get(key, signal)) read.push(chunk)
    if (!Buffer.concat(read).equals(written)) {
      throw new BackupStoreProblem(
        'changed',
        `What was written to ${store.place} is read back as something else.`,
      )
    }
    let isListed = false
    for await (const object of store.list(key)) isListed ||= object.key === key
    if (!isListed) {
      throw new BackupStoreProblem('denied', `${store.place} does not list what was written to it.`)
    }
  } finally {
    await store.remove(key)
  }
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
