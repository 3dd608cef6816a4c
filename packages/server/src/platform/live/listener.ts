import pg from 'pg'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'

const retryMinMs = 100
const retryMaxMs = 5_000
const probePeriodMs = 10_000
const probeTimeoutMs = 5_000

export type ListenerOptions = {
  /** Connection string of the owner. */
  url: string
  /** What to do with a notification, by channel. */
  channels: Record<string, (payload: string) => void>
  /** Notifications may have been missed: the connection was lost and is back. */
  onGap: () => void
  clock: Clock
  log: Log
}

export type Listener = {
  isListening: () => boolean
  close: () => Promise<void>
}

/**
 * One connection that receives notifications for the lifetime of the process: a closed one is replaced within 100 ms,
 * growing to 5 s; a silent one is found out within 15 s. Resolves once it listens, or when the first attempt has
 * failed and it goes on trying.
 */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const { clock, log } = options
  let client: pg.Client | undefined
  let cancelTimer = () => {}
  let stopped = false
  let hasListened = false
  let retryMs = retryMinMs

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: options.url,
      application_name: 'bey-live',
      connectionTimeoutMillis: probeTimeoutMs,
      query_timeout: probeTimeoutMs,
      keepAlive: true,
    })
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    next.on('notification', ({ channel, payload }) => onNotification(channel, payload ?? ''))
    try {
      await next.connect()
      await next.query(
        Object.keys(options.channels)
          .map((channel) => `listen ${channel}`)
          .join('; '),
      )
    } catch (error) {
      next.end().catch(ignore)
      throw error
    }
    if (stopped) {
      await next.end()
      return
    }
    client = next
    retryMs = retryMinMs
    probeLater(next)
    if (hasListened) {
      log.info('Live events are heard again')
      options.onGap()
    }
    hasListened = true
  }

  function onNotification(channel: string, payload: string): void {
    try {
      options.channels[channel]?.(payload)
    } catch (error) {
      // One that cannot be read must not take the others with it.
      log.error({ err: error, channel }, 'A notification could not be handled')
    }
  }

  function lost(which: pg.Client): void {
    if (client !== which) return
    client = undefined
    which.end().catch(ignore)
    if (stopped) return
    log.warn('The connection that hears live events was lost')
    tryLater()
  }

  function tryLater(): void {
    cancelTimer()
    cancelTimer = clock.setTimeout(() => {
      connect().catch((error: unknown) => {
        log.debug({ err: error }, 'Live events wait for the database')
        if (!stopped) tryLater()
      })
    }, retryMs)
    retryMs = Math.min(retryMs * 2, retryMaxMs)
  }

  function probeLater(which: pg.Client): void {
    cancelTimer()
    cancelTimer = clock.setTimeout(() => {
      which.query('select 1').then(
        () => (client === which ? probeLater(which) : undefined),
        () => lost(which),
      )
    }, probePeriodMs)
  }

  await connect().catch((error: unknown) => {
    log.warn({ err: error }, 'Live events are not heard yet')
    hasListened = true
    tryLater()
  })

  return {
    isListening: () => client !== undefined,
    async close() {
      stopped = true
      cancelTimer()
      const last = client
      client = undefined
      await last?.end()
    },
  }
}

// A connection that is given up may fail to say good-bye.
function ignore(_error: unknown): void {}
