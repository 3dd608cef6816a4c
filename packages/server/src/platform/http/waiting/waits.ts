import type { Clock } from '../../clock.ts'

/** Requests that wait for the end of what they started. */
export type Waits = {
  /**
   * Asks `isOver` whenever something changed in the organization, until it is so or the time is up, the signal aborts or the
   * server stops. `full`: not asked, for as many requests wait as may.
   */
  until(wait: Wait, isOver: () => Promise<boolean>): Promise<'over' | 'not over' | 'full'>
  /** Ends every wait; those that come later do not wait. */
  close(): void
}

type Wait = { organizationId: number; userId: number; seconds: number; signal: AbortSignal }

type Options = {
  clock: Clock
  /** Moves with every event of an organization. */
  position: (organizationId: number) => string
  bounds?: { all: number; ofUser: number }
}

const lookMs = 100
/** Of a busy organization each wait asks four times a second at most. */
const askLeastMs = 250
/** An event can be missed while the connection to the database is renewed. */
const askAnywayMs = 2_000

/** `bounds`: how many requests may wait at once, of all and of one user; each holds a connection and nothing else. */
export function createWaits({ clock, position, bounds = { all: 200, ofUser: 10 } }: Options): Waits {
  const users = new Map<number, number>()
  const stopping = new AbortController()
  let waiting = 0

  const pause = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const cancel = clock.setTimeout(done, lookMs)
      function done() {
        signal.removeEventListener('abort', done)
        cancel()
        resolve()
      }
      signal.addEventListener('abort', done)
    })

  return {
    async until({ organizationId, userId, seconds, signal }, isOver) {
      const ofUser = users.get(userId) ?? 0
      if (waiting >= bounds.all || ofUser >= bounds.ofUser || stopping.signal.aborted) return 'full'
      users.set(userId, ofUser + 1)
      waiting += 1
      const either = AbortSignal.any([signal, stopping.signal])
      const endsAt = clock.monotonicMs() + seconds * 1_000
      try {
        for (let asked = '', askedAt = -Infinity; !either.aborted;) {
          const now = clock.monotonicMs()
          const at = position(organizationId)
          const hasMoved = at !== asked && now - askedAt >= askLeastMs
          if (hasMoved || now - askedAt >= askAnywayMs || now >= endsAt) {
            asked = at
            askedAt = now
            if (await isOver()) return 'over'
          }
          if (now >= endsAt) return 'not over'
          await pause(either)
        }
        return 'not over'
      } finally {
        waiting -= 1
        const left = (users.get(userId) ?? 1) - 1
        if (left > 0) users.set(userId, left)
        else users.delete(userId)
      }
    },
    close: () => stopping.abort(),
  }
}
