import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'

import { startBeyProcess } from '../../../../testing/database-chaos/bey-process.ts'
import { testDatabase } from '../../../../testing/database.ts'
import { createGiven } from '../../../../testing/given.ts'
import { type Body, processApi } from '../../testing/process-api.ts'

const database = await testDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'bey-table-killed-'))
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
const bey = await startBeyProcess({
  DATABASE_URL: database.url,
  BEY_DATA_DIR: dataDir,
  BEY_SECRET_KEY: randomBytes(32).toString('base64'),
})
afterAll(() => bey.stop())
const user = await createGiven(database).user({ role: 'ADMIN' })
const ask = processApi(bey, user)

const until = (work: () => Promise<unknown>, interval = 20) =>
  vi.waitFor(work, { timeout: 120_000, interval })
const restoreOf = async (id: string): Promise<Body> =>
  (
    await database.ownerPool.query(
      'select status, failure, dir, restored_table as table from database_restores where id = $1',
      [id],
    )
  ).rows[0]

const { id } = await ask('POST', '/api/databases', { provider: 'embedded', name: 'catalog' })
await until(async () => expect((await ask('GET', `/api/databases/${id}`)).status).toBe('available'))
const { endpoint, credential } = await ask('GET', `/api/databases/${id}`)
const { value: password } = await ask('POST', `/api/secrets/${credential.id}/reveal`, { reason: 'Test' })

/** A client of the database; its server goes on while Bey is killed. */
async function connect(): Promise<pg.Client> {
  const { host, port, database: name, username } = endpoint
  const client = new pg.Client({ host, port, database: name, user: username, password })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function sql(text: string): Promise<Body[]> {
  const client = await connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const rows = 60_000
await sql(`create table prices (id serial primary key, text text);
  insert into prices (text) select repeat('x', 200) || n from generate_series(1, ${rows}) n`)
const { id: backupId } = await ask('POST', `/api/databases/${id}/backups`)
await until(async () =>
  expect((await ask('GET', `/api/databases/${id}/backups/${backupId}`)).status).toBe('completed'),
)
await sql('drop table prices')

const statusIs = (status: string) => async (restoreId: string) => {
  await until(async () => expect((await restoreOf(restoreId)).status).toBe(status))
}

test.each<[string, (restoreId: string) => Promise<unknown>]>([
  ['while it chooses the backup', statusIs('preparing')],
  ['while the files are restored', statusIs('restoring')],
  ['while the WAL is replayed', statusIs('replaying')],
  ['while the rows are copied', statusIs('copying')],
  [
    'while the transaction that wrote them commits',
    (restoreId) => until(async () => expect((await restoreOf(restoreId)).table.xid).not.toBeNull(), 2),
  ],
])(
  'a restore of one table whose process is killed %s ends with the table once and whole, and leaves no server',
  async (_when, moment) => {
    await sql('drop table if exists prices')
    const restore = await ask('POST', `/api/databases/${id}/restore`, { table: 'prices', backupId })
    await moment(restore.id)
    await bey.replace(async () => {
      // What is seen while no process runs is all or nothing.
      const [seen] = await sql(`select to_regclass('prices') is not null as there`)
      if (seen.there) expect(await sql('select count(*)::int as n from prices')).toEqual([{ n: rows }])
    })
    await until(async () => expect((await restoreOf(restore.id)).status).toBe('completed'))
    expect(await sql('select count(*)::int as n, max(id) as last from prices')).toEqual([
      { n: rows, last: rows },
    ])
    expect(await sql(`select relname from pg_class where relname like 'prices%' and relkind = 'r'`)).toEqual([
      { relname: 'prices' },
    ])
    await until(async () => expect((await restoreOf(restore.id)).dir).toBeNull())
  },
  240_000,
)

test('rows that wait for their place when the process is killed are put there by the next one', async () => {
  const holder = await connect()
  await sql('delete from prices where id > 10')
  await holder.query('begin')
  await holder.query('select 1 from prices limit 1')
  const restore = await ask('POST', `/api/databases/${id}/restore`, {
    table: 'prices',
    backupId,
    replace: true,
  })
  const waiting = `select from pg_locks where mode = 'AccessExclusiveLock' and not granted`
  await until(async () => expect(await sql(waiting)).toHaveLength(1))
  await bey.replace(async () => expect((await sql('select txid_current()')).length).toBe(1))
  await holder.query('commit')
  await holder.end()
  await until(async () => expect((await restoreOf(restore.id)).status).toBe('completed'))
  expect(await sql('select count(*)::int as n from prices')).toEqual([{ n: rows }])
}, 240_000)
