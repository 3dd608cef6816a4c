import type { Log } from '../../../platform/log.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { DatabaseParts } from '../parts.ts'
import type { DatabaseRow } from '../store.ts'
import { checkAdvice, recordStatement } from './advice.ts'
import { findByStatement } from './advice-store.ts'
import { adviceHandlers } from './advice-handlers.ts'
import { keepLockMinute } from './lock-minutes.ts'
import { createMonitorConnections } from './monitor-connections.ts'
import { createSampler } from './sampler.ts'
import { sessionHandlers } from './session-handlers.ts'
import { sharedWork } from './shared-work.ts'
import { snapshotStatements } from './snapshot.ts'
import { statementHandlers } from './statement-handlers.ts'

const statementsEveryMs = 60_000
const adviceEveryMs = 15 * 60_000

type Needs = Pick<DatabaseParts, 'database' | 'clock' | 'providers' | 'credentials'> & {
  metrics: Pick<Metrics, 'write'>
  log: Log
}

/** What a running database does: its sessions and locks, its load by wait, its statements. */
export function createInsight({ database, clock, providers, credentials, metrics, log }: Needs) {
  const monitors = createMonitorConnections({ providers, credentials, clock })
  const parts = { database, clock, providers, credentials, monitors }
  const sampler = createSampler({
    monitors,
    metrics,
    clock,
    log,
    keepLocks: (row, tree, replaced) =>
      database.withTenant(row.organizationId, (db) => keepLockMinute(db, row, tree, replaced)),
  })
  const measuring = sharedWork<Date>()
  const measuredAtMs = new Map<string, number>()
  const checkedAtMs = new Map<string, number>()
  const working = new Set<Promise<unknown>>()

  const snapshotOf = (row: DatabaseRow) => () => {
    measuredAtMs.set(row.id, clock.monotonicMs())
    return snapshotStatements({ ...parts, metrics, takeLoad: sampler.takeStatements }, row)
  }
  /** Counts what happened until now: counts that are under way may have been read before. */
  const measure = (row: DatabaseRow) => measuring.begin(row.id, snapshotOf(row))

  async function measureIfAdvised(row: DatabaseRow, statement: string): Promise<void> {
    const isAdvised = await database.readTenant(row.organizationId, async (db) => {
      const found = await findByStatement(db, row, statement)
      return found.length > 0
    })
    if (!isAdvised) return
    await measure(row)
    await recordStatement(parts, row, statement)
    await checkAdvice(parts, row)
  }

  /** Counts the statements first: the rules are about what they did until now. */
  async function check(row: DatabaseRow): Promise<void> {
    checkedAtMs.set(row.id, clock.monotonicMs())
    await measure(row)
    await checkAdvice(parts, row)
  }

  function isDue(last: number | undefined, everyMs: number): boolean {
    return last === undefined || clock.monotonicMs() - last >= everyMs
  }

  function quietly(row: DatabaseRow, work: Promise<unknown>): void {
    const done = work
      .catch((error: unknown) =>
        log.debug({ err: error, databaseId: row.id }, 'A database could not be looked into'),
      )
      .finally(() => working.delete(done))
    working.add(done)
  }

  return {
    handlers: {
      ...sessionHandlers(parts),
      ...statementHandlers(parts, measure),
      ...adviceHandlers(parts, check),
    },
    /** Transactions of Bey itself since it was last asked, to be left out of the figures. */
    takeOwnTransactions: (id: string): number => monitors.takeExecuted(id),
    /** The server of a database has answered: it is looked into until the next time. */
    answered(row: DatabaseRow): void {
      const isPostgres = row.engine === 'postgres'
      if (isPostgres) sampler.keep(row)
      if (isPostgres && isDue(checkedAtMs.get(row.id), adviceEveryMs)) quietly(row, check(row))
      else if (isDue(measuredAtMs.get(row.id), statementsEveryMs))
        quietly(row, measuring.join(row.id, snapshotOf(row)))
    },
    /** A person has executed a statement: where advice asked for it, its effect is measured from now on. */
    async executed(row: DatabaseRow, statement: string): Promise<void> {
      try {
        await measureIfAdvised(row, statement)
      } catch (error) {
        log.debug({ err: error, databaseId: row.id }, 'The effect of advice could not be recorded')
      }
    },
    async stop(): Promise<void> {
      await sampler.stop()
      await Promise.allSettled([measuring.settled(), ...working])
      monitors.stop()
    },
  }
}
