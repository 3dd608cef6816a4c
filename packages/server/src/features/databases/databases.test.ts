import { readFile } from 'node:fs/promises'
import { kill } from 'node:process'

import { expect, test, vi } from 'vitest'

import { testApp } from '../../testing/app.ts'
import { databaseApi, query } from './testing/database-api.ts'

const app = await testApp()
const { given } = app

test('a database is created on this machine, takes queries, sleeps with its rows and is deleted', async () => {
  const { ask, until, embedded } = databaseApi(app, await given.user({ role: 'MEMBER', name: 'Grace' }))
  const ready = await embedded('orders-eu')
  const { id, password } = ready
  expect(ready).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+$/),
    health: { state: 'healthy' },
    credential: { name: 'databases/orders-eu' },
  })
  expect(await query(ready.endpoint, password, 'select current_user as name')).toEqual([
    { name: 'orders_eu' },
  ])

  await query(ready.endpoint, password, 'create table kept as select 42 as answer')
  expect((await ask('POST', `/api/databases/${id}/hibernate`)).status).toBe(202)
  await until(id, { status: 'hibernated' })
  await expect(query(ready.endpoint, password, 'select 1')).rejects.toThrow()
  expect((await ask('POST', `/api/databases/${id}/restart`)).body.detail).toContain('hibernated')
  expect((await ask('POST', `/api/databases/${id}/resume`)).status).toBe(202)
  const resumed = await until(id, { status: 'available' })
  expect(await query(resumed.endpoint, password, 'select answer from kept')).toEqual([{ answer: 42 }])

  expect((await ask('POST', `/api/databases/${id}/restart`)).status).toBe(202)
  await until(id, { status: 'available' })
  expect(await query(resumed.endpoint, password, 'select answer from kept')).toEqual([{ answer: 42 }])

  await ask('PATCH', `/api/databases/${id}`, { isProtected: true })
  expect((await ask('DELETE', `/api/databases/${id}`)).body.detail).toContain('protected')
  await ask('PATCH', `/api/databases/${id}`, { isProtected: false })
  expect((await ask('DELETE', `/api/databases/${id}`)).status).toBe(202)
  await vi.waitFor(async () => expect((await ask('GET', `/api/databases/${id}`)).status).toBe(404), {
    timeout: 60_000,
    interval: 50,
  })
  await expect(query(resumed.endpoint, password, 'select 1')).rejects.toThrow()
  const { body: secret } = await ask('GET', `/api/secrets/${ready.credential.id}`)
  expect(secret.status).toBe('pending_deletion')
}, 120_000)

test('a server that is killed is started again with its rows, and the page says why', async () => {
  const { until, embedded } = databaseApi(app, await given.user({ role: 'MEMBER' }))
  const { id, endpoint, password } = await embedded('killed')
  await query(endpoint, password, 'create table kept as select 42 as answer')
  const [row] = await query(
    endpoint,
    password,
    "select pid from pg_stat_activity where backend_type = 'checkpointer'",
  )
  // The server is the parent of each of its processes.
  const stat = await readFile(`/proc/${String(row?.['pid'])}/stat`, 'utf8')
  kill(Number(stat.split(') ')[1]?.split(' ')[1]), 'SIGKILL')
  const back = await until(id, { status: 'available', lastRestart: expect.anything() })
  expect(back.lastRestart.reason).toContain('SIGKILL')
  expect(await query(endpoint, password, 'select answer from kept')).toEqual([{ answer: 42 }])
}, 120_000)

test('a password that is rotated in its secret is the password of the server', async () => {
  const { ask, embedded, lookNow, passwordOf } = databaseApi(app, await given.user({ role: 'MEMBER' }))
  const { endpoint, password, credential } = await embedded('rotated')
  const rotated = await ask('POST', `/api/secrets/${credential.id}/rotate`, { reason: 'Test' })
  expect(rotated.status, rotated.text).toBe(200)
  await lookNow()
  const next = await passwordOf(credential.id)
  expect(next).not.toBe(password)
  await vi.waitFor(() => query(endpoint, next, 'select 1'), { timeout: 60_000, interval: 200 })
  await expect(query(endpoint, password, 'select 1')).rejects.toThrow('password')
  const { body } = await ask('GET', `/api/secrets/${credential.id}/usage`)
  expect(body.uses).toMatchObject([{ type: 'database', name: 'rotated', onRotation: 'follows' }])
}, 120_000)

test('an owner who puts functions of their own before those of PostgreSQL gets no rights of the administrator', async () => {
  const { until, embedded, lookNow } = databaseApi(app, await given.user({ role: 'MEMBER' }))
  const { id, endpoint, password, figures } = await embedded('sly')
  for (const [name, takes, gives] of [
    ['pg_database_size', 'name', 'bigint'],
    ['current_setting', 'text', 'text'],
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one statement after the other
    await query(
      endpoint,
      password,
      `create function public.${name}(${takes}) returns ${gives} language plpgsql as $$
         begin alter role sly superuser; return pg_catalog.${name}($1);
         exception when insufficient_privilege then return pg_catalog.${name}($1); end $$`,
    )
  }
  await query(endpoint, password, 'alter database sly set search_path = public, pg_catalog')
  await lookNow()
  const looked = (at: string) =>
    vi.waitFor(
      async () => {
        const found = await until(id, { status: 'available' })
        expect(found.figures.at > at).toBe(true)
        return found.figures.at as string
      },
      { timeout: 60_000, interval: 100 },
    )
  const first = await looked(figures.at)
  await lookNow()
  await looked(first)
  expect(
    await query(endpoint, password, `select rolsuper from pg_catalog.pg_roles where rolname = 'sly'`),
  ).toEqual([{ rolsuper: false }])
}, 120_000)
