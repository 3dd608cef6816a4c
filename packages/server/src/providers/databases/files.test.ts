import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { databasePlans, walFileName } from '@bey/contract'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'

import { compressed, decompressed } from '../../features/databases/backups/compressed.ts'
import type { RecoveryTarget } from '../../features/databases/backups/database-files.ts'
import type { DatabasePlacement } from '../../features/databases/provider.ts'
import { createLog } from '../../platform/log.ts'
import { createEmbeddedDatabases } from './embedded.ts'
import { readTar } from './tar.ts'
import { spoolDir } from './wal-spool.ts'

const root = await mkdtemp(join(tmpdir(), 'bey-backups-'))
await chmod(root, 0o755)
const lines: string[] = []
const step = { log: (line: string) => void lines.push(line), signal: new AbortController().signal }
const databases = createEmbeddedDatabases({
  root,
  machineId: 'm1',
  log: createLog({ level: 'fatal', write: () => undefined }),
  budgetBytes: 4 * 1024 ** 3,
  sandboxBytes: async () => 0,
  isDurable: false,
})
const subject = (id: string) => ({
  id,
  name: id,
  databaseName: 'orders',
  username: 'orders',
  plan: databasePlans.small,
})

afterAll(async () => {
  await databases.stopAll()
  await rm(root, { recursive: true, force: true })
})

async function ask(placement: DatabasePlacement, sql: string) {
  const client = new pg.Client(await databases.connection(placement, 'orders'))
  await client.connect()
  try {
    // Bey's own sessions look in pg_catalog alone.
    await client.query('set search_path = public')
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

async function allOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of source) pieces.push(piece)
  return Buffer.concat(pieces)
}

const source = subject('source')
const place = await databases.choosePlacement(source.id, null)
await databases.reserve(source, place, step)
await databases.initialize(place, step)
await databases.start(source, place)
await databases.setUp(source, place, 'secret')
await ask(
  place,
  'create table rows as select n, repeat(md5(n::text), 20) as text from generate_series(1, 5000) n',
)

const options = { label: 'test', signal: step.signal, onCopied: () => undefined }
// Written to while it is copied: what the copy saw half is mended by the WAL.
const [backup] = await Promise.all([
  databases.files.backUp(place, options, (tar) => allOf(decompressed(compressed(tar)))),
  ask(place, "update rows set text = 'changed' where n % 2 = 0"),
])
await ask(place, 'create table later as select 1 as n')
const [before] = await ask(place, 'select clock_timestamp() as at')
const dropped = before?.['at'] as Date
await ask(place, 'drop table rows')

/** Archives what was written until now, and answers the names of the archived files. */
async function archive(): Promise<string[]> {
  await ask(place, "select pg_logical_emit_message(false, 'bey', 'end')")
  const [row] = await ask(place, 'select pg_walfile_name(pg_switch_wal()) as name')
  const last = String(row?.['name'])
  return vi.waitFor(async () => {
    const names = (await databases.files.spooled(place)).map(({ name }) => name)
    expect(names).toContain(last)
    return names
  }, 60_000)
}
const archived = await archive()

async function restore(id: string, target: RecoveryTarget, names = archived, tar = backup.stored) {
  const copy = subject(id)
  const placement = await databases.choosePlacement(copy.id, null)
  await databases.reserve(copy, placement, step)
  // In small pieces, as a network may deliver it.
  async function* pieces() {
    for (let at = 0; at < tar.length; at += 70_001) yield tar.subarray(at, at + 70_001)
  }
  await databases.files.unpack(placement, async () => pieces())
  for (const name of names) {
    await databases.files.placeWal(placement, name, databases.files.readSpooled(place, name))
  }
  const { maxConnections } = copy.plan
  const reached = await databases.files.recover(copy, placement, target, maxConnections, step)
  await databases.start(copy, placement)
  return { placement, ...reached }
}

