import type { Clock } from '../../../platform/clock.ts'

export type FairTurns = {
  /** Resolves when it is the user's turn, with the way to give it back; undefined when too many of theirs wait. */
  take(userKey: string): Promise<(() => void) | undefined>
}

export type FairTurnsOptions = {
  /** Requests of all users that are worked on at the same time. */
  seats: number
  /** Requests of one user that may wait. */
  maxWaiting: number
  /** A turn ends by itself after this long: whoever waits for a slow cluster costs this process nothing. */
  turnMs: number
}

export const fairTurns: FairTurnsOptions = { seats: 64, maxWaiting: 1000, turnMs: 1_000 }

/**
 * Shares this process among users: while all seats are taken, users take turns, whoever has fewest seats first, so that
 * one user's burst delays another's request by one turn at most.
 */
export function createFairTurns(clock: Clock, { seats, maxWaiting, turnMs }: FairTurnsOptions): FairTurns {
  /** In the order in which their next turn comes. */
  const queues = new Map<string, ((giveBack: () => void) => void)[]>()
  const seated = new Map<string, number>()
  let free = seats

  function sit(userKey: string): () => void {
    free -= 1
    seated.set(userKey, (seated.get(userKey) ?? 0) + 1)
    let isSeated = true
    const leave = () => {
      if (!isSeated) return
      isSeated = false
      cancel()
      free += 1
      const rest = (seated.get(userKey) ?? 1) - 1
      if (rest === 0) seated.delete(userKey)
      else seated.set(userKey, rest)
      callNext()
    }
    const cancel = clock.setTimeout(leave, turnMs)
    return leave
  }

  function callNext(): void {
    let next: string | undefined
    for (const userKey of queues.keys()) {
      if (next === undefined || (seated.get(userKey) ?? 0) < (seated.get(next) ?? 0)) next = userKey
    }
    if (next === undefined) return
    const queue = queues.get(next) ?? []
    const first = queue.shift()
    // Moved behind the others.
    queues.delete(next)
    if (queue.length > 0) queues.set(next, queue)
    first?.(sit(next))
  }

  return {
    async take(userKey) {
      if (free > 0) return sit(userKey)
      const queue = queues.get(userKey) ?? []
      if (queue.length >= maxWaiting) return undefined
      queues.set(userKey, queue)
      return new Promise((resolve) => queue.push(resolve))
    },
  }
}
