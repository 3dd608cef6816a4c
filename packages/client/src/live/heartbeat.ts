import type { ClientFrame } from '@bey/contract'
import { liveLimits } from '@bey/contract'
import type { Clock } from '../clock.ts'
import type { Pending } from './pending.ts'
import { liveTexts } from './texts.ts'
import { watchSleep } from './wake.ts'

export type HeartbeatOptions = {
  clock: Clock
  pending: Pending
  nextId: () => string
  /** Throws where there is no connection. */
  send: (frame: ClientFrame) => void
  isConnected: () => boolean
  onRoundTrip: (roundTripMs: number) => void
  /** No answer came in time: the connection is lost. */
  onTimeout: () => void
  onFailure: (error: unknown) => void
}

export type Heartbeat = {
  /** From now on pings regularly, and at once when the computer wakes. */
  start: () => void
  stop: () => void
  /** Milliseconds of a round trip. Rejects with 'Ping timeout' after 5 s. */
  ping: () => Promise<number>
  /** Finds out now rather than at the next ping whether the connection is there. */
  checkNow: () => void
}

/** Finds out within seconds that a connection is lost, although nothing closed it. */
export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { clock, pending } = options
  let cancelPing = () => {}
  let stopWatchingSleep = () => {}

  function pingLater() {
    cancelPing()
    cancelPing = clock.setTimeout(() => {
      pingLater()
      ping().catch(options.onFailure)
    }, liveLimits.pingIntervalMs)
  }

  async function ping(): Promise<number> {
    const id = options.nextId()
    const startedAt = clock.now()
    options.send({ type: 'PING', id, payload: { timestamp: startedAt } })
    try {
      await pending.wait(id, liveLimits.pingTimeoutMs, liveTexts.pingTimeout)
    } catch (error) {
      if (error instanceof Error && error.message === liveTexts.pingTimeout) options.onTimeout()
      throw error
    }
    const roundTripMs = clock.now() - startedAt
    options.onRoundTrip(roundTripMs)
    return roundTripMs
  }

  function checkNow() {
    if (options.isConnected()) ping().catch(options.onFailure)
  }

  return {
    start() {
      pingLater()
      stopWatchingSleep = watchSleep(clock, checkNow)
    },
    stop() {
      cancelPing()
      stopWatchingSleep()
    },
    ping,
    checkNow,
  }
}
