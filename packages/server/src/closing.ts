import type { Log } from './platform/log.ts'

/** What has to be closed at the end, in the reverse of the order in which it was opened. */
export type Closing = {
  add(name: string, close: () => Promise<void>): void
  isClosing(): boolean
  /** Closes everything once, going on after a failure; calls after the first wait for it. */
  close(): Promise<void>
}

/** One that hangs must not keep the database from being stopped in order. */
const patienceMs = 15_000

export function createClosing(log: Log): Closing {
  const steps: { name: string; close: () => Promise<void> }[] = []
  let closed: Promise<void> | undefined

  async function closeAll(): Promise<void> {
    for (const { name, close } of steps.toReversed()) {
      try {
        await within(close(), name)
      } catch (error) {
        log.error({ err: error, part: name }, 'Could not be closed in order')
      }
    }
  }

  return {
    add: (name, close) => void steps.push({ name, close }),
    isClosing: () => closed !== undefined,
    close: () => (closed ??= closeAll()),
  }
}

async function within(closed: Promise<void>, name: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${name} was not closed within ${patienceMs / 1000} s`)),
      patienceMs,
    )
  })
  try {
    await Promise.race([closed, late])
  } finally {
    clearTimeout(timer)
  }
}
