import { randomBytes } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, expect, test } from 'vitest'

import { createDataKeys } from '../../platform/crypto/data-keys.ts'
import { checkRootKey, fingerprintOf } from '../../platform/crypto/root-key.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { createLog } from '../../platform/log.ts'
import { debianPostgres, startDebianPostgres } from '../../testing/debian-postgres.ts'
import { createGiven } from '../../testing/given.ts'
import { anyOutbound } from '../../testing/object-store.ts'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import { makeBackup } from './make-backup.ts'
import { openPlace } from './place.ts'
import { drillBackup, restoreBackup } from './restore-backup.ts'
import { differences } from './row-counts.ts'

const log = createLog({ level: 'silent' })
const { signal } = new AbortController()
const key = randomBytes(32)
const rootKey = { key, fingerprint: fingerprintOf(key) }
const s3 = { endpoint: null, region: 'us-east-1', accessKeyId: undefined, secretAccessKey: undefined }
const path = process.env['PATH']

const newDirectory = () => {
  const made = temporaryDirectory()
  chmodSync(made, 0o755)
  return made
}

/** A server that others run, with an owner who is no superuser, as DATABASE_URL names it. */
async function given() {
  const server = await startDebianPostgres(debianPostgres ?? '')
  afterAll(() => server.stop())
  await server.execute('postgres', `create role bey login createrole password 'secret'`)
  const create = async (name: string) => {
    await server.execute('postgres', `create database ${name} owner bey`)
    return server.url(name).replace('//postgres:', '//bey:')
  }
  return { create }
}

test.skipIf(debianPostgres === undefined)(
  'a database that others run is dumped under writes, restored into an empty one, and drilled',
  async () => {
    const { create } = await given()
    const [url, copyUrl] = [await create('live'), await create('copy')]
    const dataDir = newDirectory()
    writeFileSync(join(dataDir, 'machine-id'), '0123\n')
    const database = await openDatabase({ url, dataDir }, log)
    await checkRootKey(database, rootKey)
    const people = createGiven(database)
    const { organizationId } = await people.user()
    await database.withTenant(organizationId, (db) =>
      createDataKeys(rootKey).seal(db, organizationId, 'x', 'test'),
    )
    const to = newDirectory()
    const place = openPlace(to, {
      backup: { s3 },
      mibPerSecond: undefined,
      outbound: anyOutbound,
      machineId: 'test',
    })
    const state = { isOver: false }
    const writing = (async () => {
      while (!state.isOver) await people.user()
    })()
    const manifest = await makeBackup({
      dataDir,
      databaseUrl: url,
      path,
      place,
      rootKey,
      key: undefined,
      version: '0.1.0',
      signal,
      now: () => new Date(),
    })
    state.isOver = true
    await writing
    await database.close()
    expect(manifest.kind).toBe('dump')
    // One snapshot: each table has one number.
    expect(Object.values(manifest.rows).every(([before, after]) => before === after)).toBe(true)
    expect(manifest.rows['public.organizations']?.[0]).toBeGreaterThan(0)

    const options = { place, id: undefined, rootKey, key: undefined, isDurable: false, path, signal, log }
    const into = newDirectory()
    await expect(restoreBackup({ ...options, into })).rejects.toThrow('Set DATABASE_URL to an empty database')
    const { verification } = await restoreBackup({ ...options, into, databaseUrl: copyUrl })
    expect(verification.problems).toEqual([])
    expect(readFileSync(join(into, 'machine-id'), 'utf8')).toBe('0123\n')
    await expect(restoreBackup({ ...options, into: newDirectory(), databaseUrl: copyUrl })).rejects.toThrow(
      'The database of DATABASE_URL is not empty',
    )
    const again = await openDatabase({ url: copyUrl, dataDir: into }, log)
    await checkRootKey(again, rootKey)
    await again.close()

    const directory = join(newDirectory(), 'drill')
    const drilled = await drillBackup({ ...options, directory })
    expect(drilled.verification.problems).toEqual([])
    expect(drilled.verification.rows).toBe(verification.rows)
    expect(() => readdirSync(directory)).toThrow('ENOENT')
  },
)

test.skipIf(debianPostgres === undefined)(
  'without a program for it, nothing is backed up, and what is missing is said',
  async () => {
    const { create } = await given()
    const [url, dataDir, to] = [await create('live'), newDirectory(), newDirectory()]
    const database = await openDatabase({ url, dataDir }, log)
    await checkRootKey(database, rootKey)
    await database.close()
    const place = openPlace(to, {
      backup: { s3 },
      mibPerSecond: undefined,
      outbound: anyOutbound,
      machineId: 'test',
    })
    const made = makeBackup({
      dataDir,
      databaseUrl: url,
      path: newDirectory(),
      place,
      rootKey,
      key: undefined,
      version: '0.1.0',
      signal,
      now: () => new Date(),
    })
    await expect(made).rejects.toThrow('There is no pg_dump on the machine of Bey')
    expect(readdirSync(to)).toEqual([])
  },
)

test('a table that has another number of rows is named with both', () => {
  expect(differences({ a: [1, 1], b: [2, 4], c: [1, 1] }, { a: 1, b: 5, d: 0 })).toEqual([
    'b has 5 rows instead of 2 to 4.',
    'c is missing.',
    'd is not in the manifest.',
  ])
})
