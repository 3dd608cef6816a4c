import { Worker } from 'node:worker_threads'
import type { Paper } from '@bey/contract/paper/paper'

export type PdfOrder = { paper: Paper; madeBy: string }

const timeoutMs = 30_000

/** Writes a paper by the library, in a thread with limits of its own. Throws where that takes more than 30 s or 256 MiB. */
export async function writeByLibrary(order: PdfOrder): Promise<Buffer> {
  const worker = new Worker(new URL('./library-pdf-worker.ts', import.meta.url), {
    workerData: order,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const timer = setTimeout(() => reject(new Error(`No paper was written within ${timeoutMs} ms`)), timeoutMs)
  worker.once('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes)))
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('The thread that writes papers ended without one')))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
