import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { debianPostgres, startDebianPostgres } from '../../../testing/debian-postgres.ts'
import { fakePgDump } from '../../../testing/fake-pg-dump.ts'
import { databaseApi, query } from '../testing/database-api.ts'
import { chooseProgram } from './choose-program.ts'

// Before the server looks for it.
const program = fakePgDump('99.1', "printf 'PGDMP and the rest'")
const app = await testApp()
const { given } = app
const admin = await given.user({ role: 'ADMIN' })
const { ask, embedded, until } = databaseApi(app, admin)
const orders = await embedded('orders')
const path = `/api/databases/${orders.id}/dump`

const download = (at = path, signal?: AbortSignal) =>
  fetch(`${app.url}${at}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${admin.token}`,
      'x-organization-id': String(admin.organizationId),
    },
    ...(signal && { signal }),
  })

/** How the newest dump ended, as the audit log has it. */
const outcome = async () => {
  const { body } = await ask('GET', '/api/audit?action=database.dump&limit=1')
  return body.entries[0]?.outcome
}
const untilOutcome = (expected: string) =>
  vi.waitFor(async () => expect(await outcome()).toBe(expected), { timeout: 60_000, interval: 50 })

test('a dump is downloaded whole, in the audit log, and its program gets its password by its environment alone', async () => {
  program.write({ version: '99.1', script: "printf 'PGDMP and the rest'" })
  const found = await ask('GET', path)
  expect(found.body).toEqual({
    refusal: null,
    program: { place: 'machine', name: program.file, version: '99.1' },
  })
  const reply = await download()
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="orders-.*\.dump"$/)
  expect(await reply.text()).toBe('PGDMP and the rest')
  await untilOutcome('success')
  const { args, env } = program.lastRun()
  expect(args).toContain('--format=custom')
  expect(args).not.toContain(env['PGPASSWORD'])
  const others = Object.keys(env).filter((name) => !name.startsWith('PG'))
  // The shell adds the last of them.
  expect(new Set(['PATH', 'LC_ALL', 'PWD', 'PID', 'SHLVL', '_', 'OLDPWD'])).toEqual(
    new Set(['PATH', 'LC_ALL', 'PWD', 'PID', 'SHLVL', '_', 'OLDPWD', ...others]),
  )

  // What other roles own, rows behind policies and large objects are read; nothing can be written.
  await query(
    orders.endpoint,
    orders.password,
    `create table kept (n int); insert into kept values (1); alter table kept enable row level security;
     alter table kept force row level security; select lo_from_bytea(4711, 'object')`,
  )
  const client = new pg.Client({
    host: '127.0.0.1',
    port: orders.endpoint.port,
    database: orders.endpoint.database,
    user: env['PGUSER'],
    password: env['PGPASSWORD'],
  })
  await client.connect()
  try {
    expect((await client.query('select n from kept')).rows).toEqual([{ n: 1 }])
    const { rows } = await client.query("select convert_from(lo_get(4711), 'UTF8') as text")
    expect(rows).toEqual([{ text: 'object' }])
    await client.query('set default_transaction_read_only = off')
    await expect(client.query('insert into kept values (2)')).rejects.toThrow('permission denied')
  } finally {
    await client.end()
  }
}, 120_000)

test('a program that fails is never a file that looks complete', async () => {
  const big = 'head -c 200000 /dev/zero'
  program.write({ version: '99.1', script: `${big}; echo 'pg_dump: error: lost the server' >&2; exit 1` })
  const reply = await download()
  expect(reply.status).toBe(200)
  await expect(reply.arrayBuffer()).rejects.toThrow()
  await untilOutcome('failure')

  program.write({
    version: '99.1',
    script: "echo 'pg_dump: error: permission denied for table secrets' >&2; exit 1",
  })
  const failed = await ask('POST', path)
  expect(failed.status).toBe(409)
  expect(failed.body.detail).toBe(
    'The dump of "orders" failed: pg_dump ended with exit code 1: error: permission denied for table secrets.',
  )
}, 60_000)

