import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'

import { withPooler } from '../../features/databases/testing/servers-in-between.ts'
import { dropDatabase } from '../../testing/database.ts'
import { onTestServer, withDatabase } from '../../testing/global-setup.ts'
import { ConfigError } from '../errors.ts'
import { createLog } from '../log.ts'
import { openDatabase } from './database.ts'
import { startEmbedded } from './embedded/supervisor.ts'

const serverUrl = inject('testServerUrl')
const log = createLog({ level: 'silent' })
const open = (url: string) => openDatabase({ url, dataDir: tmpdir() }, log)

async function emptyDatabase(name: string): Promise<string> {
  await onTestServer(serverUrl, `create database ${name}`)
  onTestFinished(() => dropDatabase(serverUrl, name))
  return withDatabase(serverUrl, name)
}

function changed(change: (url: URL) => void): string {
  const url = new URL(serverUrl)
  change(url)
  return url.href
}

const noConfigError = 'started'
const refusal = (url: string) =>
  open(url).then(
    async (database) => {
      await database.close()
      return noConfigError
    },
    (error: unknown) => error,
  )

test('several processes that start at once on an empty database migrate it once', async () => {
  const url = await emptyDatabase('test_concurrent')
  const opened = await Promise.all([open(url), open(url), open(url)])
  const { rows } = await opened[0].ownerPool.query<{ count: number }>(
    'select count(*)::int as count from drizzle.__drizzle_migrations',
  )
  expect(rows[0]?.count).toBeGreaterThan(0)
  for (const database of opened) {
    const found = await database.withTenant(1, (db) => db.execute('select id from clusters'))
    expect(found.rowCount).toBe(0)
  }
  await Promise.all(opened.map((database) => database.close()))
})

test('starting again changes nothing', async () => {
  const url = await emptyDatabase('test_again')
  await (await open(url)).close()
  const schema = async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(
      `select oid::text, xmin::text from pg_class where relnamespace = 'public'::regnamespace
       union all select oid::text, xmin::text from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
    )
    await client.end()
    return rows
  }
  const before = await schema()
  await (await open(url)).close()
  expect(await schema()).toEqual(before)
})

test('a database of a newer version is refused', async () => {
  const url = await emptyDatabase('test_newer')
  await (await open(url)).close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at)
     select 'x', n from generate_series(9999999999000, 9999999999100) n`,
  )
  await client.end()
  expect(String(await refusal(url))).toMatch(/newer Bey .* Update this one/)
})

/** Gives the database the times that a chain of migrations before the baseline left behind. */
async function pretendChain(url: string, times: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `with baseline as (
       delete from drizzle.__drizzle_migrations
       where created_at = (select min(created_at) from drizzle.__drizzle_migrations) returning created_at
     )
     insert into drizzle.__drizzle_migrations (hash, created_at)
     select 'x', created_at - n from baseline, generate_series(${times}) n`,
  )
  await client.end()
}

test('a database with all migrations that the baseline replaced goes on', async () => {
  const url = await emptyDatabase('test_chain')
  await (await open(url)).close()
  await pretendChain(url, '0, 39')
  expect(await refusal(url)).toBe(noConfigError)
})

test('a database with some of the migrations that the baseline replaced is refused with the way out', async () => {
  const url = await emptyDatabase('test_part_of_chain')
  await (await open(url)).close()
  await pretendChain(url, '1, 20')
  const error = await refusal(url)
  expect(error).toBeInstanceOf(ConfigError)
  expect(String(error)).toContain('Start Bey with an empty database')
})

test('a pooler in between is refused, for it would share sessions whose roles keep organizations apart', async () => {
  const url = new URL(await emptyDatabase('test_pooled'))
  const pooler = await withPooler({ path: `${url.searchParams.get('host') ?? ''}/.s.PGSQL.${url.port}` })
  onTestFinished(() => pooler.close())
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String(pooler.port)
  const error = await refusal(url.href)
  expect(error).toBeInstanceOf(ConfigError)
  expect(String(error)).toContain('leads through a connection pooler')
})

test('a wrong password is said without showing it', async () => {
  const error = await refusal(changed((url) => (url.password = 'hunter2')))
  expect(error).toBeInstanceOf(ConfigError)
  expect(String(error)).toMatch(/refused the user or password\. Check DATABASE_URL\./)
  expect(String(error)).not.toContain('hunter2')
})

test('a database that does not exist is named', async () => {
  const error = await refusal(withDatabase(serverUrl, 'nowhere'))
  expect(String(error)).toMatch(/nowhere has no such database; create it or name another/)
})

test('a server that is not there, or is something else, is said not to answer', async () => {
  const impostor = createServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n', () => socket.destroy()))
  })
  await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve))
  const address = impostor.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const something = await refusal(`postgres://u:hunter2@127.0.0.1:${port}/bey`)
  await new Promise((resolve) => impostor.close(resolve))
  const nothing = await refusal(`postgres://u:hunter2@127.0.0.1:${port}/bey`)
  for (const error of [something, nothing]) {
    expect(error).toBeInstanceOf(ConfigError)
    expect(String(error)).toContain(`The database at 127.0.0.1:${port}/bey`)
    expect(String(error)).toContain('Check DATABASE_URL.')
    expect(String(error)).not.toContain('hunter2')
  }
  expect(String(nothing)).toContain('does not answer')
})

test('an owner who may not create roles gets the SQL, and after it was run the start succeeds', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bey-roles-'))
  const server = await startEmbedded({ dataDir, isDurable: false }, log)
  try {
    const admin = async (statement: string) => {
      const url = new URL(server.url)
      url.username = 'postgres'
      url.pathname = '/postgres'
      const client = new pg.Client({ connectionString: url.href })
      await client.connect()
      await client.query(statement)
      await client.end()
    }
    await admin(`create role limited login password 'limited'`)
    await admin(`create database limited owner limited`)
    const url = new URL(server.url)
    url.username = 'limited'
    url.password = 'limited'
    url.pathname = '/limited'

    const error = await refusal(url.href)
    expect(error).toBeInstanceOf(ConfigError)
    const statements = String(error).split('\n').slice(1)
    expect(statements).toHaveLength(2)
    for (const statement of statements) await admin(statement)
    const database = await open(url.href)
    const { rows } = await database.pool.query('select current_user as role, session_user as owner')
    expect(rows).toEqual([{ role: 'bey_app', owner: 'limited' }])
    await database.close()
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('a database that is away for a while is used again without a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bey-away-'))
  const first = await startEmbedded({ dataDir, isDurable: false }, log)
  const database = await open(first.url)
  const ask = () => database.withTenant(1, (db) => db.execute('select 1'))
  await ask()
  await first.stop()
  await expect(ask()).rejects.toMatchObject({ code: 'unavailable' })
  await expect(database.ping(500)).rejects.toMatchObject({ code: 'unavailable' })
  await expect.poll(() => database.isUp()).toBe(false)
  const isBack = new Promise<void>((resolve) => database.onUp(resolve))
  const second = await startEmbedded({ dataDir, isDurable: false }, log)
  await isBack
  await ask()
  await database.close()
  await second.stop()
  await rm(dataDir, { recursive: true, force: true })
})
