import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'

import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'

import { testApp } from '../../testing/app.ts'
import { databaseApi, query } from './testing/database-api.ts'

const app = await testApp()
const admin = await app.given.user({ role: 'ADMIN' })
const { ask, lookNow, until, passwordOf } = databaseApi(app, admin)

const backups = {
  schedule: '0 2 * * *',
  retentionDays: 14,
  targetId: null,
  pitr: true,
  drillSchedule: '12 3 * * *',
  checks: [{ name: 'answers', sql: 'select 1' }],
  recoveryTimeMinutes: 10,
}
const create = (name: string, more: object, as = ask) =>
  as('POST', '/api/databases', { provider: 'embedded', name, ...more })

test('a database is created with all that was set, and backed up before its run is completed', async () => {
  const made = await create('orders', {
    backups,
    allowList: [{ cidr: '10.20.0.0/16', about: 'office' }],
    parameters: { log_min_duration_statement: '500ms', max_connections: '40', Work_Mem: '3MB' },
    extensions: ['citext'],
    diskQuotaBytes: 2 * 1024 ** 3,
  })
  expect(made.status, made.text).toBe(201)
  expect(made.body.allowList).toEqual([{ cidr: '10.20.0.0/16', about: 'office' }])
  const { id } = made.body
  const path = `/api/databases/${id}`
  const { runId, workflowId } = made.body.lastRun
  await vi.waitFor(
    async () =>
      expect((await ask('GET', `/api/v1/workflows/${workflowId}/runs/${runId}`)).body.run).toMatchObject({
        status: 'completed',
      }),
    { timeout: 90_000, interval: 100 },
  )
  const ready = await until(id, { status: 'available' })
  // The first backup is there, and one alone: the next one is the schedule's.
  const found = await ask('GET', `${path}/backups`)
  expect(found.body.backups).toMatchObject([{ trigger: 'schedule', status: 'completed' }])
  expect((await ask('GET', `${path}/backup-policy`)).body).toMatchObject({
    ...backups,
    version: 1,
    nextBackupAt: expect.any(String),
    nextDrillAt: expect.any(String),
  })
  const password = await passwordOf(ready.credential.id)
  const shown = (text: string) => query(ready.endpoint, password, text)
  expect(
    await shown("select name, setting from pg_settings where name in ('max_connections', 'work_mem')"),
  ).toEqual([
    { name: 'max_connections', setting: '40' },
    { name: 'work_mem', setting: '3072' },
  ])
  expect(await shown('show log_min_duration_statement')).toEqual([{ log_min_duration_statement: '500ms' }])
  expect(await shown("select extname from pg_extension where extname = 'citext'")).toHaveLength(1)
  const { rows: placed } = await app.database.ownerPool.query('select dir from databases where id = $1', [id])
  expect(await hbaOf(placed[0].dir)).toContain('hostssl all all 10.20.0.0/16 scram-sha-256')
  // The authority that clients elsewhere are given has signed what the server presents to the name that they are given.
  const { host, authorities } = (await ask('GET', '/api/databases/places')).body.embedded.clientAccess
  const { port, database, username: user } = ready.endpoint
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    database,
    user,
    password,
    ssl: { ca: authorities, servername: host },
  })
  await client.connect()
  expect((await client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')).rows).toEqual([
    { ssl: true },
  ])
  await client.end()
  await vi.waitFor(
    async () => {
      await lookNow()
      expect((await ask('GET', path)).body.figures.diskQuota).toMatchObject({
        limitBytes: 2 * 1024 ** 3,
        isOwn: true,
      })
      expect((await ask('GET', `${path}/window`)).body.ranges).toMatchObject([
        { from: found.body.backups[0].consistentAt },
      ])
    },
    { timeout: 30_000, interval: 200 },
  )
  expect((await ask('GET', `${path}/backups`)).body.summary.total).toBe(1)
}, 120_000)

test('a first backup that fails leaves the database available, and its run says why', async () => {
  const target = await ask('POST', '/api/databases/backup-targets', {
    name: 'gone',
    endpoint: 'http://127.0.0.1:1',
    region: 'us-east-1',
    bucket: 'none',
    prefix: '',
    accessKeyId: 'a',
    secretAccessKey: 'b',
  })
  expect(target.status, target.text).toBe(201)
  const made = await create('lonely', { backups: { ...backups, targetId: target.body.id } })
  expect(made.status, made.text).toBe(201)
  await until(made.body.id, { status: 'available' })
  const { runId, workflowId } = made.body.lastRun
  await vi.waitFor(
    async () =>
      expect((await ask('GET', `/api/v1/workflows/${workflowId}/runs/${runId}`)).body.run).toMatchObject({
        status: 'failed',
      }),
    { timeout: 90_000, interval: 200 },
  )
  expect((await ask('GET', `/api/databases/${made.body.id}`)).body.status).toBe('available')
  expect((await ask('GET', `/api/databases/${made.body.id}/backups`)).body.backups).toMatchObject([
    { status: 'failed', failure: expect.stringContaining('127.0.0.1') },
  ])
}, 120_000)

