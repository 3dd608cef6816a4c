import type { Log } from './platform/log.ts'

/** What has to be closed at the end, in the reverse of the order in which it was opened. */
export type Closing = {
  /** `patienceMs`: how much longer than others it may take. */
  add(name: string, close: () => Promise<void>, patienceMs?: number): void
  isClosing(): boolean
  /** Closes everything once, going on after a failure; calls after the first wait for it. */
  close(): Promise<void>
}

/** One that hangs must not keep the database from being stopped in order. */
const patienceMs = 15_000

export function createClosing(log: Log): Closing {
  const steps: { name: string; close: () => Promise<void>; ms: number }[] = []
  let closed: Promise<void> | undefined

  async function closeAll(): Promise<void> {
    for (const { name, close, ms } of steps.toReversed()) {
      try {
        await within(close(), name, ms)
      } catch (error) {
        log.error({ err: error, part: name }, 'Could not be closed in order')
      }
    }
  }

  return {
    add: (name, close, more = 0) => void steps.push({ name, close, ms: patienceMs + more }),
    isClosing: () => closed !== undefined,
    close: () => (closed ??= closeAll()),
  }
}

async function within(closed: Promise<void>, name: string, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} was not closed within ${ms / 1000} s`)), ms)
  })
  try {
    await Promise.race([closed, late])
  } finally {
    clearTimeout(timer)
  }
}
