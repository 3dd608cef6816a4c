import pg from 'pg'

import type { Log } from '../log.ts'
import { engineSchema, loggerOf } from './dbos.ts'
import { ensureSystemDatabase, GlobalLogger } from './dbos-internals.ts'

/** Makes or migrates the tables in which the engine records runs, as its start does, and starts nothing. */
export async function migrateEngineSchema(url: string, log: Log): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, application_name: 'bey-migrate', max: 1 })
  pool.on('error', () => undefined)
  try {
    const logger = new GlobalLogger(undefined, { logger: loggerOf(log) })
    await ensureSystemDatabase(url, logger, pool, engineSchema, false)
  } finally {
    await pool.end()
  }
}
