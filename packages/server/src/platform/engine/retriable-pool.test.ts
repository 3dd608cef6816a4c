import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { tmpdir } from 'node:os'

import { retriablePostgresException } from '@dbos-inc/dbos-sdk/internal/system_database'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'

import { testDatabaseUrl } from '../../testing/database.ts'
import { isLost } from '../db/failure.ts'
import { retriablePool } from './retriable-pool.ts'

// Over a socket of the file system, where a write that nobody will read is refused at once.
const there = new URL(await testDatabaseUrl())
const dir = await mkdtemp(join(tmpdir(), 'bey-socket-'))
const ends: Socket[] = []
const server = createServer((near) => {
  const far = connect(join(there.searchParams.get('host') ?? '', `.s.PGSQL.${there.port || 5432}`))
  near.pipe(far).pipe(near)
  for (const end of [near, far]) end.on('error', () => undefined)
  near.on('close', () => far.destroy())
  ends.push(near)
})
await new Promise<void>((listening) => server.listen(join(dir, '.s.PGSQL.5432'), listening))
afterAll(async () => {
  server.close()
  await rm(dir, { recursive: true, force: true })
})

function urlBehind(host: string): string {
  const here = new URL(there)
  here.port = '5432'
  here.searchParams.set('host', host)
  return here.href
}

function poolOf(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1 })
  pool.on('error', () => undefined)
  afterAll(() => pool.end())
  return pool
}

const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

/** What a query is rejected with that is sent after the server died, but before the client has noticed. */
async function queryAtTheEnd(client: pg.PoolClient): Promise<unknown> {
  client.on('error', () => undefined)
  ends.pop()?.destroy()
  const error = await rejection(client.query('begin'))
  client.release()
  return error
}

test('a query on a connection of a server that just died is retried by DBOS', async () => {
  const pool = poolOf(urlBehind(dir))
  const plain = await queryAtTheEnd(await pool.connect())
  expect(plain).toMatchObject({ code: 'EPIPE' })
  expect(isLost(plain)).toBe(true)
  expect(retriablePostgresException(plain)).toBe(false)
  const error = await queryAtTheEnd(await retriablePool(pool).connect())
  expect(error).toMatchObject({ cause: { code: 'EPIPE' } })
  expect(retriablePostgresException(error)).toBe(true)
  // The pool has let go of both connections.
  expect((await retriablePool(pool).query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('a socket that is not there yet is retried by DBOS', async () => {
  const pool = retriablePool(poolOf(urlBehind(join(dir, 'missing'))))
  for (const error of [await rejection(pool.connect()), await rejection(pool.query('select 1'))]) {
    expect(error).toMatchObject({ cause: { code: 'ENOENT' } })
    expect(retriablePostgresException(error)).toBe(true)
  }
})

test('a refused statement stays what it is, on the pool and on a connection', async () => {
  const pool = retriablePool(poolOf(urlBehind(dir)))
  expect(await rejection(pool.query('selec 1'))).toMatchObject({ code: '42601' })
  const client = await pool.connect()
  expect(await rejection(client.query('selec 1'))).toMatchObject({ code: '42601' })
  client.release()
})
