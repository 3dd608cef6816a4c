import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test, vi } from 'vitest'

import { freezeProcesses } from '../../testing/freeze-processes.ts'
import { createLog } from '../log.ts'
import { openDatabase } from './database.ts'
import { startEmbedded } from './embedded/supervisor.ts'

// A server of its own, for it is frozen.
const log = createLog({ level: 'fatal', write: () => undefined })
const dataDir = await mkdtemp(join(tmpdir(), 'bey-frozen-'))
const server = await startEmbedded({ dataDir, isDurable: false }, log)
afterAll(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})
const database = await openDatabase({ dataDir, url: server.url, maxConnections: 3 }, log)
afterAll(() => database.close())

const ask = {
  request: () => database.readTenant(1, (db) => db.execute('select 1 as one')),
  once: () => database.readOnce(1, (db) => db.execute('select 1 as one')),
  change: () => database.withTenant(1, (db) => db.execute('select 1 as one')),
  system: () => database.asSystem('test', (db) => db.execute('select 1 as one')),
}

test(
  'what is asked of a frozen database is answered as unavailable within 10 s',
  { timeout: 90_000 },
  async () => {
    const all = () => Object.values(ask).map((each) => each())
    await Promise.all(all())
    const thaw = await freezeProcesses(server.pid())
    try {
      const startedAt = performance.now()
      // Twice as many as there are connections: some wait for one.
      const answers = await Promise.allSettled([...all(), ...all()])
      const seconds = (performance.now() - startedAt) / 1000
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill('rejected'))
      for (const answer of answers) expect(answer).toMatchObject({ reason: { code: 'unavailable' } })
      expect(seconds).toBeLessThan(10)
      expect(database.isUp()).toBe(false)
    } finally {
      thaw()
    }
    await vi.waitFor(() => expect(database.isUp()).toBe(true), { timeout: 60_000 })
    await vi.waitFor(() => Promise.all(all()), { timeout: 60_000 })
  },
)

test('a slow answer is waited for while the database answers others', async () => {
  await database.withTenant(1, (db) => db.execute('select pg_sleep(12)'))
})
