import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

import type { Endpoint } from './world.ts'

type Acknowledged = { n: number; atMs: number }

const pauseMs = 20

/**
 * Writes a row after the other into a database and remembers those that the server acknowledged, while the server may end at
 * any moment. A row whose acknowledgement did not arrive may be there or not.
 */
export function startSentinels(endpoint: Endpoint) {
  const acknowledged: Acknowledged[] = []
  let n = 0
  let isStopped = false
  let isPaused = false
  let client: pg.Client | undefined
  let writing: Promise<void> = Promise.resolve()

  async function writeOne(): Promise<void> {
    try {
      client ??= await open(endpoint)
      n += 1
      await client.query('insert into sentinels (n) values ($1)', [n])
      acknowledged.push({ n, atMs: Date.now() })
    } catch {
      await client?.end().catch(() => undefined)
      client = undefined
    }
  }

  async function write(): Promise<void> {
    while (!isStopped) {
      if (!isPaused) await (writing = writeOne())
      await sleep(pauseMs)
    }
  }
  const over = write()

  return {
    /** Rows that were acknowledged until a moment (milliseconds of this machine's clock). */
    until: (atMs: number): number[] => acknowledged.filter((each) => each.atMs <= atMs).map((each) => each.n),
    count: () => acknowledged.length,
    async pause(): Promise<void> {
      isPaused = true
      await writing
    },
    resume: () => void (isPaused = false),
    async stop(): Promise<void> {
      isStopped = true
      await over
      await client?.end().catch(() => undefined)
    },
  }
}

export type Sentinels = ReturnType<typeof startSentinels>

/** Opens a connection, of which an end is no error until it is used. */
export async function open({ host, port, database, username: user, password }: Endpoint): Promise<pg.Client> {
  const client = new pg.Client({ host, port, database, user, password, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
  return client
}

/** Which of these rows a database does not have. */
export async function missingRows(endpoint: Endpoint, expected: readonly number[]): Promise<number[]> {
  const rows = await ask<{ n: number }>(endpoint, 'select n from sentinels')
  const found = new Set(rows.map(({ n }) => n))
  return expected.filter((n) => !found.has(n))
}

/** Asks a database until it answers, for its server may have to be started first. */
export async function ask<T extends object>(endpoint: Endpoint, text: string): Promise<T[]> {
  const deadline = Date.now() + 60_000
  for (;;) {
    try {
      const client = await open(endpoint)
      try {
        return (await client.query<T>(text)).rows
      } finally {
        await client.end().catch(() => undefined)
      }
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(200)
    }
  }
}
