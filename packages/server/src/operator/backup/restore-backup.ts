import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import {
  fingerprintOf,
  keyFileName,
  type RootKey,
  type RootKeyPlace,
} from '../../platform/crypto/root-key.ts'
import { wrappedFileName, writeKeyText, writeWrappedFile } from '../../platform/crypto/wrapped-key.ts'
import { knownMigrations } from '../../platform/db/migrate.ts'
import { ConfigError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { type Manifest, verifyManifest } from './manifest.ts'
import type { BackupPlace } from './place.ts'
import { startEmbedded } from '../../platform/db/embedded/supervisor.ts'
import { restoreCluster } from './restore-cluster.ts'
import { restoreDump } from './restore-dump.ts'
import { readManifest } from './stored-backups.ts'
import { openParts } from './unpack.ts'
import { type Verification, verifyRestored } from './verify-restored.ts'

type Keys = {
  rootKey: RootKey
  /** Of BEY_BACKUP_KEY; undefined: the parts are encrypted with the root key. */
  key: Buffer | undefined
}

export type RestoreBackup = Keys & {
  place: BackupPlace
  /** Undefined: the newest of the place. */
  id: string | undefined
  /** Its absolute path. Empty, but for the key file. */
  into: string
  isDurable?: boolean
  /** An empty database for a dump; it is where the server will find it. */
  databaseUrl?: string | undefined
  /** Where pg_restore is looked for; needed for a dump. */
  path?: string | undefined
  signal: AbortSignal
  log: Log
}

/** What may be in the directory that is restored into: the operator puts the root key there first. */
const allowed = [keyFileName, wrappedFileName, 'lost+found']
const stagingName = '.restoring'

/**
 * Restores an instance into an empty directory of data and compares it with the manifest. What is made becomes visible when all
 * of it is there: until then it is in `.restoring`. Throws ConfigError for a directory that is not empty, another root key, a
 * damaged part, and a backup of a newer Bey.
 */
export async function restoreBackup(
  options: RestoreBackup,
): Promise<{ manifest: Manifest; verification: Verification }> {
  const { place, id, into, rootKey, databaseUrl, path, signal, log, isDurable = true } = options
  await requireEmpty(into)
  const { manifest, parts } = await openBackup(options, id)
  requireDatabase(manifest, databaseUrl)
  const staging = join(into, stagingName)
  await mkdir(staging, { recursive: true, mode: 0o755 })
  try {
    await parts.unpack('files', staging)
    if (manifest.kind === 'dump') await restoreDump(databaseUrl ?? '', path, dumpIn(manifest, parts))
    else await restoreCluster({ parts, name: 'database', directory: staging, signal, isDurable })
    for (const name of databasesOf(manifest)) {
      const directory = join(staging, 'databases', name)
      // Else the account of its server cannot pass, and its files go elsewhere.
      await mkdir(directory, { recursive: true, mode: 0o755 })
      await parts.unpack(`database-${name}-directory`, directory)
      if (parts.find(`database-${name}`) === undefined) continue
      await restoreCluster({ parts, name: `database-${name}`, directory, signal, isDurable })
    }
    await parts.unpack('sandboxes', staging)
    const verification = await verifyRestored({
      dataDir: staging,
      databaseUrl,
      manifest,
      rootKey,
      isDurable,
      log,
      moveTo: into,
    })
    await showRestored(staging, into)
    return { manifest, verification }
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    throw error
  }

  async function requireEmpty(directory: string): Promise<void> {
    const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    const found = names.filter((name) => !allowed.includes(name))
    if (found.length === 0) return
    throw new ConfigError(
      `${directory} is not empty: it has ${found.slice(0, 3).join(', ')}${found.length > 3 ? ' …' : ''}. Restore ${place.plain.place} into an empty directory.`,
    )
  }
}

/** Restores a backup into a directory of its own, compares it with the manifest, and removes it again. */
export async function drillBackup(
  options: Omit<RestoreBackup, 'into'> & { directory: string },
): Promise<{ manifest: Manifest; verification: Verification }> {
  const { id, rootKey, signal, log, directory } = options
  const { manifest, parts } = await openBackup(options, id)
  await mkdir(directory, { recursive: true, mode: 0o755 })
  try {
    await parts.unpack('files', directory)
    if (manifest.kind === 'dump') await restoreIntoEmbedded()
    else await restoreCluster({ parts, name: 'database', directory, signal, isDurable: false })
    const verification = await verifyRestored({
      dataDir: directory,
      manifest,
      rootKey,
      isDurable: false,
      log,
    })
    const restored = new Set(['files', 'database', 'database-wal', 'database-dump'])
    for (const part of manifest.parts) if (!restored.has(part.name)) await parts.check(part)
    return { manifest, verification }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }

  async function restoreIntoEmbedded(): Promise<void> {
    const embedded = await startEmbedded({ dataDir: directory, isDurable: false }, log)
    try {
      await restoreDump(embedded.url, options.path, dumpIn(manifest, parts))
    } finally {
      await embedded.stop()
    }
  }
}

function dumpIn({ postgresVersion }: Manifest, parts: ReturnType<typeof openParts>) {
  return { dumpedVersion: postgresVersion, read: () => parts.read('database-dump') }
}

/** A dump needs a database to be restored into, and files need the embedded one. Throws ConfigError. */
function requireDatabase({ id, kind }: Manifest, databaseUrl: string | undefined): void {
  if (kind === 'dump' && databaseUrl === undefined) {
    throw new ConfigError(
      `The backup ${id} is of a database that Bey did not run. Set DATABASE_URL to an empty database to restore it into.`,
    )
  }
  if (kind === 'files' && databaseUrl !== undefined) {
    throw new ConfigError(
      `The backup ${id} is of the embedded database, which is restored without DATABASE_URL. Unset it.`,
    )
  }
}

/** The manifest of a backup, verified, and its parts. Throws ConfigError where this Bey or these keys cannot restore it. */
async function openBackup(
  { place, rootKey, key, signal }: Keys & Pick<RestoreBackup, 'place' | 'signal'>,
  id: string | undefined,
) {
  const found = await readManifest(place.plain, id, signal)
  const { manifest } = found
  requireKey(manifest.id, 'root key', manifest.rootKeyFingerprint, rootKey.fingerprint, 'BEY_SECRET_KEY')
  const opening = manifest.encryptionKeyFingerprint === rootKey.fingerprint ? rootKey.key : key
  const other = opening === undefined ? 'none' : fingerprintOf(opening)
  requireKey(manifest.id, 'key', manifest.encryptionKeyFingerprint, other, 'BEY_BACKUP_KEY')
  verifyManifest(found, opening ?? rootKey.key)
  const known = await knownMigrations()
  const unknown = manifest.migrations.filter((time) => time > Math.max(...known)).length
  if (unknown > 0) {
    throw new ConfigError(
      `The backup ${manifest.id} was made by Bey ${manifest.version}, which is newer: it has ${unknown} migrations that this one does not know. Restore it with that version.`,
    )
  }
  const store = place.encrypted(opening ?? rootKey.key)
  return { manifest, parts: openParts({ store, manifest, signal }) }
}

function requireKey(id: string, what: string, needed: string, given: string, setting: string): void {
  if (needed === given) return
  throw new ConfigError(
    `The backup ${id} needs the ${what} with the fingerprint ${needed}, and was given ${given}. Set ${setting} to that key.`,
  )
}

function databasesOf(manifest: Manifest): string[] {
  return manifest.parts.flatMap(({ name }) => /^database-(.+)-directory$/.exec(name)?.[1] ?? [])
}

/** The database comes last: a directory without it is not taken for a restored one. */
async function showRestored(staging: string, into: string): Promise<void> {
  const names = await readdir(staging)
  for (const name of names.toSorted(
    (one, other) => Number(one === 'postgres') - Number(other === 'postgres'),
  )) {
    await rename(join(staging, name), join(into, name))
  }
  await rm(staging, { recursive: true })
}

/** Writes the root key into the data directory, where a server finds it, as it was found: a wrapped one stays wrapped. */
export async function keepRootKey(into: string, place: RootKeyPlace): Promise<void> {
  if (place.kind === 'file') await writeKeyText(join(into, keyFileName), place.key.toString('base64'), true)
  if (place.kind === 'service' && place.isInFile)
    await writeWrappedFile(join(into, wrappedFileName), place.wrapped, true)
}
