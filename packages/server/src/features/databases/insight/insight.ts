import type { Log } from '../../../platform/log.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { DatabaseParts } from '../parts.ts'
import type { DatabaseRow } from '../store.ts'
import { createMonitorConnections } from './monitor-connections.ts'
import { createSampler } from './sampler.ts'
import { sessionHandlers } from './session-handlers.ts'
import { snapshotStatements } from './snapshot.ts'
import { statementHandlers } from './statement-handlers.ts'

const statementsEveryMs = 60_000

type Needs = Pick<DatabaseParts, 'database' | 'clock' | 'providers' | 'credentials'> & {
  metrics: Pick<Metrics, 'write'>
  log: Log
}

/** What a running database does: its sessions and locks, its load by wait, its statements. */
export function createInsight({ database, clock, providers, credentials, metrics, log }: Needs) {
  const monitors = createMonitorConnections({ providers, credentials, clock })
  const parts = { database, clock, providers, credentials, monitors }
  const sampler = createSampler({ monitors, metrics, clock, log })
  const measuring = new Map<string, Promise<Date>>()
  const measuredAtMs = new Map<string, number>()

  function measure(row: DatabaseRow): Promise<Date> {
    const under = measuring.get(row.id)
    if (under !== undefined) return under
    measuredAtMs.set(row.id, clock.monotonicMs())
    const work = snapshotStatements({ ...parts, takeLoad: sampler.takeStatements }, row).finally(() =>
      measuring.delete(row.id),
    )
    measuring.set(row.id, work)
    return work
  }

  return {
    handlers: { ...sessionHandlers(parts), ...statementHandlers(parts, measure) },
    /** The server of a database has answered: it is looked into until the next time. */
    answered(row: DatabaseRow): void {
      sampler.keep(row)
      const last = measuredAtMs.get(row.id)
      if (last !== undefined && clock.monotonicMs() - last < statementsEveryMs) return
      measure(row).catch((error: unknown) =>
        log.debug({ err: error, databaseId: row.id }, 'The statements of a database could not be counted'),
      )
    },
    async stop(): Promise<void> {
      await sampler.stop()
      await Promise.allSettled(measuring.values())
      monitors.stop()
    },
  }
}