test('a download that is given up ends its program, and until then no second one begins', async () => {
  program.write({ version: '99.1', script: "printf 'PGDMP'; exec sleep 600" })
  const abort = new AbortController()
  const reply = await download(path, abort.signal)
  expect(reply.status).toBe(200)
  const pid = Number(program.lastRun().env['PID'])
  expect(process.kill(pid, 0)).toBe(true)
  const second = await ask('POST', path)
  expect([second.status, second.body.code]).toEqual([422, 'limit_reached'])
  abort.abort()
  await expect(reply.text()).rejects.toThrow()
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 60_000 })
  await untilOutcome('failure')
  program.write({ version: '99.1', script: "printf 'PGDMP'" })
  expect((await download()).status).toBe(200)
}, 120_000)

test('who may not read data gets no dump, nor does another organization', async () => {
  const viewer = await given.user({ role: 'VIEWER', organizationId: admin.organizationId })
  const stranger = await given.user({ role: 'ADMIN' })
  for (const [{ token, organizationId }, status] of [
    [viewer, 403],
    [stranger, 404],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await app.ask('POST', path, { token, organizationId })).status).toBe(status)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await app.ask('GET', path, { token, organizationId })).status).toBe(status)
  }
})

test('a program that is too old or absent is refused by a sentence that says how to get one', async () => {
  program.write({ version: '9.6', script: 'exit 1' })
  const reply = await ask('POST', path)
  expect(reply.status).toBe(409)
  expect(reply.body.detail).toMatch(/^No dump of "orders" can be made: pg_dump .* is older than the server/)
  const [old, middle, wanted] = ['13.2', '15.18', '18.4'].map((version) => ({ file: `/${version}`, version }))
  const refusalOf = (...programs: { file: string; version: string }[]) => {
    const chosen = chooseProgram(programs, '18.1')
    return 'refusal' in chosen ? chosen.refusal : chosen.program.file
  }
  expect(refusalOf()).toMatch(/^There is no pg_dump on the machine of Bey. Install .*postgresql-client-18/)
  expect(refusalOf(old!, middle!)).toMatch(/^pg_dump 15.18 \(\/15.18\) is older than the server, .* 18.1/)
  expect(refusalOf(old!, wanted!)).toBe('/18.4')
})

test.skipIf(debianPostgres === undefined)(
  "a dump of Debian's PostgreSQL by its own pg_dump is restored by pg_restore, row by row",
  async () => {
    const bin = debianPostgres ?? ''
    program.write({ version: '99.1', script: `exec ${join(bin, 'pg_dump')} "$@"` })
    const server = await startDebianPostgres(bin)
    onTestFinished(() => server.stop())
    await server.execute('postgres', 'create database "from = here"')
    await server.execute(
      'from = here',
      `create table sentinels as select n, repeat(md5(n::text), 40) as text from generate_series(1, 5000) n`,
    )
    const made = await ask('POST', '/api/databases', {
      provider: 'external',
      name: 'legacy',
      connection: { uri: server.url('from%20%3D%20here') },
    })
    expect(made.status, made.text).toBe(201)
    await until(made.body.id, { status: 'available' })
    const reply = await download(`/api/databases/${made.body.id}/dump`)
    expect(reply.status).toBe(200)
    const dir = mkdtempSync(join(tmpdir(), 'bey-dumped-'))
    try {
      const file = join(dir, 'legacy.dump')
      writeFileSync(file, Buffer.from(await reply.arrayBuffer()))
      await server.execute('postgres', 'create database "to"')
      execFileSync(join(bin, 'pg_restore'), ['--exit-on-error', `--dbname=${server.url('to')}`, file])
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
    const sum = 'select count(*)::int as n, md5(string_agg(text, n::text order by n)) as hash from sentinels'
    expect(await server.execute('to', sum)).toEqual(await server.execute('from = here', sum))
    await untilOutcome('success')
  },
  120_000,
)
