import { DBOS } from '@dbos-inc/dbos-sdk'
import { afterAll } from 'vitest'

import { DBOSExecutor } from '../platform/engine/dbos-internals.ts'

// Runs after a test file's own hooks. A process has one engine, and test files share their process: one that is left
// running would fail every file that follows, so the file that left it fails, and the engine is stopped here.
afterAll(async () => {
  if (DBOSExecutor.globalInstance === undefined) return
  await DBOS.shutdown({ deregister: true })
  throw new Error(
    'This test file leaves an engine running: stop what it started, with afterAll or onTestFinished',
  )
})
