import { hostname } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { cpuUsage, memoryUsage } from 'node:process'
import { processMetrics } from '@bey/contract'
import { sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'

const everyMs = 15_000

export type ProcessSources = {
  database: Database
  metrics: Pick<Metrics, 'write'>
  clock: Clock
  log: Log
  live: () => { connections: number }
  /** Where this process listens: with the host it names the process over its restarts. */
  port: number
}

/**
 * Writes how this process is every 15 s, as metrics of the first organization: its owners operate the server, and what
 * others put on it is nothing for the remaining ones to see.
 */
export function recordProcess(sources: ProcessSources) {
  const { database, metrics, clock, log, live, port } = sources
  const loop = monitorEventLoopDelay({ resolution: 20 })
  loop.enable()
  const labels = { process: `${hostname()}:${port}` }
  let requests = { count: 0, errors: 0, ms: 0 }
  let before = { cpu: cpuUsage(), atMs: clock.monotonicMs() }
  let working: Promise<void> | undefined

  async function write(): Promise<void> {
    const organizationId = await database.asSystem('find the first organization', async (db) => {
      const { rows } = await db.execute<{ id: number }>(sql`select id from organizations order by id limit 1`)
      return rows[0]?.id
    })
    const values = take()
    if (organizationId === undefined) return
    const samples = Object.entries(values).map(([metric, value]) => ({ metric, labels, value }))
    const entity = { type: 'organization', id: String(organizationId) }
    await metrics.write(organizationId, entity, clock.now(), samples)
  }

  /** The values since the last time, which begin anew. */
  function take(): Record<string, number> {
    const now = { cpu: cpuUsage(), atMs: clock.monotonicMs() }
    const seconds = Math.max(0.001, (now.atMs - before.atMs) / 1000)
    const microseconds = now.cpu.user + now.cpu.system - before.cpu.user - before.cpu.system
    const { rss, heapUsed } = memoryUsage()
    const { pool, ownerPool } = database
    const { count, errors, ms } = requests
    const delayMs = loop.percentile(99) / 1e6
    before = now
    requests = { count: 0, errors: 0, ms: 0 }
    loop.reset()
    return {
      [processMetrics.cpu]: microseconds / 1e4 / seconds,
      [processMetrics.memory]: rss,
      [processMetrics.heap]: heapUsed,
      [processMetrics.loopDelay]: delayMs,
      [processMetrics.requests]: count / seconds,
      [processMetrics.requestErrors]: errors / seconds,
      ...(count > 0 && { [processMetrics.requestTime]: ms / count }),
      [processMetrics.sockets]: live().connections,
      [processMetrics.connections]: pool.totalCount + ownerPool.totalCount,
      [processMetrics.connectionWaits]: pool.waitingCount + ownerPool.waitingCount,
    }
  }

  const cancel = clock.setInterval(() => {
    working ??= write()
      .catch((error: unknown) => log.debug({ err: error }, 'The figures of this process were not written'))
      .finally(() => (working = undefined))
  }, everyMs)
  return {
    /** Counts one request that was answered. */
    observe(status: number, ms: number): void {
      requests.count += 1
      requests.ms += ms
      if (status >= 500) requests.errors += 1
    },
    async stop(): Promise<void> {
      cancel()
      loop.disable()
      await working
    },
  }
}
