import pg from 'pg'

import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'

const probeTimeoutMs = 3_000
const idlePeriodMs = 5_000
const retryMinMs = 100
const retryMaxMs = 2_000

export type Monitor = {
  isUp(): boolean
  ping(timeoutMs: number): Promise<void>
  onUp(callback: () => void): () => void
  stop(): Promise<void>
}

/**
 * Knows whether the database answers, from one connection of its own: a closed connection is noticed at once,
 * a silent one within 8 s, the return within 2 s.
 */
export function createMonitor(url: string, log: Log): Monitor {
  const callbacks = new Set<() => void>()
  let up = true
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let retryMs = retryMinMs

  function lost(reason: unknown): void {
    const dead = client
    client = undefined
    dead?.end().catch(() => undefined)
    if (stopped) return
    if (up) {
      up = false
      log.error({ err: reason }, 'The database does not answer')
    }
    schedule(retryMs)
    retryMs = Math.min(retryMs * 2, retryMaxMs)
  }

  function schedule(delayMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void probe(), delayMs)
    timer.unref()
  }

  async function probe(): Promise<void> {
    try {
      if (client === undefined) client = await connect()
      await client.query({ text: 'select 1', query_timeout: probeTimeoutMs } as pg.QueryConfig)
    } catch (error) {
      lost(error)
      return
    }
    if (stopped) return
    retryMs = retryMinMs
    schedule(idlePeriodMs)
    if (up) return
    up = true
    log.info('The database answers again')
    for (const callback of callbacks) callback()
  }

  async function connect(): Promise<pg.Client> {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'bey-monitor',
      connectionTimeoutMillis: probeTimeoutMs,
      keepAlive: true,
    })
    next.on('error', (error) => {
      if (next === client) lost(error)
    })
    next.on('end', () => {
      if (next === client) lost(new Error('The connection was closed'))
    })
    await next.connect()
    return next
  }

  schedule(0)
  return {
    isUp: () => up,
    async ping(timeoutMs) {
      const probe = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: timeoutMs,
        query_timeout: timeoutMs,
      })
      probe.on('error', () => undefined)
      try {
        await probe.connect()
        await probe.query('select 1')
      } catch (error) {
        throw new AppError('unavailable', 'The database does not answer at the moment.', { cause: error })
      } finally {
        await probe.end().catch(() => undefined)
      }
    },
    onUp(callback) {
      callbacks.add(callback)
      return () => callbacks.delete(callback)
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      const last = client
      client = undefined
      await last?.end()
    },
  }
}
