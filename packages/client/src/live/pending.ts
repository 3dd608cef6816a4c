import type { Clock } from '../clock.ts'

type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void; cancelTimer: () => void }

/** Requests on the socket that wait for their answer, by id. */
export type Pending = {
  /** Rejects with `timeoutText` when there is no answer in time. */
  wait: (id: string, timeoutMs: number, timeoutText: string) => Promise<unknown>
  resolve: (id: string, value: unknown) => void
  reject: (id: string, text: string) => void
  rejectAll: (text: string) => void
}

export function createPending(clock: Clock): Pending {
  const waiting = new Map<string, Waiting>()

  function take(id: string): Waiting | undefined {
    const found = waiting.get(id)
    found?.cancelTimer()
    waiting.delete(id)
    return found
  }

  return {
    wait: (id, timeoutMs, timeoutText) =>
      new Promise((resolve, reject) => {
        const cancelTimer = clock.setTimeout(() => take(id)?.reject(new Error(timeoutText)), timeoutMs)
        waiting.set(id, { resolve, reject, cancelTimer })
      }),
    resolve: (id, value) => take(id)?.resolve(value),
    reject: (id, text) => take(id)?.reject(new Error(text)),
    rejectAll(text) {
      for (const id of waiting.keys()) take(id)?.reject(new Error(text))
    },
  }
}
