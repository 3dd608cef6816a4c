import { randomUUID } from 'node:crypto'
import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'

import type pg from 'pg'

import { type RootKey, fingerprintOf } from '../../platform/crypto/root-key.ts'
import { formatWrappedKey, type WrappedKey } from '../../platform/crypto/wrapped-key.ts'
import { ConfigError } from '../../platform/errors.ts'
import { manifestKey, newBackupId } from './backup-id.ts'
import { backUpCluster } from './cluster-parts.ts'
import { describeDatabase } from './describe-database.ts'
import { directoryTar } from './directory-tar.ts'
import { dumpDatabase } from './dump-database.ts'
import { type Manifest, manifestFormat, writeManifest } from './manifest.ts'
import { partWriter } from './part-writer.ts'
import type { BackupPlace } from './place.ts'
import { openSnapshot } from './row-counts.ts'
import { findRunningCluster, type RunningCluster } from './running-cluster.ts'

export type MakeBackup = {
  dataDir: string
  /** Of a database that Bey does not run, which is dumped; undefined: the embedded one is copied. */
  databaseUrl?: string | undefined
  /** Where pg_dump is looked for; needed for a dump. */
  path?: string | undefined
  place: BackupPlace
  rootKey: Pick<RootKey, 'key' | 'fingerprint'>
  /** Undefined where no key service opens it. */
  wrappedRootKey?: WrappedKey | undefined
  /** Encrypts the parts; undefined: the root key does. */
  key: Buffer | undefined
  version: string
  signal: AbortSignal
  now(): Date
}

/** Small files of the data directory that belong to the instance. The root key is never among them. */
const kept = ['machine-id', 'postgres.password']

const excluded: Manifest['excluded'] = [
  { what: 'the root key', why: 'Whoever has the backup must not have its key. Keep it elsewhere.' },
  {
    what: 'backups of databases (BEY_BACKUP_DIR and buckets)',
    why: 'They are copies already, and their place is not the data directory. Back their directory up as files.',
  },
  { what: 'mail-outbox.txt', why: 'It holds links to reset passwords, which expire.' },
  { what: 'logs of the servers, and locks', why: 'They belong to running processes.' },
]

/**
 * Backs an instance up whose database runs, while everything goes on: its database, the databases and sandboxes on its machine.
 * The manifest is written last, so a backup that was broken off is none. Throws ConfigError and BackupStoreProblem.
 */
