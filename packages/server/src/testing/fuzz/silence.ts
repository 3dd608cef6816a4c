import { Worker } from 'node:worker_threads'

const beatMs = 250
const maxTextBytes = 8 * 1024

/**
 * Rejects with an error that names `what` unless the promise settles within `ms`. The work itself goes on, for nothing can
 * end it.
 */
export async function within<T>(what: string, ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not end within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Notices a main thread that stands still, as in a loop without end: no timer of its own would fire. After `silentMs` another
 * thread writes what was under way (`inFlight`, of which 8 KiB are kept) and the calls in which the main thread is to standard
 * error, and kills the process. Returns the way to stop it.
 */
export function watchForStandstill(silentMs: number, inFlight: () => string): () => Promise<void> {
  const shared = new SharedArrayBuffer(8 + maxTextBytes)
  const counts = new Int32Array(shared, 0, 2)
  const text = new Uint8Array(shared, 8)
  const thread = new Worker(new URL('standstill-thread.ts', import.meta.url), {
    workerData: { shared, silentMs },
    // Those of the process may be for its first module alone.
    execArgv: [],
  })
  thread.unref()
  const timer = setInterval(() => {
    // A view of shared memory is refused by TextEncoder.encodeInto.
    const bytes = Buffer.from(inFlight()).subarray(0, maxTextBytes)
    text.set(bytes)
    Atomics.store(counts, 1, bytes.length)
    Atomics.add(counts, 0, 1)
  }, beatMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await thread.terminate()
  }
}
