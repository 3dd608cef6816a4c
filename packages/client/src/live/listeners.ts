/** A set of callbacks of which none can spoil the others' turn. */
export type Listeners<A extends unknown[]> = {
  add: (listener: (...args: A) => void) => () => void
  call: (...args: A) => void
}

export function createListeners<A extends unknown[]>(onError: (error: unknown) => void): Listeners<A> {
  const listeners = new Set<{ run: (...args: A) => void }>()
  return {
    add(run) {
      // Wrapped, so that one function added twice is called twice and removed once.
      const entry = { run }
      listeners.add(entry)
      return () => listeners.delete(entry)
    },
    call(...args) {
      for (const { run } of Array.from(listeners)) {
        try {
          run(...args)
        } catch (error) {
          onError(error)
        }
      }
    },
  }
}
