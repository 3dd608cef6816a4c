export type Slots = {
  capacity: number
  /** Places that nobody has or waits for. */
  free(): number
  held(): number
  /** Takes a place at once, even beyond the capacity: a run that was handed on must go on somewhere. */
  take(runId: string): void
  release(runId: string): void
  /** Waits for a place, after those that asked before. */
  acquire(runId: string): Promise<void>
}

/** Places for runs that execute something in this process. A run that only waits has none. */
export function createSlots(capacity: number, onFree: () => void): Slots {
  const holders = new Set<string>()
  const queue: { runId: string; resolve: () => void }[] = []

  function admit(): void {
    while (holders.size < capacity) {
      const next = queue.shift()
      if (next === undefined) break
      holders.add(next.runId)
      next.resolve()
    }
    if (holders.size < capacity) onFree()
  }

  return {
    capacity,
    free: () => Math.max(0, capacity - holders.size - queue.length),
    held: () => holders.size,
    take(runId) {
      holders.add(runId)
    },
    release(runId) {
      if (holders.delete(runId)) admit()
    },
    acquire(runId) {
      if (holders.has(runId)) return Promise.resolve()
      if (holders.size < capacity && queue.length === 0) {
        holders.add(runId)
        return Promise.resolve()
      }
      return new Promise((resolve) => {
        queue.push({ runId, resolve })
      })
    },
  }
}
