import { useSyncExternalStore } from 'react'
import { readJson, storage, storageKeys } from '../lib/storage.ts'
import { useUser } from './session.ts'
import { useClientVersion } from './version.ts'

const listeners = new Set<() => void>()

/** Whether the changelog of the version on screen has not been opened yet by this user in this browser. */
export function useUnreadChangelog(): boolean {
  const userId = useUser()?.id
  const version = useClientVersion()?.version
  const seen = useSyncExternalStore(subscribe, () => seenBy(userId))
  return userId !== undefined && version !== undefined && seen !== version
}

/** Remembers that this user has seen what came with a version. */
export function markChangelogSeen(userId: number, version: string): void {
  if (seenBy(userId) === version) return
  storage.write('changelogSeen', JSON.stringify({ ...stored(), [userId]: version }))
  for (const listener of listeners) listener()
}

function seenBy(userId: number | undefined): string | undefined {
  const version = userId === undefined ? undefined : stored()[userId]
  return typeof version === 'string' ? version : undefined
}

// Several people may use one browser: versions by user id.
function stored(): Readonly<Record<string, unknown>> {
  const value = readJson(storage, 'changelogSeen')
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

// Other tabs receive a storage event.
function subscribe(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === null || event.key === storageKeys.changelogSeen) listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}
