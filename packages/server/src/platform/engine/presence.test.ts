import { expect, test, vi } from 'vitest'

import { testDatabase } from '../../testing/database.ts'
import { realClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { announce, newExecutorId } from './presence.ts'

const database = await testDatabase()

test('a process that could not report back after a lost connection does so as soon as it can', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'debug', write: (line) => lines.push(line) })
  let connected = 0
  const presence = await announce(
    database,
    { executorId: newExecutorId(process.pid, 'test'), machineId: 'm1', address: 'test' },
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
  await vi.waitUntil(() => failures() >= 2, { timeout: 20_000 })
  await database.ownerPool.query('alter table processes_away rename to processes')
  await vi.waitUntil(() => connected === 2, { timeout: 20_000 })
  await presence.stop()
})
