import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kill } from 'node:process'

import { expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi, query } from '../testing/database-api.ts'

const app = await testApp()
const { given } = app
const user = await given.user({ role: 'MEMBER' })
const { ask, embedded, lookNow, passwordOf, until } = databaseApi(app, user)
const orders = await embedded('orders')
const path = `/api/databases/${orders.id}`
const inOrders = (sql: string) => query(orders.endpoint, orders.password, sql)

async function backUp(expected: object) {
  const started = await ask('POST', `${path}/backups`)
  expect(started.status, started.text).toBe(202)
  return ended(started.body.id, expected)
}

const ended = (id: string, expected: object) =>
  vi.waitFor(
    async () => {
      const { body } = await ask('GET', `${path}/backups/${id}`)
      expect(body).toMatchObject(expected)
      return body
    },
    { timeout: 60_000, interval: 100 },
  )

async function killServer(): Promise<void> {
  const [row] = await inOrders("select pid from pg_stat_activity where backend_type = 'checkpointer'")
  const parent = (await readFile(`/proc/${String(row?.['pid'])}/stat`, 'utf8')).split(') ')[1]?.split(' ')[1]
  kill(Number(parent), 'SIGKILL')
}

const filesIn = (dir: string) => readdir(dir, { recursive: true }).catch(() => [])

test('a backup whose run is cancelled never completes, and nothing of it stays in the store', async () => {
  const whole = await backUp({ status: 'completed' })
  const base = join(whole.place, 'databases', String(user.organizationId), orders.id, 'base')
  await inOrders(
    'create table rows as select n, md5(n::text) as a, md5((n + 1)::text) as b from generate_series(1, 400000) n',
  )
  const started = await ask('POST', `${path}/backups`)
  const { workflowId, runId } = started.body.run
  const cancelled = await ask('POST', `/api/v1/workflows/${workflowId}/runs/${runId}/cancel`)
  expect(cancelled.status, cancelled.text).toBeLessThan(300)
  await ended(started.body.id, { status: 'failed', failure: expect.stringContaining('Cancelled by') })
  await vi.waitFor(
    async () => {
      await lookNow()
      expect((await filesIn(base)).filter((name) => name.includes(started.body.id))).toEqual([])
    },
    { timeout: 60_000, interval: 300 },
  )
  expect(await filesIn(base)).toHaveLength(1)
  // The server is not left in a backup that nobody ends.
  expect(
    await inOrders("select count(*)::int as n from pg_stat_activity where application_name = 'bey-backup'"),
  ).toEqual([{ n: 0 }])
}, 120_000)

test('while the store is away the WAL waits on the machine, the cause is said, and nothing is lost', async () => {
  const { body } = await ask('GET', `${path}/backups`)
  const place = body.backups.find(({ status }: { status: string }) => status === 'completed').place
  const away = `${place}.away`
  await rename(place, away)
  // In the way of the directory.
  await writeFile(place, '')
  await inOrders('create table sentinel as select 42 as answer')
  const refused = await backUp({ status: 'failed' })
  expect(refused.failure).not.toBeNull()
  await inOrders('select pg_logical_emit_message(true, $$bey$$, $$end$$)').catch(() => undefined)
  await rm(place)
  await rename(away, place)
  const again = await backUp({ status: 'completed', failure: null })
  const { body: window } = await ask('GET', `${path}/window`)
  expect(window.archive.problem).toBeNull()
  expect(Date.parse(window.ranges.at(-1).to)).toBeGreaterThanOrEqual(Date.parse(again.consistentAt))
  // No gap: what was written while the store was away is in it.
  expect(window.gaps).toEqual([])
}, 120_000)

test('the present is restored although its server was killed a moment ago', async () => {
  await inOrders('create table last as select 7 as answer')
  const { body: list } = await ask('GET', `${path}/backups`)
  expect(list.backups.some(({ status }: { status: string }) => status === 'completed')).toBe(true)
  await killServer()
  const targetTime = new Date().toISOString()
  const begun = await ask('POST', `${path}/restore`, { name: 'orders-last', targetTime })
  expect(begun.status, begun.text).toBe(202)
  const copy = await until(begun.body.newDatabase.id, { status: 'available' })
  expect(await query(copy.endpoint, await passwordOf(copy.credential.id), 'select answer from last')).toEqual(
    [{ answer: 7 }],
  )
}, 120_000)

test('a server that is killed while it is backed up makes no complete backup of half of it, and is backed up again', async () => {
  const started = await ask('POST', `${path}/backups`)
  await killServer()
  const after = await ended(started.body.id, { status: expect.stringMatching(/failed|completed/) })
  // Whichever came first: a failure says why, and a completed one can be restored with all of its rows.
  if (after.status === 'failed') expect(after.failure).toContain('Its server ended while it was backed up')
  await vi.waitFor(() => inOrders('select 1'), { timeout: 60_000, interval: 300 })
  const again = await vi.waitFor(() => backUp({ status: 'completed' }), { timeout: 60_000, interval: 500 })
  const copy = await ask('POST', `${path}/restore`, { name: 'orders-copy', backupId: again.id })
  const restored = await until(copy.body.newDatabase.id, { status: 'available' })
  const password = await passwordOf(restored.credential.id)
  expect(await query(restored.endpoint, password, 'select count(*)::int as n from rows')).toEqual([
    { n: 400_000 },
  ])
  expect(await query(restored.endpoint, password, 'select answer from sentinel')).toEqual([{ answer: 42 }])
}, 180_000)
