import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { silenceableConnection } from '../../testing/silenceable-connection.ts'
import { realClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { lockCall } from '../db/locks.ts'
import { announce, newExecutorId } from './presence.ts'

const database = await testDatabase()

test('a process whose connection fell silent says on another that it is alive', async () => {
  const connection = await silenceableConnection(database.url)
  const executorId = '1-silent'
  const messages: string[] = []
  const presence = await announce(
    { ...database, url: connection.url },
    { executorId, machineId: 'm1', address: 'test', maxRuns: 32 },
    {
      onMessage: (payload) => void messages.push(payload),
      onConnected: () => undefined,
      onDead: async () => undefined,
    },
    { clock: realClock, log: createLog({ level: 'fatal' }), isProcessAlive: () => true },
  )
  afterAll(() => presence.stop())
  connection.fallSilent()
  const { rows } = await database.ownerPool.query<{ now: Date }>('select now()')
  await vi.waitFor(
    async () => {
      const beaten = await database.ownerPool.query(
        'select 1 from processes where executor_id = $1 and heartbeat_at > $2',
        [executorId, rows[0]?.now],
      )
      expect(beaten.rowCount).toBe(1)
    },
    { timeout: 60_000, interval: 100 },
  )
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const lock = await client.query(`select ${lockCall('try_lock', 'process', 'hashtext($1)')} as taken`, [
    executorId,
  ])
  expect(lock.rows).toEqual([{ taken: false }])
  await client.query(`notify bey_engine, 'hello'`)
  await client.end()
  await vi.waitFor(() => expect(messages).toContain('hello'), { timeout: 60_000 })
})

test('a process that could not report back after a lost connection does so as soon as it can', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'debug', write: (line) => lines.push(line) })
  let connected = 0
  const presence = await announce(
    database,
    { executorId: newExecutorId(process.pid, 'test'), machineId: 'm1', address: 'test', maxRuns: 32 },
    { onMessage: () => undefined, onConnected: () => (connected += 1), onDead: async () => undefined },
    { clock: realClock, log, isProcessAlive: () => true },
  )
  expect(connected).toBe(1)

  // As when the disk is full: the connection stands and holds the lock, but nothing can be written.
  await database.ownerPool.query('alter table processes rename to processes_away')
  await database.ownerPool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'bey-engine' and datname = current_database()`,
  )
  const failures = () => lines.filter((line) => line.includes('The engine waits for the database')).length
  await vi.waitUntil(() => failures() >= 2, { timeout: 60_000 })
  await database.ownerPool.query('alter table processes_away rename to processes')
  await vi.waitUntil(() => connected === 2, { timeout: 60_000 })
  await presence.stop()
})
