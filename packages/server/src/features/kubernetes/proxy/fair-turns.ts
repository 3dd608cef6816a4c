import type { Clock } from '../../../platform/clock.ts'

export type FairTurns = {
  /** Resolves when it is the user's turn, with the way to give it back; undefined when too many of theirs wait. */
  take(userKey: string): Promise<(() => void) | undefined>
}

export type FairTurnsOptions = {
  /** Requests of all users that are worked on at the same time. */
  slots: number
  /** Requests of one user that may wait. */
  maxWaiting: number
  /** A turn ends by itself after this long: anyone who waits for a slow cluster costs this process nothing. */
  turnMs: number
}

export const fairTurns: FairTurnsOptions = { slots: 64, maxWaiting: 1000, turnMs: 1_000 }

/**
 * Shares this process among users: while all slots are taken, users take turns, the one with the fewest slots first, so that
 * one user's burst delays another's request by one turn at most.
 */
export function createFairTurns(clock: Clock, { slots, maxWaiting, turnMs }: FairTurnsOptions): FairTurns {
  /** In the order in which their next turn comes. */
  const queues = new Map<string, ((giveBack: () => void) => void)[]>()
  const slotsTaken = new Map<string, number>()
  let free = slots

  function takeSlot(userKey: string): () => void {
    free -= 1
    slotsTaken.set(userKey, (slotsTaken.get(userKey) ?? 0) + 1)
    let holdsSlot = true
    const release = () => {
      if (!holdsSlot) return
      holdsSlot = false
      cancel()
      free += 1
      const rest = (slotsTaken.get(userKey) ?? 1) - 1
      if (rest === 0) slotsTaken.delete(userKey)
      else slotsTaken.set(userKey, rest)
      callNext()
    }
    const cancel = clock.setTimeout(release, turnMs)
    return release
  }

  function callNext(): void {
    let next: string | undefined
    for (const userKey of queues.keys()) {
      if (next === undefined || (slotsTaken.get(userKey) ?? 0) < (slotsTaken.get(next) ?? 0)) next = userKey
    }
    if (next === undefined) return
    const queue = queues.get(next) ?? []
    const first = queue.shift()
    // Moved behind the others.
    queues.delete(next)
    if (queue.length > 0) queues.set(next, queue)
    first?.(takeSlot(next))
  }

  return {
    async take(userKey) {
      if (free > 0) return takeSlot(userKey)
      const queue = queues.get(userKey) ?? []
      if (queue.length >= maxWaiting) return undefined
      queues.set(userKey, queue)
      return new Promise((resolve) => queue.push(resolve))
    },
  }
}
