import type { ObjectStore } from '../../../features/databases/backups/backup-store.ts'

export const never = new AbortController().signal

export async function* inChunks(bytes: Uint8Array, chunkBytes = 10_007): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += chunkBytes) yield bytes.subarray(from, from + chunkBytes)
}

export async function readAll(store: ObjectStore, key: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await store.get(key, never)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export async function keysOf(store: ObjectStore, prefix = ''): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list(prefix)) keys.push(key)
  return keys
}
