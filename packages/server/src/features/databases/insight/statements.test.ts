import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi, query } from '../testing/database-api.ts'

const app = await testApp()
const { given } = app
const admin = await given.user({ role: 'ADMIN', name: 'Grace' })
const { embedded, until, ask } = databaseApi(app, admin)
const { id, endpoint, password } = await embedded('shop')
const path = `/api/databases/${id}`
const clients: pg.Client[] = []
afterAll(() => Promise.all(clients.map((client) => client.end())))

async function connect(name: string): Promise<pg.Client> {
  const { username: user, host, port, database } = endpoint
  const client = new pg.Client({ host, port, database, user, password, application_name: name })
  client.on('error', () => undefined)
  await client.connect()
  clients.push(client)
  return client
}

/** The statement with this text after the server was counted again. */
async function measured(part: string) {
  const reply = await ask('POST', `${path}/statements/measure`)
  expect(reply.status, reply.text).toBe(200)
  const { body } = await ask('GET', `${path}/statements?range=1h`)
  return { body, found: body.statements.find(({ text }: { text: string }) => text.includes(part)) }
}

test('statements are counted since the last look, without values, across a restart of the server', async () => {
  await query(endpoint, password, 'create table orders as select n as id from generate_series(1, 1000) n')
  expect((await measured('from orders')).body.problem).toBeNull()
  const client = await connect('shop / checkout')
  const run = () => client.query("select count(*) as shown from orders where id > 17 and 'canary' <> ''")
  await run()
  await run()
  const first = await measured('as shown from orders')
  expect(first.found).toMatchObject({ calls: 2, rows: 2, users: ['shop'] })
  expect(first.found.text).toContain('id > $1')
  expect(first.body.statements.some(({ text }: { text: string }) => /canary|bey-monitor/.test(text))).toBe(
    false,
  )
  expect((await measured('as shown')).found.calls).toBe(2)

  await ask('POST', `${path}/restart`)
  await until(id, { status: 'available' })
  const again = await connect('shop / checkout')
  await again.query("select count(*) as shown from orders where id > 5 and 'other' <> ''")
  const later = await measured('as shown')
  expect(later.found.calls).toBe(3)
  expect(later.found.meanMs).toBeCloseTo(later.found.totalMs / 3, 6)
  expect(later.found.trend.reduce((sum: number, ms: number) => sum + ms, 0)).toBeCloseTo(
    later.found.totalMs,
    6,
  )

  const { body: p95 } = await ask('GET', `/api/metrics/database?ids=${id}&metrics=statement_p95_ms&range=300`)
  expect(p95.series).toHaveLength(1)
  expect(Math.max(...p95.series[0].averages)).toBeGreaterThan(0)

  const plan = await ask('POST', `${path}/explain`, { statement: later.found.text, isGeneric: true })
  expect(plan.body.error).toBeNull()
  expect(plan.body.nodes.map(({ type }: { type: string }) => type)).toContain('Seq Scan')
}, 120_000)

test('sessions at work are sampled by what they wait for, and the statement knows who issues it', async () => {
  const holder = await connect('holder')
  await holder.query('begin; update orders set id = id where id = 1')
  const waiter = await connect('payments / worker')
  const waiting = waiter.query('update orders set id = id where id = 1 returning id as waited')
  const curves = await vi.waitFor(
    async () => {
      const { body } = await ask(
        'GET',
        `/api/metrics/database?ids=${id}&metrics=load_sessions&labels=wait=lock&range=3600`,
      )
      const values: (number | null)[] = body.series[0]?.averages ?? []
      expect(values.some((value) => value !== null && value > 0)).toBe(true)
      return values
    },
    { timeout: 90_000, interval: 500 },
  )
  // One session waits: more than one is never at work.
  expect(Math.max(...curves.map((value) => value ?? 0))).toBeLessThanOrEqual(1)
  await holder.query('commit')
  await waiting
  const { found } = await measured('as waited')
  expect(found.load.lock).toBeGreaterThan(0)
  expect(found.issuers).toMatchObject([{ name: 'payments / worker' }])
  const whole = await ask(
    'GET',
    `/api/metrics/database?ids=${id}&metrics=lock_wait_longest_ms,cores&range=3600`,
  )
  expect(whole.body.series.map(({ metric }: { metric: string }) => metric).toSorted()).toEqual([
    'cores',
    'lock_wait_longest_ms',
  ])
}, 120_000)

test('a server without the extension says how it is switched on, and its statements come once it is', async () => {
  const owner = await connect('owner')
  await owner.query('create database plain')
  const user = `postgresql://${endpoint.username}:${password}@${endpoint.host}:${endpoint.port}/plain?sslmode=disable`
  const made = await ask('POST', '/api/databases', {
    provider: 'external',
    name: 'plain',
    connection: { uri: user },
  })
  await until(made.body.id, { status: 'available' })
  const external = `/api/databases/${made.body.id}`
  expect((await ask('POST', `${external}/statements/measure`)).status).toBe(200)
  expect((await ask('GET', `${external}/statements`)).body).toMatchObject({
    problem: { lines: ['CREATE EXTENSION pg_stat_statements;'] },
    statements: [],
  })
})
