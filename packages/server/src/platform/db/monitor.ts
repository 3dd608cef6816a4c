import pg from 'pg'

import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { refuseStandby } from './standby.ts'

const probeTimeoutMs = 3_000
const idlePeriodMs = 2_000
const retryMinMs = 100
const retryMaxMs = 2_000

export type Monitor = {
  isUp(): boolean
  ping(timeoutMs: number): Promise<void>
  onUp(callback: () => void): () => void
  stop(): Promise<void>
}

/** After so many probes without any answer the database is taken for frozen; one may be a connection's own fault. */
const silentProbes = 2

/**
 * Knows whether the database answers, from one connection of its own: a closed connection is noticed at once,
 * a silent one within 5 s, the return within 2 s. When the database is silent for about 8 s, what others asked of it
 * is given up: `listen` begins to listen to their connections, and its answer gives up those that are silent since.
 */
export function createMonitor(url: string, log: Log, listen: () => () => void): Monitor {
  const callbacks = new Set<() => void>()
  let up = true
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let retryMs = retryMinMs
  let silent = 0
  let giveUpSilent: (() => void) | undefined

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
    giveUpSilent ??= listen()
    try {
      if (client === undefined) client = await connect()
      await client.query({ text: 'select 1', query_timeout: probeTimeoutMs } as pg.QueryConfig)
    } catch (error) {
      handleNoAnswer(error)
      lost(error)
      return
    }
    if (stopped) return
    silent = 0
    giveUpSilent = undefined
    retryMs = retryMinMs
    schedule(idlePeriodMs)
    if (up) return
    up = true
    log.info('The database answers again')
    for (const callback of callbacks) callback()
  }

  function handleNoAnswer(error: unknown): void {
    silent = isTimeout(error) ? silent + 1 : 0
    if (silent < silentProbes) return
    const giveUp = giveUpSilent
    giveUpSilent = undefined
    // After what has arrived was read: this process may have been the one that stood still.
    setImmediate(() => setImmediate(() => giveUp?.()))
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
    try {
      await refuseStandby(next, probeTimeoutMs)
    } catch (error) {
      next.end().catch(() => undefined)
      throw error
    }
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

/** Nobody answered in time, as opposed to a connection that was refused or closed. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout/i.test(error.message)
}
