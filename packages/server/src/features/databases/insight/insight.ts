import type { DatabaseParts } from '../parts.ts'
import { createMonitorConnections } from './monitor-connections.ts'
import { sessionHandlers } from './session-handlers.ts'

/** What a running database does: its sessions and locks. */
export function createInsight({
  database,
  clock,
  providers,
  credentials,
}: Pick<DatabaseParts, 'database' | 'clock' | 'providers' | 'credentials'>) {
  const monitors = createMonitorConnections({ providers, credentials, clock })
  const parts = { database, clock, providers, credentials, monitors }
  return {
    handlers: sessionHandlers(parts),
    stop: () => monitors.stop(),
  }
}
