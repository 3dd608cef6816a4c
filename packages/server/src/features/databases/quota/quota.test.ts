import { expect, onTestFinished, test } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi, query } from '../testing/database-api.ts'
import { seizing } from '../testing/seizing.ts'

const mebibyte = 1024 ** 2
const app = await testApp()
const admin = await app.given.user({ role: 'ADMIN' })
const { ask, until, embedded, lookNow } = databaseApi(app, admin)
const { id, endpoint, password } = await embedded('shelf')
const path = `/api/databases/${id}`
const sql = (text: string) => query(endpoint, password, text)
const quota = async () => (await ask('GET', path)).body.figures.diskQuota
const setQuota = (limitBytes: number | null) => ask('PUT', `${path}/disk-quota`, { limitBytes })
const titles = async () =>
  (await ask('GET', '/api/notifications')).body.notifications
    .map(({ title }: { title: string }) => title)
    .filter((title: string) => title.startsWith('shelf'))

test('a quota is measured, warned of, and enforced; reads go on, and there are two ways on', async () => {
  await sql(`create table rows (n int, filling text); alter table rows alter filling set storage external`)
  await until(id, { figures: { diskQuota: { usedBytes: expect.any(Number) } } })
  const { usedBytes, ...rest } = await quota()
  expect(usedBytes).toBeGreaterThan(10 * mebibyte)
  expect(rest).toMatchObject({ limitBytes: 10 * 1024 * mebibyte, isOwn: false, isRefusing: false })
  const small = await setQuota(1)
  expect(small.status).toBe(400)
  const large = await setQuota(60 * 1024 ** 4)
  expect([large.status, large.body.code]).toEqual([422, 'limit_reached'])

  const limitBytes = 128 * mebibyte
  expect((await setQuota(limitBytes)).body.figures.diskQuota).toMatchObject({ limitBytes, isOwn: true })
  const fillTo = (share: number) =>
    sql(`do $$ begin while (select sum(pg_database_size(oid)) from pg_database) < ${share * limitBytes} loop
      insert into rows select n, repeat('x', 8000) from generate_series(1, 100) n; end loop; end $$`)
  await fillTo(0.83)
  await lookNow()
  const warned = await until(id, { health: { state: 'degraded', reason: 'NearlyFull' } })
  expect(warned.health.detail).toMatch(/^8\d % of its disk quota of 128 MiB is in use/)
  expect(await titles()).toEqual([expect.stringContaining('shelf')])

  await fillTo(1)
  await lookNow()
  const full = await until(id, { status: 'available', health: { state: 'failing', reason: 'QuotaFull' } })
  expect(full.health.detail).toContain('Its disk quota of 128 MiB is full, so it refuses to write.')
  await expect(sql('delete from rows')).rejects.toMatchObject({ code: '25006' })
  expect(await sql('select count(*) > 0 as yes from rows')).toEqual([{ yes: true }])
  await sql('vacuum rows')
  const { databases } = (await ask('GET', '/api/databases?health=failing')).body
  expect(databases.map(({ name }: { name: string }) => name)).toEqual(['shelf'])
  expect(await titles()).toHaveLength(2)

  // The first way on: delete.
  const allowed = await ask('POST', `${path}/allow-writes`, {})
  expect(allowed.body.figures.diskQuota, allowed.text).toMatchObject({
    isRefusing: false,
    allowedUntil: expect.any(String),
  })
  await sql('delete from rows')
  await sql('vacuum full rows')
  await lookNow()
  await until(id, { health: { state: 'healthy' } })
  expect((await titles())[0]).toContain('has recovered')

  // The second: a larger quota, and what is its size's.
  await fillTo(1)
  await app.database.ownerPool.query(
    `update databases set disk_quota = jsonb_set(disk_quota, '{allowedUntil}', 'null') where id = $1`,
    [id],
  )
  await lookNow()
  await until(id, { health: { reason: 'QuotaFull', state: 'failing' } })
  expect((await setQuota(null)).body.health).toMatchObject({ state: 'healthy' })
  await sql('truncate rows')
}, 180_000)

test('a quota is filled on purpose by a table that is dropped by End fault, or after its time by itself', async () => {
  const broken = (seconds: number) => ask('POST', `${path}/break`, { kind: 'fill_quota', seconds })
  const refused = await broken(60)
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('Set a smaller quota')])
  await setQuota(96 * mebibyte)
  // Made by the owner beforehand, it must not be written into by the superuser.
  const attack = await seizing()
  onTestFinished(() => attack.remove())
  await sql(attack.sql)
  await sql(`create schema bey_fault; create table bey_fault.fill (n int, filling text);
    create function seize_on_write() returns trigger language plpgsql as $$ begin perform public.seize(); return new; end $$;
    create trigger seizes before insert on bey_fault.fill for each row execute function seize_on_write()`)
  const filled = await broken(600)
  expect(filled.status, filled.text).toBe(200)
  expect(attack.wasCalledBySuperuser()).toBe(false)
  await expect(sql('create table refused ()')).rejects.toMatchObject({ code: '25006' })
  await lookNow()
  await until(id, {
    health: { reason: 'QuotaFull' },
    figures: { diskQuota: { filledUntil: expect.any(String) } },
  })
  const ended = await ask('DELETE', `${path}/break`)
  expect(ended.body.figures.diskQuota, ended.text).toMatchObject({ isRefusing: false, filledUntil: null })
  await sql('create table taken ()')

  await broken(5)
  await expect(sql('create table refused ()')).rejects.toMatchObject({ code: '25006' })
  await expect
    .poll(
      async () => {
        await lookNow()
        return (await quota()).filledUntil ?? sql('create table if not exists again ()').then(() => 'writes')
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe('writes')
}, 120_000)

test('a server whose processes were killed while its quota is full goes on refusing', async () => {
  await ask('DELETE', `${path}/break`)
  await setQuota(96 * mebibyte)
  await ask('POST', `${path}/break`, { kind: 'fill_quota', seconds: 600 })
  await lookNow()
  await until(id, { health: { reason: 'QuotaFull' } })
  // A fault is for a database that is available, which it still is.
  expect((await ask('POST', `${path}/break`, { kind: 'kill' })).status).toBe(200)
  await until(id, { status: 'available', lastRestart: { reason: expect.stringContaining('SIGKILL') } })
  await expect(sql('create table refused ()')).rejects.toMatchObject({ code: '25006' })
  await ask('DELETE', `${path}/break`)
  await sql('create table writes ()')
}, 120_000)
