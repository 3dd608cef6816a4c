import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import { afterAll, expect, test } from 'vitest'

import { checkRootKey, fingerprintOf } from '../../platform/crypto/root-key.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { startEmbedded } from '../../platform/db/embedded/supervisor.ts'
import { createLog } from '../../platform/log.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { createGiven } from '../../testing/given.ts'
import { clusterConnections } from '../../tables/cluster-connections.ts'
import { databases } from '../../tables/databases.ts'
import { anyOutbound, objectStore } from '../../testing/object-store.ts'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import { makeBackup } from './make-backup.ts'
import { writeManifest } from './manifest.ts'
import { openPlace, splitAddress } from './place.ts'
import { drillBackup, restoreBackup } from './restore-backup.ts'
import { listBackupIds, readManifest, removeOldBackups } from './stored-backups.ts'

const log = createLog({ level: 'silent' })
const { signal } = new AbortController()
const key = randomBytes(32)
const rootKey = { key, fingerprint: fingerprintOf(key) }
const s3 = { endpoint: null, region: 'us-east-1', accessKeyId: undefined, secretAccessKey: undefined }
const dataDir = mkdtempSync(join(tmpdir(), 'bey-instance-'))
chmodSync(dataDir, 0o755)
const database = await openDatabase({ dataDir, isDurable: false }, log)
await checkRootKey(database, rootKey)
afterAll(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const inDirectory = (to: string) =>
  openPlace(to, { backup: { s3 }, mibPerSecond: undefined, outbound: anyOutbound, machineId: 'test' })
const newDirectory = () => {
  const made = temporaryDirectory()
  chmodSync(made, 0o755)
  return made
}

function backUp(place: ReturnType<typeof inDirectory>, others: { key?: Buffer; now?: Date } = {}) {
  return makeBackup({
    dataDir,
    place,
    rootKey,
    key: others.key,
    version: '0.1.0',
    signal,
    now: () => others.now ?? new Date(),
  })
}

const restore = (
  place: ReturnType<typeof inDirectory>,
  into: string,
  keys: Partial<Parameters<typeof restoreBackup>[0]> = {},
) =>
  restoreBackup({
    place,
    id: undefined,
    into,
    rootKey,
    key: undefined,
    isDurable: false,
    signal,
    log,
    ...keys,
  })

async function ask(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('databases of the machine, running or stopped, and sandboxes are restored with it', async () => {
  const running = join(dataDir, 'databases', 'running')
  const stopped = join(dataDir, 'databases', 'stopped')
  for (const directory of [running, stopped]) {
    const server = await startEmbedded({ dataDir: directory, isDurable: false }, log)
    await ask(server.url, 'create table kept as select generate_series(1, 1000) as id')
    if (directory === stopped) await server.stop()
    else afterAll(() => server.stop())
  }
  const sandbox = join(dataDir, 'sandboxes', 'cluster-1')
  mkdirSync(sandbox, { recursive: true })
  writeFileSync(join(sandbox, 'log-1.jsonl'), '{"kind":"Pod"}\n')
  writeFileSync(join(dataDir, 'machine-id'), '0123\n')
  const given = createGiven(database)
  const { organizationId } = await given.user()
  const { id: clusterId } = await given.cluster({ organizationId })
  await database.withTenant(organizationId, (db) =>
    db.insert(databases).values({
      id: uuidv7(),
      organizationId,
      name: 'orders',
      provider: 'embedded',
      status: 'available',
      databaseName: 'orders',
      username: 'orders',
      tls: 'prefer',
      machineId: '0123',
      dir: running,
      port: 1,
    }),
  )
  await database.withTenant(organizationId, (db) =>
    db
      .insert(clusterConnections)
      .values({ clusterId, organizationId, machineId: '0123', dir: sandbox })
      .onConflictDoUpdate({ target: clusterConnections.clusterId, set: { dir: sandbox } }),
  )
  const place = inDirectory(newDirectory())
  await backUp(place)

  const into = newDirectory()
  const { verification } = await restore(place, into)
  expect(verification.problems).toEqual([])
  expect(readFileSync(join(into, 'sandboxes/cluster-1/log-1.jsonl'), 'utf8')).toBe('{"kind":"Pod"}\n')
  expect(readFileSync(join(into, 'machine-id'), 'utf8')).toBe('0123\n')
  const copy = await startEmbedded({ dataDir: into, isDurable: false }, log)
  const [placed] = await ask(copy.url, 'select dir from databases')
  const [connected] = await ask(copy.url, 'select dir from cluster_connections where dir is not null')
  await copy.stop()
  expect(placed).toEqual({ dir: join(into, 'databases', 'running') })
  expect(connected).toEqual({ dir: join(into, 'sandboxes', 'cluster-1') })
  for (const name of ['running', 'stopped']) {
    expect(lstatSync(join(into, 'databases', name, 'postgres')).isDirectory()).toBe(true)
    const server = await startEmbedded({ dataDir: join(into, 'databases', name), isDurable: false }, log)
    expect(await ask(server.url, 'select count(*)::int from kept')).toEqual([{ count: 1000 }])
    await server.stop()
  }
})

test('a bucket keeps backups as a directory does', async () => {
  const { place: bucket } = await objectStore()
  const place = openPlace(`s3://${bucket.bucket}/bey`, {
    backup: { s3: { ...bucket, endpoint: bucket.endpoint } },
    mibPerSecond: undefined,
    outbound: anyOutbound,
    machineId: 'test',
  })
  const { id } = await backUp(place)
  expect(await listBackupIds(place.plain)).toEqual([id])
  const { verification } = await restore(place, newDirectory())
  expect(verification.problems).toEqual([])
  expect(verification.tables).toBeGreaterThan(100)
})

test('a directory that is not empty, another root key, and none at all are refused', async () => {
  const place = inDirectory(newDirectory())
  const { id } = await backUp(place)
  const full = newDirectory()
  writeFileSync(join(full, 'other'), '')
  await expect(restore(place, full)).rejects.toThrow(`${full} is not empty: it has other.`)
  const other = randomBytes(32)
  const into = newDirectory()
  await expect(
    restore(place, into, { rootKey: { key: other, fingerprint: fingerprintOf(other) } }),
  ).rejects.toThrow(
    `The backup ${id} needs the root key with the fingerprint ${rootKey.fingerprint}, and was given ${fingerprintOf(other)}.`,
  )
  expect(readdirSync(into)).toEqual([])
})

test('a backup under another root key than that of the database is refused', async () => {
  const other = randomBytes(32)
  const made = makeBackup({
    dataDir,
    place: inDirectory(newDirectory()),
    rootKey: { key: other, fingerprint: fingerprintOf(other) },
    key: undefined,
    version: '0.1.0',
    signal,
    now: () => new Date(),
  })
  await expect(made).rejects.toThrow(`which needs ${rootKey.fingerprint}. A backup would name the wrong key.`)
})

test('a key of its own opens the parts; the root key alone does not', async () => {
  const place = inDirectory(newDirectory())
  const own = randomBytes(32)
  await backUp(place, { key: own })
  await expect(restore(place, newDirectory())).rejects.toThrow(
    `needs the key with the fingerprint ${fingerprintOf(own)}, and was given none. Set BEY_BACKUP_KEY`,
  )
  expect((await restore(place, newDirectory(), { key: own })).verification.problems).toEqual([])
})

test('a part or a manifest that was changed, cut or removed is refused, and nothing is left behind', async () => {
  const to = newDirectory()
  const place = inDirectory(to)
  const { id } = await backUp(place)
  const damage = async (name: string, change: (bytes: Buffer) => Buffer, message: RegExp) => {
    const file = join(to, id, name)
    const whole = readFileSync(file)
    writeFileSync(file, change(Buffer.from(whole)))
    const into = newDirectory()
    await expect(restore(place, into)).rejects.toThrow(message)
    expect(readdirSync(into)).toEqual([])
    writeFileSync(file, whole)
  }
  const flip = (at: number) => (bytes: Buffer) => {
    bytes[at] = (bytes[at] ?? 0) ^ 1
    return bytes
  }
  await damage('database.tar.zst', flip(300_000), /^The part "database" of the backup \S+ is damaged/)
  await damage(
    'database-wal.tar.zst',
    (bytes) => bytes.subarray(0, -20),
    /^The part "database-wal" .* is damaged/,
  )
  await damage('files.tar.zst', flip(30), /^The part "files" of the backup \S+ is damaged/)
  await damage(
    'manifest.json',
    (bytes) => Buffer.from(String(bytes).replace('"version": "0.1.0"', '"version": "0.0.9"')),
    /^The manifest of the backup \S+ is damaged/,
  )
  expect((await restore(place, newDirectory())).verification.problems).toEqual([])
})

test('a backup of a newer Bey is refused, whether its manifest or its migrations say so', async () => {
  const to = newDirectory()
  const place = inDirectory(to)
  const manifest = await backUp(place)
  const file = join(to, manifest.id, 'manifest.json')
  const later = { ...manifest, version: '9.0.0', migrations: [...manifest.migrations, 9_999_999_999_999] }
  writeFileSync(file, writeManifest(later, key))
  await expect(restore(place, newDirectory())).rejects.toThrow(
    `was made by Bey 9.0.0, which is newer: it has 1 migrations that this one does not know.`,
  )
  writeFileSync(file, readFileSync(file, 'utf8').replace('"format": 1', '"format": 2'))
  await expect(restore(place, newDirectory())).rejects.toThrow('was made by Bey 9.0.0, which is newer')
})

test('rows that are not those of the backup are named', async () => {
  const to = newDirectory()
  const place = inDirectory(to)
  const manifest = await backUp(place)
  const rows = {
    ...manifest.rows,
    'public.server_keys': [7, 9] as [number, number],
    'public.gone': [1, 1] as [number, number],
  }
  writeFileSync(join(to, manifest.id, 'manifest.json'), writeManifest({ ...manifest, rows }, key))
  const directory = join(newDirectory(), 'drill')
  const { verification } = await drillBackup({
    place,
    id: undefined,
    rootKey,
    key: undefined,
    directory,
    signal,
    log,
  })
  expect(verification.problems).toEqual([
    'public.gone is missing.',
    'public.server_keys has 1 rows instead of 7 to 9.',
  ])
  expect(() => readdirSync(directory)).toThrow('ENOENT')
})

test('the oldest are removed beyond those that are kept, and what a killed one left after a day', async () => {
  const to = newDirectory()
  const place = inDirectory(to)
  const ids: string[] = []
  for (const day of [1, 2, 3]) {
    ids.push((await backUp(place, { now: new Date(Date.UTC(2026, 0, day)) })).id)
  }
  const abandoned = 'bey-20260101T000000Z-0000'
  mkdirSync(join(to, abandoned))
  writeFileSync(join(to, abandoned, 'database.tar.zst'), 'half')
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000)
  expect(await removeOldBackups(place.plain, { keep: 2, now: at(1), locked: [] })).toEqual([ids[0]])
  expect(readdirSync(join(to, abandoned))).toEqual(['database.tar.zst'])
  expect(await removeOldBackups(place.plain, { keep: 1, now: at(25), locked: [ids[1] ?? ''] })).toEqual([])
  expect(readdirSync(join(to, abandoned))).toEqual([])
  expect(await listBackupIds(place.plain)).toEqual(ids.slice(1))
  expect((await readManifest(place.plain, undefined, signal)).manifest.id).toBe(ids[2])
})

test.each([
  ['/b/bey-20260101T000000Z-0a1f', { to: '/b', id: 'bey-20260101T000000Z-0a1f' }],
  ['s3://bucket/p/bey-20260101T000000Z-0a1f/', { to: 's3://bucket/p', id: 'bey-20260101T000000Z-0a1f' }],
  ['s3://bucket/p', { to: 's3://bucket/p', id: undefined }],
])('%s is split', (address, expected) => {
  expect(splitAddress(address)).toEqual(expected)
})