test('a value that only PostgreSQL knows to be wrong fails the creation with its words, also when asked for again', async () => {
  const made = await create('nowhere', { parameters: { TimeZone: 'Nowhere/Else' } })
  const failed = await until(made.body.id, { status: 'error' })
  expect(failed.reason).toContain('invalid value for parameter "TimeZone": "Nowhere/Else"')
  expect((await ask('POST', `/api/databases/${made.body.id}/provision`)).status).toBe(202)
  const again = await until(made.body.id, { status: 'error', reason: expect.stringContaining('TimeZone') })
  expect(again.lastRun.runId).not.toBe(failed.lastRun.runId)
}, 120_000)

test('a database whose port is taken while its files are made gets another one', async () => {
  const { id } = (await create('elsewhere', {})).body
  const taken = await vi.waitFor(
    async () => {
      const { rows } = await app.database.ownerPool.query('select port from databases where id = $1', [id])
      expect(rows[0].port).not.toBeNull()
      return Number(rows[0].port)
    },
    { timeout: 30_000, interval: 5 },
  )
  const holder = createServer().listen(taken, '127.0.0.1')
  onTestFinished(() => void holder.close())
  await once(holder, 'listening')
  const { endpoint } = await until(id, { status: 'available' })
  expect(endpoint.port).not.toBe(taken)
}, 120_000)

test('how long creations took is known once one was made, up to the answer of the server', async () => {
  const other = databaseApi(app, await app.given.user({ role: 'ADMIN' }))
  const placesOf = async (as: typeof ask) => (await as('GET', '/api/databases/places')).body.readyIn
  expect(await placesOf(other.ask)).toEqual({ embedded: null, cnpg: null })
  const { id } = (await create('first', {}, other.ask)).body
  await other.until(id, { status: 'available' })
  const { rows } = await app.database.ownerPool.query(
    `select extract(epoch from s.finished_at - r.queued_at) * 1000 as ms from workflow_runs r
       join step_runs s on s.run_id = r.id and s.key = 'verify' where r.subject_id = $1`,
    [id],
  )
  expect(await placesOf(other.ask)).toEqual({
    embedded: { medianMs: Math.round(Number(rows[0].ms)), basedOn: 1 },
    cnpg: null,
  })
}, 120_000)

test.each([
  ['a schedule that never comes', { backups: { ...backups, schedule: 'now and then' } }, 400],
  ['an unknown target', { backups: { ...backups, targetId: '00000000-0000-7000-8000-000000000000' } }, 404],
  ['a network that is none', { allowList: [{ cidr: '10.20.0.0/40' }] }, 400],
  ['a parameter that Bey decides', { parameters: { shared_buffers: '1GB' } }, 400],
  ['a parameter that is there twice', { parameters: { work_mem: '4MB', Work_Mem: '5MB' } }, 400],
  ['a value that PostgreSQL does not take', { parameters: { work_mem: 'a lot' } }, 400],
  ['an extension that reads files of the machine', { extensions: ['file_fdw'] }, 400],
  ['an extension that there is not', { extensions: ['nothing'] }, 400],
  ['a quota larger than the disk', { diskQuotaBytes: 60 * 1024 ** 4 }, 422],
])('%s makes no database', async (_, more, status) => {
  const reply = await create('nothing', more)
  expect(reply.status, reply.text).toBe(status)
  expect((await ask('GET', '/api/databases?search=nothing')).body.total).toBe(0)
})

test('each wrong value is said at its field', async () => {
  const { body } = await create('nothing', {
    parameters: { work_mem: 'a lot', nonsense: '1' },
    extensions: [],
  })
  expect(body.errors).toMatchObject([
    { path: 'parameters.work_mem', message: expect.stringContaining('number') },
    { path: 'parameters.nonsense', message: '"nonsense" is no parameter of PostgreSQL that is set here.' },
  ])
})

test('backups and networks are for databases of this machine', async () => {
  const connection = { uri: 'postgres://a:b@127.0.0.1:1/c' }
  for (const more of [{ backups }, { allowList: [] }, { parameters: {} }, { extensions: [] }]) {
    const reply = await ask('POST', '/api/databases', {
      provider: 'external',
      name: 'there',
      connection,
      ...more,
    })
    expect(reply.status, reply.text).toBe(400)
  }
})

/** The file that says who may connect to the server in this directory. */
const hbaOf = (dir: string) => readFile(join(dir, 'postgres', 'pg_hba.conf'), 'utf8')
