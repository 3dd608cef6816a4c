import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../log.ts'
import { startOrAdoptPostmaster } from './start.ts'

const log = createLog({ level: 'silent' })

test('a server that takes connections and never answers holds nobody up once it is gone', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'bey-start-'))
  const silent = createServer(() => undefined)
  onTestFinished(async () => {
    silent.close()
    await rm(dir, { recursive: true, force: true })
  })
  silent.listen(join(dir, '.s.PGSQL.5432'))
  await once(silent, 'listening')
  const logFile = join(dir, 'postgres.log')
  await writeFile(logFile, '')
  const layout = { clusterDir: dir, socketDir: dir, port: 5432, logFile, password: 'x', copyDir: dir }
  // It ends while it is asked.
  const gone = once(silent, 'connection').then(() => ({ code: 1, signal: null }))
  await expect(
    startOrAdoptPostmaster(layout, async () => ({ pid: 2 ** 30, isAdopted: false, gone }), log),
  ).rejects.toThrow(/did not start|ended|stopped/)
}, 30_000)
