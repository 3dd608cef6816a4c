import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import { connectRecord } from './dbos.ts'
import type { Engine } from './engine.ts'
import { engineRequests } from './requests.ts'

/** The engine for a process that executes nothing: it asks, and processes elsewhere do the work. */
export function connectEngine(options: { database: Database; clock: Clock; log: Log }): Engine {
  const { database, clock } = options
  const record = connectRecord({ pool: database.ownerPool, url: database.url, log: options.log })
  const startedAt = clock.now()
  let isStopping = false
  return {
    executorId: '',
    ...engineRequests,
    forget: (runIds) => record.forget(runIds),
    state: () => ({
      status: isStopping ? 'stopping' : database.isUp() ? 'running' : 'waiting_for_database',
      startedAt,
      executes: false,
      activeRuns: 0,
      maxConcurrentRuns: 0,
    }),
    async stop() {
      isStopping = true
      await record.close()
    },
  }
}