export async function makeBackup(options: MakeBackup): Promise<Manifest> {
  const { dataDir, place, rootKey, wrappedRootKey, version, signal, now } = options
  const key = options.key ?? rootKey.key
  const startedAt = now()
  const id = newBackupId(startedAt)
  const writer = partWriter(place.encrypted(key), id, signal)
  const { databaseUrl } = options
  const cluster = databaseUrl === undefined ? await findRunningCluster(dataDir) : undefined
  if (databaseUrl === undefined && cluster === undefined) {
    throw new ConfigError(`No database runs in ${dataDir}.`)
  }
  const ofBey =
    cluster === undefined ? { connectionString: databaseUrl } : { ...cluster.connection, database: 'bey' }
  const { migrations, fingerprint } = await describeDatabase(ofBey)
  if (fingerprint !== undefined && fingerprint !== rootKey.fingerprint) {
    throw new ConfigError(
      `The root key ${rootKey.fingerprint} does not belong to this database, which needs ${fingerprint}. A backup would name the wrong key.`,
    )
  }
  const counting = momentCounts(ofBey, cluster !== undefined)
  try {
    const { rows, ...facts } =
      cluster === undefined
        ? await dumpDatabase(databaseUrl ?? '', options.path, signal, (source) =>
            writer.write('database-dump', source),
          )
        : await copyFiles(cluster)
    for (const name of await directoriesIn(join(dataDir, 'databases'))) {
      await backUpDatabase(join(dataDir, 'databases', name), name)
    }
    const sandboxes = await directoriesIn(join(dataDir, 'sandboxes'))
    const paths = sandboxes.map((name) => `sandboxes/${name}`)
    await writer.write('sandboxes', directoryTar({ root: dataDir, paths }))
    await writer.write('files', directoryTar({ root: dataDir, paths: await existing(dataDir, kept) }))
    const manifest: Manifest = {
      format: manifestFormat,
      id,
      kind: cluster === undefined ? 'dump' : 'files',
      startedAt: startedAt.toISOString(),
      consistentAt: facts.consistentAt.toISOString(),
      finishedAt: now().toISOString(),
      version,
      postgresVersion: facts.version,
      migrations,
      rootKeyFingerprint: rootKey.fingerprint,
      ...(wrappedRootKey?.fingerprint === rootKey.fingerprint && {
        wrappedRootKey: formatWrappedKey(wrappedRootKey),
      }),
      encryptionKeyFingerprint: fingerprintOf(key),
      dataDir,
      rows,
      parts: writer.parts,
      excluded,
    }
    await place.plain.put(manifestKey(id), once(writeManifest(manifest, key)), signal)
    return manifest
  } catch (error) {
    for (const { object } of writer.parts) await place.plain.remove(object).catch(() => undefined)
    throw error
  } finally {
    await counting.close()
  }

  async function copyFiles(running: RunningCluster) {
    const facts = await backUpCluster(
      running,
      { label: id, signal, onMoment: counting },
      {
        files: (source) => writer.write('database', source),
        wal: (source) => writer.write('database-wal', source),
      },
    )
    return { ...facts, rows: await counting.rows() }
  }

  async function backUpDatabase(directory: string, name: string): Promise<void> {
    const files = await existing(directory, await filesIn(directory))
    await writer.write(`database-${name}-directory`, directoryTar({ root: directory, paths: files }))
    const running = await findRunningCluster(directory)
    if (running !== undefined) {
      await backUpCluster(
        running,
        { label: `${id}-${randomUUID().slice(0, 8)}`, signal },
        {
          files: (source) => writer.write(`database-${name}`, source),
          wal: (source) => writer.write(`database-${name}-wal`, source),
        },
      )
      return
    }
    const clusterDir = await realpath(join(directory, 'postgres')).catch(() => undefined)
    // Reserved and never started.
    if (clusterDir === undefined) return
    const paths = (await readdir(clusterDir)).filter((each) => !each.startsWith('postmaster.'))
    await writer.write(`database-${name}`, directoryTar({ root: clusterDir, paths }))
    if ((await findRunningCluster(directory)) === undefined) return
    throw new ConfigError(`The database ${name} was started while its files were copied. Back up again.`)
  }
}

/** Snapshots around the moment of a backup, whose rows are counted when the moment is over. */
function momentCounts(connection: pg.ClientConfig, isHere: boolean) {
  const taken: Awaited<ReturnType<typeof openSnapshot>>[] = []
  const take = async () => void taken.push(await openSnapshot(connection, isHere))
  return {
    before: take,
    after: take,
    async rows(): Promise<Manifest['rows']> {
      const counts = []
      for (const each of taken) counts.push(await each.count())
      const [before, after] = counts
      if (before === undefined || after === undefined) throw new Error('The rows were not counted')
      const names = new Set([...Object.keys(before), ...Object.keys(after)])
      return Object.fromEntries(
        [...names].toSorted().map((name) => [name, [before[name] ?? 0, after[name] ?? 0]]),
      )
    },
    close: () => Promise.all(taken.map((each) => each.close())),
  }
}

const entriesOf = (directory: string) =>
  readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })

async function directoriesIn(directory: string): Promise<string[]> {
  return (await entriesOf(directory))
    .filter((each) => each.isDirectory() && !each.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted()
}

async function filesIn(directory: string): Promise<string[]> {
  return (await entriesOf(directory))
    .filter((each) => each.isFile() && !each.name.endsWith('.log'))
    .map(({ name }) => name)
    .toSorted()
}

async function existing(root: string, names: readonly string[]): Promise<string[]> {
  const found = new Set((await entriesOf(root)).map(({ name }) => name))
  return names.filter((name) => found.has(name))
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
