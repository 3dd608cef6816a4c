import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { isAlive } from '../../platform/liveness.ts'
import { startEmbedded } from '../../platform/db/embedded/supervisor.ts'
import { createLog } from '../../platform/log.ts'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import { drillDirectory, removeLeftDrills } from './left-drills.ts'

test('a drill that ended with its process is removed, with the server that it left running', async () => {
  const dataDir = temporaryDirectory()
  chmodSync(dataDir, 0o755)
  writeFileSync(join(dataDir, 'machine-id'), '0123\n')
  const directory = drillDirectory(dataDir, 'left')
  const log = createLog({ level: 'silent' })
  const server = await startEmbedded({ dataDir: directory, isDurable: false, restartMaxMs: 60_000 }, log)
  const pid = server.pid()
  const removed = removeLeftDrills(dataDir)
  // Else this process, which stands for another one, would start it again.
  await server.stop()
  await removed
  expect(isAlive(pid)).toBe(false)
  expect(existsSync(directory)).toBe(false)
  expect(readdirSync(dataDir)).toEqual(['machine-id'])
  await removeLeftDrills(dataDir)
})
