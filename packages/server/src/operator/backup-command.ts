import { parseArgs } from 'node:util'

import { repositoryDir, consoleDir } from '../built-files.ts'
import { readBuild } from '../features/status/build.ts'
import { ConfigError } from '../platform/errors.ts'
import { lowerProcess } from '../platform/low-priority.ts'
import { createAddressGuard } from '../platform/outbound/address-guard.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import { formatBytes } from './format-bytes.ts'
import { makeBackup } from './backup/make-backup.ts'
import type { Manifest } from './backup/manifest.ts'
import { factsOf } from './backup/manifest-facts.ts'
import { openPlace } from './backup/place.ts'
import { recordBackup } from './backup/record-backup.ts'
import { findRunningCluster } from './backup/running-cluster.ts'
import type { OperatorCall } from './operator-call.ts'
import { readRootKey } from './read-root-key.ts'
import { withEmbeddedDatabase } from './with-database.ts'

export const backupUsage = `bey backup [--to <directory or s3://bucket/prefix>] [--json]

Backs this Bey up, while it runs or not: its database, the databases and sandboxes of its machine, encrypted with the root key
or BEY_BACKUP_KEY. Without --to the place is that of BEY_BACKUP_TO. The root key is never inside: keep it elsewhere.`

/** Makes a backup; answers the exit code. */
export async function backupCommand({ args, config, log, out, note, path, signal, now }: OperatorCall) {
  const { values } = parseArgs({ args, options: { to: { type: 'string' }, json: { type: 'boolean' } } })
  const to = values.to ?? config.instanceBackup.to
  if (to === undefined)
    throw new ConfigError('Say where to: --to <directory or s3://bucket/prefix>, or BEY_BACKUP_TO.')
  const place = openPlace(to, {
    backup: config.instanceBackup,
    mibPerSecond: config.backupMibPerSecond,
    outbound: createOutbound(createAddressGuard(config.outbound)),
    machineId: 'operator',
  })
  const { rootKey, place: keyPlace } = await readRootKey(config)
  const wrappedRootKey = keyPlace.kind === 'service' ? keyPlace.wrapped : undefined
  const { version } = await readBuild(repositoryDir, consoleDir)
  // The server and its database go first.
  lowerProcess()
  const beganMs = performance.now()
  const { dataDir, databaseUrl } = config
  const { key } = config.instanceBackup
  const make = async () => {
    const sealing = { rootKey, wrappedRootKey, key }
    const options = { dataDir, databaseUrl, path, place, ...sealing, version, signal, now }
    const made = await makeBackup(options)
    const cluster = databaseUrl === undefined ? await findRunningCluster(dataDir) : undefined
    const connection =
      databaseUrl === undefined
        ? { ...cluster?.connection, database: 'bey' }
        : { connectionString: databaseUrl }
    await recordBackup(connection, {
      ...factsOf(made),
      place: place.plain.place,
      startedAt: new Date(made.startedAt),
      finishedAt: new Date(made.finishedAt),
    })
    return made
  }
  const manifest = await (databaseUrl === undefined
    ? withEmbeddedDatabase(config, 'bey backup', log, make)
    : make())
  if (values.json === true) out(`${JSON.stringify(manifest, null, 2)}\n`)
  else note(describe(manifest, place.plain.place, (performance.now() - beganMs) / 1000))
  return 0
}

function describe(manifest: Manifest, where: string, seconds: number): string {
  const { id, parts, rows, rootKeyFingerprint, encryptionKeyFingerprint, excluded } = manifest
  const { copiedBytes, storedBytes, rowCount } = factsOf(manifest)
  const lines = [
    `Backed up as ${id} in ${where}.`,
    `  ${formatBytes(copiedBytes)} copied in ${seconds.toFixed(1)} s, ${formatBytes(storedBytes)} stored, ${parts.length} parts.`,
    `  ${Object.keys(rows).length} tables with ${rowCount} rows.`,
    `  Restoring it needs the root key ${rootKeyFingerprint}.`,
    ...(encryptionKeyFingerprint === rootKeyFingerprint
      ? []
      : [`  Opening it needs the key of BEY_BACKUP_KEY, ${encryptionKeyFingerprint}.`]),
    `  Not inside: ${excluded.map(({ what }) => what).join('; ')}.`,
  ]
  return `${lines.join('\n')}\n`
}