test('a server archives each segment of the WAL once, and refuses to overwrite another one', async () => {
  const { facts } = backup
  expect(archived).toContain(walFileName({ timeline: facts.timeline, number: facts.stopSegment }))
  const files = await databases.files.spooled(place)
  expect(files[0]).toMatchObject({ sizeBytes: 16 * 1024 ** 2 })
  const next = walFileName({ timeline: 1, number: facts.stopSegment + 40 })
  const spool = spoolDir(join(place.dir, 'postgres'))
  const command = String((await ask(place, 'show archive_command'))[0]?.['archive_command'])
  const segment = join(root, 'segment')
  const run = () =>
    execFileSync('sh', ['-c', command.replaceAll('%p', segment).replaceAll('%f', next)], { stdio: 'pipe' })
  await writeFile(segment, 'one')
  run()
  run()
  expect(await readFile(join(spool, next), 'utf8')).toBe('one')
  await writeFile(segment, 'two')
  expect(run).toThrow()
  expect(await readFile(join(spool, next), 'utf8')).toBe('one')
  await databases.files.removeSpooled(place, next)
})

test('the tar of a backup is one that tar reads, without what belongs to the running server', async () => {
  const dir = join(root, 'unpacked')
  mkdirSync(dir)
  await writeFile(join(root, 'backup.tar'), backup.stored)
  execFileSync('tar', ['-xf', join(root, 'backup.tar'), '-C', dir])
  expect(await readFile(join(dir, 'backup_label'), 'utf8')).toContain('LABEL: test')
  const names: string[] = []
  await readTar(
    (async function* () {
      yield backup.stored
    })(),
    async ({ name }, content) => {
      names.push(name)
      await allOf(content)
    },
  )
  expect(names).toContain('global/pg_control')
  expect(names.filter((name) => /postmaster|pg_wal\/0|\.s\.PGSQL/.test(name))).toEqual([])
})

test('rows that were dropped are back at the moment before, and what came after is not', async () => {
  const { placement, reachedAt } = await restore('before', { time: dropped })
  expect(
    await ask(
      placement,
      'select count(*)::int as n, count(*) filter (where text = $$changed$$)::int as changed from rows',
    ),
  ).toEqual([{ n: 5000, changed: 2500 }])
  expect(reachedAt?.getTime()).toBeLessThanOrEqual(dropped.getTime())
  // It is a server of its own: it takes changes, archives, and Bey knows its superuser.
  await ask(placement, 'create table own as select 1 as n')
  expect(await ask(placement, 'show archive_mode')).toEqual([{ archive_mode: 'on' }])
})

test('the newest moment has the drop, the backup itself has neither the drop nor what came after', async () => {
  const latest = await restore('latest', 'latest')
  await expect(ask(latest.placement, 'select 1 from rows')).rejects.toThrow('does not exist')
  expect(await ask(latest.placement, 'select n from later')).toEqual([{ n: 1 }])
  const own = await restore('own', 'immediate')
  expect(await ask(own.placement, 'select count(*)::int as n from rows')).toEqual([{ n: 5000 }])
  await expect(ask(own.placement, 'select 1 from later')).rejects.toThrow('does not exist')
})

test('a moment after the last transaction is reached although no later one is in the archive', async () => {
  const { placement } = await restore('idle', { time: new Date(Date.now() + 3_600_000) })
  expect(await ask(placement, 'select n from later')).toEqual([{ n: 1 }])
})

test('a backup that was cut off, is of another version, or lacks its WAL makes no server', async () => {
  await expect(restore('cut', 'latest', [], backup.stored.subarray(0, 900_000))).rejects.toThrow(
    'The backup is damaged: The archive ends too early.',
  )
  const older = Buffer.from(backup.stored)
  const at = older.indexOf('PG_VERSION\0')
  older.write('17\n', at + 512)
  await expect(restore('older', 'latest', [], older)).rejects.toThrow('was made by PostgreSQL 17')
  await expect(restore('without', 'latest', [])).rejects.toThrow('could not replay the WAL')
})
