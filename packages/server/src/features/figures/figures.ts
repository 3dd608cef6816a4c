import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { EngineState } from '../../platform/engine/engine.ts'
import type { ReadOnlyMode } from '../../platform/read-only.ts'
import { backupFigures } from './backup-figures.ts'
import { readQueue } from './queue.ts'
import { sharingFigures, type SharingSource } from './sharing-figures.ts'

export type FigureSources = {
  database: Database
  clock: Clock
  engine: () => EngineState
  readOnly: Pick<ReadOnlyMode, 'isOn'>
  /** Sockets and what they follow. */
  live: () => { connections: number; subscriptions: number }
  sharing: SharingSource
}

/** One answer of the queue serves all gauges of a scrape. */
const queueFreshMs = 1_000

/** The figures of this process as Prometheus reads them. */
export function createFigures({ database, clock, engine, readOnly, live, sharing }: FigureSources) {
  const register = new Registry()
  collectDefaultMetrics({ register, prefix: 'bey_' })

  let queueAt = Number.NEGATIVE_INFINITY
  let queue: ReturnType<typeof readQueue> | undefined
  const freshQueue = () => {
    const now = clock.monotonicMs()
    if (queue === undefined || now - queueAt > queueFreshMs) {
      queue = readQueue(database)
      queueAt = now
    }
    return queue
  }

  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [register],
      async collect() {
        this.set(await read())
      },
    })
  gauge('bey_engine_active_runs', 'Runs that this process works at', () => engine().activeRuns)
  gauge('bey_engine_max_runs', 'Runs that this process may work at', () => engine().maxConcurrentRuns)
  gauge(
    'bey_queue_runs',
    'Runs that wait to begin, of every organization',
    async () => (await freshQueue()).depth,
  )
  gauge('bey_queue_oldest_seconds', 'How long the oldest of them has waited', async () => {
    return (await freshQueue()).oldestMs / 1_000
  })
  gauge(
    'bey_runs_waiting',
    'Runs that wait for time, people or events',
    async () => (await freshQueue()).waiting,
  )
  gauge('bey_workers', 'Living processes that execute runs', async () => (await freshQueue()).workers)
  gauge('bey_read_only', '1 while changes are refused and no step begins', () => Number(readOnly.isOn()))
  gauge('bey_sockets', 'Open sockets of this process', () => live().connections)
  gauge('bey_socket_subscriptions', 'What these sockets follow', () => live().subscriptions)
  gauge('bey_database_connections', 'Open connections to the database', () => {
    return database.pool.totalCount + database.ownerPool.totalCount
  })
  gauge('bey_database_waiting', 'Requests that wait for a connection', () => {
    return database.pool.waitingCount + database.ownerPool.waitingCount
  })

  backupFigures(database, clock, register)
  sharingFigures(sharing, register)

  const requests = new Histogram({
    name: 'bey_http_request_seconds',
    help: 'How long requests took, by route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [register],
  })

  return {
    /** Counts one request that was answered. `route` is its template, never its path. */
    observe: (method: string, route: string, status: number, seconds: number) =>
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds),
    text: () => register.metrics(),
    /** `text/plain` with the version of Prometheus's text format. */
    mediaType: register.contentType,
  }
}
