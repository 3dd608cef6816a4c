import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { eq } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'

import { sealContext } from '../../features/secrets/parts.ts'
import { linkAudit } from '../../platform/audit/linker.ts'
import { createDataKeys } from '../../platform/crypto/data-keys.ts'
import { checkRootKey, fingerprintOf } from '../../platform/crypto/root-key.ts'
import { type Database, openDatabase } from '../../platform/db/database.ts'
import { startEmbedded } from '../../platform/db/embedded/supervisor.ts'
import { migrateEngineSchema } from '../../platform/engine/engine-schema.ts'
import { createLog } from '../../platform/log.ts'
import { makePartitions } from '../../platform/metrics/partitions.ts'
import { claimDataDirectory } from '../../platform/process.ts'
import { dropDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { onTestServer, withDatabase } from '../../testing/global-setup.ts'
import { oneRowOfEach } from '../../testing/one-row-of-each.ts'
import { runOperator, startOperator } from '../../testing/operator-child.ts'
import { postgresProxy } from '../../testing/postgres-proxy.ts'
import { organizationKeys } from '../../tables/organization-keys.ts'
import { secretVersions } from '../../tables/secret-versions.ts'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'

const serverUrl = inject('testServerUrl')
const log = createLog({ level: 'silent' })
const key = randomBytes(32)
const rootKey = { key, fingerprint: fingerprintOf(key) }
const dataDir = mkdtempSync(join(tmpdir(), 'bey-move-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
chmodSync(dataDir, 0o755)
const env = { BEY_DATA_DIR: dataDir, BEY_SECRET_KEY: key.toString('base64') }

beforeAll(async () => {
  const database = await openDatabase({ dataDir, isDurable: false }, log)
  await checkRootKey(database, rootKey)
  await migrateEngineSchema(database.url, log)
  await database.asSystem('test', (db) => makePartitions(db, new Date()))
  const given = createGiven(database)
  for (const _organization of [1, 2]) {
    const { organizationId } = await oneRowOfEach(database, given)
    await sealSecrets(database, organizationId)
  }
  await linkAudit(database)
  // Values that a text would change, and one that is larger than all buffers on its way.
  await database.ownerPool.query(
    `update workflow_runs set input = jsonb_build_object('text', repeat('ä€😀', 700000), 'number', 0.1::numeric)`,
  )
  await database.ownerPool.query(`update sessions set expires_at = 'infinity'`)
  // A number that was handed out and never used.
  await database.ownerPool.query(`select nextval('clusters_id_seq')`)
  await database.close()
})

/** The rows above have keys that open nothing. */
async function sealSecrets(database: Database, organizationId: number): Promise<void> {
  await database.asSystem('test', (db) =>
    db.delete(organizationKeys).where(eq(organizationKeys.organizationId, organizationId)),
  )
  await database.withTenant(organizationId, async (db) => {
    for (const { secretId, version } of await db.select().from(secretVersions)) {
      const sealed = await createDataKeys(rootKey).seal(
        db,
        organizationId,
        'canary',
        sealContext(secretId, version),
      )
      await db.update(secretVersions).set({ sealed }).where(eq(secretVersions.secretId, secretId))
    }
  })
}

async function target(options = ''): Promise<string> {
  const name = `test_move_${randomBytes(4).toString('hex')}`
  await onTestServer(serverUrl, `create database ${name} ${options}`)
  onTestFinished(() => dropDatabase(serverUrl, name))
  return withDatabase(serverUrl, name)
}

const move = (to: string, others: Record<string, string> = {}) =>
  runOperator(['move-database', '--json'], { ...env, DATABASE_URL: to, ...others })

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`set timezone = 'UTC'`)
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

/** All rows as text, and whatever else a database of Bey consists of. */
async function everything(url: string) {
  const names = await ask(
    url,
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)' order by 1`,
  )
  const rows: Record<string, unknown> = {}
  for (const { name } of names) {
    const found = await ask(
      url,
      `select count(*)::int as count, md5(string_agg(t::text, e'\\n' order by t::text collate "C")) as hash from ${String(name)} t`,
    )
    rows[String(name)] = found[0]
  }
  const keys = await ask(
    url,
    `select conrelid::regclass::text as "table", conname, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype in ('f', 'c', 'u', 'p') and connamespace::regnamespace::text !~ '^(pg_|information_schema)' order by 1, 2`,
  )
  const state = await ask(
    url,
    `select c.oid::regclass::text as "table", relrowsecurity, relforcerowsecurity, relacl::text,
       (select string_agg(t.tgname::text || t.tgenabled::text, ',' order by t.tgname) from pg_trigger t where t.tgrelid = c.oid and not tgisinternal) as triggers
     from pg_class c where c.relkind in ('r', 'p') and c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)' order by 1`,
  )
  const sequences = await ask(
    url,
    'select schemaname, sequencename, last_value from pg_sequences order by 1, 2',
  )
  return { rows, keys, state, sequences }
}

async function whileEmbedded<T>(work: (url: string) => Promise<T>): Promise<T> {
  const server = await startEmbedded({ dataDir, isDurable: false }, log)
  try {
    return await work(server.url)
  } finally {
    await server.stop()
  }
}

test('every row, number, key and trigger arrives as it was, and the embedded database is as it was', async () => {
  const before = await whileEmbedded(everything)
  const to = await target()
  const moved = await move(to)
  expect([moved.code, moved.notes]).toEqual([0, ''])
  const said = JSON.parse(moved.out) as Record<string, unknown>
  expect(said).toMatchObject({ tables: Object.keys(before.rows).length, secrets: 2, problems: [] })
  const after = await everything(to)
  expect(after).toEqual(before)
  expect(Object.keys(after.rows).filter((name) => name.startsWith('metric_partitions.'))).not.toEqual([])
  expect(after.rows['dbos.dbos_migrations']).toMatchObject({ count: 1 })
  expect(await whileEmbedded(everything)).toEqual(before)

  const database = await openDatabase({ url: to, dataDir }, log)
  try {
    await checkRootKey(database, rootKey)
    const { rows } = await database.ownerPool.query<{ id: number }>(
      'select id from organizations order by id',
    )
    for (const { id } of rows) {
      const found = await database.ownerPool.query('select * from verify_audit($1)', [id])
      expect(found.rows).toMatchObject([{ problem: null }])
    }
  } finally {
    await database.close()
  }
  const again = await move(to)
  expect([again.code, again.notes]).toEqual([1, expect.stringMatching(/is not empty: it has \d+ tables/)])
  expect(await everything(to)).toEqual(after)
})

test('a move that is killed leaves a database that no server starts with, and begins anew', async () => {
  const to = await target()
  const stalled = Promise.withResolvers<void>()
  const through = await postgresProxy(to, ({ near, far }) => {
    let sent = 0
    far.pipe(near)
    near.on('data', (data) => {
      sent += data.length
      // In the middle of the rows of a run.
      if (sent < 3_000_000) far.write(data)
      else stalled.resolve()
    })
  })
  const first = startOperator(['move-database'], { ...env, DATABASE_URL: through })
  await stalled.promise
  const other = await move(to)
  // The killed one has left its lock to nobody else: the directory is taken while it lives.
  expect([other.code, other.notes]).toEqual([1, expect.stringContaining('bey move-database')])
  first.kill()
  await first.over
  await expect(openDatabase({ url: to, dataDir }, log)).rejects.toThrow(
    'A move into the database of DATABASE_URL was not finished. Run bey move-database again',
  )
  expect(await ask(to, 'select count(*)::int as count from organizations')).toEqual([{ count: 0 }])
  const again = await move(to)
  expect([again.code, again.notes]).toEqual([0, ''])
  expect(await everything(to)).toEqual(await whileEmbedded(everything))
  await (await openDatabase({ url: to, dataDir }, log)).close()
})

test('a database that cannot be moved into is refused with what to do, and nothing in it changes', async () => {
  const refusal = async (to: string, others?: Record<string, string>) => {
    const { code, notes } = await move(to, others)
    expect(code).toBe(1)
    return notes
  }
  const used = await target()
  await ask(used, 'create table theirs (id int)')
  expect(await refusal(used)).toContain('is not empty: it has 1 tables. Name an empty one')
  expect(await ask(used, `select to_regnamespace('bey_move') as found`)).toEqual([{ found: null }])
  const latin = await target(`encoding 'LATIN1' template template0 locale 'C'`)
  expect(await refusal(latin)).toContain(`has the encoding LATIN1. Create one with`)
  const standby = await target()
  await onTestServer(
    serverUrl,
    `alter database ${new URL(standby).pathname.slice(1)} set default_transaction_read_only = on`,
  )
  expect(await refusal(standby)).toContain('is read only, as a standby is. Name the primary.')
  const url = new URL(await target())
  await onTestServer(serverUrl, `create role stranger login password 'x'`)
  onTestFinished(() => onTestServer(serverUrl, 'drop role stranger'))
  url.username = 'stranger'
  url.password = 'x'
  expect(await refusal(url.href)).toContain('may not create schemas and tables in the database at')
  const embedded = await whileEmbedded(async (own) => own)
  expect(await refusal(embedded)).toContain('is on the embedded server itself')
  expect(await refusal(withDatabase(serverUrl, 'nowhere'))).toContain('has no such database')
  const free = await target()
  const wrongKey = { BEY_SECRET_KEY: randomBytes(32).toString('base64') }
  expect(await refusal(free, wrongKey)).toContain(`which needs ${rootKey.fingerprint}`)
  const claimed = await claimDataDirectory(dataDir, 'http://localhost:8080')
  // This process holds it, as a server does.
  expect(await refusal(free)).toContain('Bey already runs on the data directory')
  await claimed.release()
  const unused = temporaryDirectory()
  chmodSync(unused, 0o755)
  expect(await refusal(free, { BEY_DATA_DIR: unused })).toContain('no server has started with it')
  expect(
    await ask(
      free,
      `select count(*)::int as count from pg_namespace where nspname in ('bey_move', 'drizzle')`,
    ),
  ).toEqual([{ count: 0 }])
})
