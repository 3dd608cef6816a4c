import type { Health } from '@bey/contract'
import { conditionText } from '@bey/contract/alerts/rules'

import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { isSilenced, stateOf, worstOf } from './present.ts'
import { allAlerts } from './store.ts'

/** An alert that needs somebody. */
export type AlertHealth = { id: string; name: string; health: Health }

/** Alerts of an organization that fire or cannot be evaluated, and that nobody has silenced. */
export function alertHealthReader(database: Pick<Database, 'readTenant'>, clock: Clock) {
  return (organizationId: number): Promise<AlertHealth[]> =>
    database.readTenant(organizationId, async (db) => {
      const now = clock.now()
      const rows = await allAlerts(db, organizationId)
      return rows.flatMap((row) => {
        const state = stateOf(row)
        if ((state !== 'firing' && state !== 'no_data') || isSilenced(row, now)) return []
        const worst = worstOf(row)
        return [
          {
            id: row.id,
            name: row.name,
            health: {
              state: state === 'no_data' ? 'unknown' : row.severity === 'critical' ? 'failing' : 'degraded',
              reason: state === 'firing' ? 'Alert fires' : 'No data',
              detail: state === 'firing' ? conditionText(row.condition, row.forMs) : row.error,
              since: worst ? new Date(worst.sinceMs).toISOString() : null,
              object: null,
            } satisfies Health,
          },
        ]
      })
    })
}
