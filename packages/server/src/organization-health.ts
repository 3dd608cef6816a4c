import { alertHealthReader } from './features/alerts/attention.ts'
import { databaseHealthReader } from './features/databases/health.ts'
import { ingressHealthReader } from './features/ingress/health.ts'
import { networkHealthReader } from './features/networks/health.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/db/database.ts'

/** What tells the dashboard how things other than clusters are. */
export function organizationHealth(database: Pick<Database, 'readTenant'>, clock: Clock) {
  return {
    alertHealth: alertHealthReader(database, clock),
    databaseHealth: databaseHealthReader(database),
    networkHealth: networkHealthReader(database),
    ingressHealth: ingressHealthReader(database, clock),
  }
}
