import { useSyncExternalStore } from 'react'

let heldAt: number | undefined
const listeners = new Set<() => void>()

/**
 * Stops what counts on screen at a time, in milliseconds since 1970, while the server does not answer: nobody knows whether
 * a run still runs. Undefined: the clock goes on.
 */
export function holdClock(at: number | undefined): void {
  if (heldAt === at) return
  heldAt = at
  for (const listener of listeners) listener()
}

/** The time up to which the page knows what it shows, in milliseconds since 1970. */
export function knownTime(): number {
  return heldAt ?? Date.now()
}

/** Whether the clock is held; draws again when that changes. */
export function useIsClockHeld(): boolean {
  return useSyncExternalStore(subscribe, () => heldAt !== undefined)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
