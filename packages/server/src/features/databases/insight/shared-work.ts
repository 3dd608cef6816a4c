/** Work on keys, of which each is under way once at a time. */
export type SharedWork<T> = {
  /** What is under way for a key, or begins now. */
  join(key: string, work: () => Promise<T>): Promise<T>
  /** What begins after this call: waits for what is under way, and shares what follows it. */
  begin(key: string, work: () => Promise<T>): Promise<T>
  /** Resolves when everything has ended that was under way. */
  settled(): Promise<void>
}

export function sharedWork<T>(): SharedWork<T> {
  const running = new Map<string, Promise<T>>()
  const next = new Map<string, Promise<T>>()

  function join(key: string, work: () => Promise<T>): Promise<T> {
    const under = running.get(key)
    if (under !== undefined) return under
    const made = work().finally(() => running.delete(key))
    running.set(key, made)
    return made
  }

  return {
    join,
    begin(key, work) {
      const under = running.get(key)
      if (under === undefined) return join(key, work)
      const waiting = next.get(key)
      if (waiting !== undefined) return waiting
      const start = () => {
        next.delete(key)
        return join(key, work)
      }
      // However the work before it ended.
      const made = under.then(start, start)
      next.set(key, made)
      return made
    },
    async settled() {
      await Promise.allSettled([...running.values(), ...next.values()])
    },
  }
}
