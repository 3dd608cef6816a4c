import { vi } from 'vitest'

import type { Database } from '../platform/db/database.ts'

/** Resolves when a session waits for a lock in this database. */
export function lockWait(database: Pick<Database, 'ownerPool'>): Promise<void> {
  return vi.waitFor(
    async () => {
      const { rows } = await database.ownerPool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      if (rows.length === 0) throw new Error('Nobody waits for a lock')
    },
    { timeout: 60_000, interval: 15 },
  )
}
