import { statfs } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'

import type { Config } from './config.ts'
import type { Parts } from './feature.ts'
import { nextBackupTime } from './instance-backup-config.ts'
import type { InstanceBackupRunner } from './features/instance/backups/runner.ts'
import { DamagedBackup } from './operator/backup/damaged-backup.ts'
import { makeBackup } from './operator/backup/make-backup.ts'
import { drillDirectory, removeLeftDrills } from './operator/backup/left-drills.ts'
import { factsOf } from './operator/backup/manifest-facts.ts'
import { openPlace } from './operator/backup/place.ts'
import { drillBackup } from './operator/backup/restore-backup.ts'
import { readManifest, removeOldBackups } from './operator/backup/stored-backups.ts'
import { locateRootKey, type RootKey, type RootKeySources } from './platform/crypto/root-key.ts'
import type { DataDirectory } from './platform/process.ts'
import { programPath } from './providers/databases/dumps.ts'

type Needs = Pick<Parts, 'outbound' | 'clock' | 'log'> & {
  config: RootKeySources & Pick<Config, 'databaseUrl' | 'instanceBackup' | 'backupMibPerSecond'>
}
type Storage = { rootKey: RootKey; dataDirectory: Pick<DataDirectory, 'machineId'>; version: string }

/** A restored copy takes as much as was copied, and the WAL that recovery writes. */
const roomFactor = 1.2

/** What the feature of the instance needs of the storage, with backups by the server itself. */
export function openInstanceBackups<S extends Storage>(needs: Needs, storage: S) {
  return { ...storage, backups: openRunner(needs, storage), nextBackupTime }
}

/** Undefined where no place is named. */
function openRunner(
  { config, outbound, clock, log }: Needs,
  { rootKey, dataDirectory: { machineId }, version }: Storage,
): InstanceBackupRunner | undefined {
  const { to, key } = config.instanceBackup
  if (to === undefined) return undefined
  // A database that Bey does not run is dumped and restored by the programs of PostgreSQL.
  const programs = { databaseUrl: config.databaseUrl, path: programPath() }
  const place = openPlace(to, {
    outbound,
    machineId,
    backup: config.instanceBackup,
    mibPerSecond: config.backupMibPerSecond,
  })
  return {
    place: place.plain.place,

    async backUp(signal) {
      const now = () => clock.now()
      const keyPlace = await locateRootKey(config)
      const wrappedRootKey = keyPlace.kind === 'service' ? keyPlace.wrapped : undefined
      const manifest = await makeBackup({
        dataDir: config.dataDir,
        ...programs,
        place,
        rootKey,
        wrappedRootKey,
        key,
        version,
        signal,
        now,
      })
      return factsOf(manifest)
    },

    async drill(id, signal) {
      const nothing = { rows: null, secrets: null }
      try {
        await removeLeftDrills(config.dataDir)
        const { manifest } = await readManifest(place.plain, id, signal)
        const needed = factsOf(manifest).copiedBytes * roomFactor
        const { bavail, bsize } = await statfs(config.dataDir)
        if (bavail * bsize < needed) {
          return {
            ...nothing,
            outcome: 'unchecked',
            problems: [`The disk of ${config.dataDir} has no room for a restored copy.`],
          }
        }
        const directory = drillDirectory(config.dataDir, randomUUID().slice(0, 8))
        const drilled = await drillBackup({
          place,
          id,
          rootKey,
          key,
          path: programs.path,
          directory,
          signal,
          log,
        })
        const { rows, secrets, problems } = drilled.verification
        return { rows, secrets, problems, outcome: problems.length === 0 ? 'proved' : 'failed' }
      } catch (error) {
        const problems = [error instanceof Error ? error.message : String(error)]
        return { ...nothing, problems, outcome: error instanceof DamagedBackup ? 'failed' : 'unchecked' }
      }
    },

    removeOld: (keep, locked) => removeOldBackups(place.plain, { keep, now: clock.now(), locked }),
  }
}
