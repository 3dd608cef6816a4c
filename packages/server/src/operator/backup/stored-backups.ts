import type { BackupStore, ObjectStore } from '../../features/databases/backups/backup-store.ts'
import { BackupStoreProblem } from '../../platform/backups/backup-store-problem.ts'
import { ConfigError } from '../../platform/errors.ts'
import { DamagedBackup } from './damaged-backup.ts'
import { isBackupId, manifestKey } from './backup-id.ts'
import { parseManifest } from './manifest.ts'

type Place = Pick<ObjectStore, 'list' | 'get' | 'remove' | 'place'>

/** Of a backup that was broken off nothing is written any more after so long. */
const abandonedAfterMs = 24 * 3_600_000

/** The ids of complete backups, the oldest first. */
export async function listBackupIds(place: Place): Promise<string[]> {
  const ids: string[] = []
  for await (const { key } of place.list('bey-')) {
    const [id = '', name] = key.split('/')
    if (isBackupId(id) && name === 'manifest.json') ids.push(id)
  }
  return ids.toSorted()
}

/** The manifest of a backup, of the newest where none is named. Throws ConfigError where there is none. */
export async function readManifest(place: Place, id: string | undefined, signal: AbortSignal) {
  const wanted = id ?? (await listBackupIds(place)).at(-1)
  if (wanted === undefined) throw new ConfigError(`There is no backup of Bey in ${place.place}.`)
  const pieces: Uint8Array[] = []
  try {
    for await (const piece of await place.get(manifestKey(wanted), signal)) pieces.push(piece)
  } catch (error) {
    if (!(error instanceof BackupStoreProblem) || error.kind !== 'absent') throw error
    throw new ConfigError(`${place.place} has no complete backup ${wanted}.`, { cause: error })
  }
  return parseManifest(Buffer.concat(pieces), wanted)
}

/** Removes a backup, its manifest first: what is left of it, when this is broken off, is no backup. */
async function removeBackup(place: Place, id: string): Promise<void> {
  const keys: string[] = []
  for await (const { key } of place.list(`${id}/`)) keys.push(key)
  await place.remove(manifestKey(id))
  for (const key of keys) await place.remove(key)
}

/**
 * Removes the oldest backups beyond `keep`, and what broken off ones left a day ago. Never one of `locked`. Answers the ids of
 * the backups that were removed.
 */
export async function removeOldBackups(
  place: Place,
  { keep, now, locked }: { keep: number; now: Date; locked: readonly string[] },
): Promise<string[]> {
  const complete = await listBackupIds(place)
  const old = complete.slice(0, Math.max(0, complete.length - keep)).filter((id) => !locked.includes(id))
  for (const id of old) await removeBackup(place, id)
  const leftovers: string[] = []
  const known = new Set(complete)
  for await (const { key, modifiedAt } of place.list('bey-')) {
    const [id = ''] = key.split('/')
    const ageMs = now.getTime() - modifiedAt.getTime()
    if (isBackupId(id) && !known.has(id) && ageMs > abandonedAfterMs) leftovers.push(key)
  }
  for (const key of leftovers) await place.remove(key)
  return old
}

/** Reads a part to its end. Throws DamagedBackup naming the part where it is not what was stored. */
export async function* readPart(
  store: Pick<BackupStore, 'get'>,
  id: string,
  part: { name: string; object: string },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* await store.get(part.object, signal)
  } catch (error) {
    if (!(error instanceof BackupStoreProblem) || !['changed', 'absent'].includes(error.kind)) throw error
    const what = error.kind === 'absent' ? 'is missing' : 'is damaged: it was changed or is incomplete'
    throw new DamagedBackup(`The part "${part.name}" of the backup ${id} ${what}. Restore another backup.`, {
      cause: error,
    })
  }
}
