import { setTimeout as sleep } from 'node:timers/promises'

import type { BackupStore } from '../../features/databases/backups/backup-store.ts'
import { type Clock, realClock } from '../../platform/clock.ts'

type Pace = { bytesPerSecond: number; clock?: Pick<Clock, 'monotonicMs'>; wait?: typeof waitMs }

/** Stores at most so many bytes a second on average, so that a backup leaves disk and network to others. */
export function throttledStore(inner: BackupStore, pace: Pace): BackupStore {
  return { ...inner, put: (key, source, signal) => inner.put(key, throttle(source, signal, pace), signal) }
}

async function* throttle(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  { bytesPerSecond, clock = realClock, wait = waitMs }: Pace,
): AsyncGenerator<Uint8Array> {
  const begunMs = clock.monotonicMs()
  let passed = 0
  for await (const chunk of source) {
    yield chunk
    passed += chunk.length
    const aheadMs = (passed / bytesPerSecond) * 1000 - (clock.monotonicMs() - begunMs)
    // Shorter waits cost more than they slow down.
    if (aheadMs >= 5) await wait(aheadMs, signal)
  }
}

async function waitMs(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal })
}
