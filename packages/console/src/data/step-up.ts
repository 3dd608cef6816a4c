import { useSyncExternalStore } from 'react'

// Requests that wait for one answer: anyone who acts twice is asked once.
let waiting: ((isConfirmed: boolean) => void)[] = []
const listeners = new Set<() => void>()

/** Opens the dialog that confirms who is there. Resolves with true once they did, with false when they gave up. */
export function askForConfirmation(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting = [...waiting, resolve]
    notify()
  })
}

/** Answers everybody who waits, and closes the dialog. */
export function answerConfirmation(isConfirmed: boolean): void {
  const resolvers = waiting
  waiting = []
  notify()
  for (const resolve of resolvers) resolve(isConfirmed)
}

/** Whether somebody waits for a confirmation. */
export function useIsConfirmationAsked(): boolean {
  return useSyncExternalStore(subscribe, () => waiting.length > 0)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  for (const listener of listeners) listener()
}
