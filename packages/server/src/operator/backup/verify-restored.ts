import pg from 'pg'

import { openAllValues } from '../../features/secrets/open-all.ts'
import { createDataKeys } from '../../platform/crypto/data-keys.ts'
import { checkRootKey, type RootKey } from '../../platform/crypto/root-key.ts'
import { startEmbedded } from '../../platform/db/embedded/supervisor.ts'
import { openDatabase } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Manifest } from './manifest.ts'
import { countRows, differences, sumOf } from './row-counts.ts'
import { findRunningCluster } from './running-cluster.ts'

/** What a restored instance was compared with. `problems`: sentences; empty where it is what was backed up. */
export type Verification = {
  tables: number
  rows: number
  /** Values of secrets that opened with the root key. */
  secrets: number
  problems: string[]
}

type Options = {
  dataDir: string
  /** Of a database that Bey does not run; undefined: the embedded one of the directory. */
  databaseUrl?: string | undefined
  manifest: Pick<Manifest, 'rows' | 'dataDir'>
  rootKey: RootKey
  isDurable: boolean
  log: Log
  /** Where the data will be, if elsewhere than where the backup was made: paths are changed to it. */
  moveTo?: string
}

/**
 * Starts the database of a restored instance, compares the rows of each table with those of the backup, opens every secret with
 * the root key, and stops it. The database is migrated in between, as at the start of a server. Throws ConfigError for a
 * wrong root key.
 */
export async function verifyRestored(options: Options): Promise<Verification> {
  const { dataDir, databaseUrl, isDurable, log } = options
  if (databaseUrl !== undefined) {
    return verifyDatabase(databaseUrl, { connectionString: databaseUrl }, options)
  }
  const embedded = await startEmbedded({ dataDir, isDurable }, log)
  try {
    const cluster = await findRunningCluster(dataDir)
    if (cluster === undefined) throw new Error('The restored database does not run')
    return await verifyDatabase(embedded.url, { ...cluster.connection, database: 'bey' }, options)
  } finally {
    await embedded.stop()
  }
}

/** The same for a database that runs already, whose rows `counted` reads. */
export async function verifyDatabase(
  url: string,
  counted: pg.ClientConfig,
  { dataDir, manifest, rootKey, log, moveTo, isMove }: Omit<Options, 'isDurable'> & { isMove?: boolean },
): Promise<Verification> {
  const counts = await countRows(counted)
  const problems = differences(manifest.rows, counts)
  if (moveTo !== undefined && moveTo !== manifest.dataDir)
    await moveDirectories(url, manifest.dataDir, moveTo)
  const database = await openDatabase({ url, dataDir, isMove }, log)
  try {
    await checkRootKey(database, rootKey)
    const dataKeys = createDataKeys(rootKey)
    let secrets = 0
    for (const id of await organizationIds(url)) {
      const { opened, failed } = await openAllValues({ database, dataKeys }, id)
      secrets += opened
      for (const { name, version } of failed) {
        problems.push(`The secret "${name}", version ${version}, of organization ${id} does not open.`)
      }
    }
    return { tables: Object.keys(counts).length, rows: sumOf(counts), secrets, problems }
  } finally {
    await database.close()
  }
}

/** Tables with directories of this machine, which are kept with their whole path. */
const withDirectories = ['databases', 'database_restores', 'cluster_connections']

async function moveDirectories(url: string, from: string, to: string): Promise<void> {
  await withClient(url, async (client) => {
    for (const table of withDirectories) {
      await client.query(
        `update ${table} set dir = $2 || substr(dir, length($1) + 1) where starts_with(dir, $1)`,
        [`${from}/`, `${to}/`],
      )
    }
  })
}

async function organizationIds(url: string): Promise<number[]> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ id: number }>('select id from organizations order by id'),
  )
  return rows.map(({ id }) => id)
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
