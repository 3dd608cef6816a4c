import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

import type { ContentPart } from './file-range.ts'

type SentPart = Uint8Array | { fd: number; position: number; length: number }
export type CompressOrder = { parts: SentPart[] }
/** In the order of the orders. */
export type CompressAnswer =
  | { frame: Uint8Array<ArrayBuffer> }
  | { problem: { message: string; code?: string } }

/** One core is left to the server: a request that has to wait for a thread to yield waits so at each of its turns. */
export const threads = Math.max(1, Math.min(2, availableParallelism() - 1))
/** The threads end when nothing was compressed for so long. */
const idleMs = 10_000

type Waiting = { resolve(frame: Uint8Array): void; reject(error: Error): void }
type Thread = { worker: Worker; waiting: Waiting[] }

let running: Thread[] = []
let idle: NodeJS.Timeout | undefined

/**
 * Reads parts of an archive and compresses them into a Zstandard frame in a thread of their own: a base backup takes half of
 * the processor that it takes when its files pass through the main thread, and does not slow the server.
 */
export async function compressInThread(parts: readonly ContentPart[]): Promise<Uint8Array> {
  const thread = leastBusy()
  clearTimeout(idle)
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      thread.waiting.push({ resolve, reject })
      thread.worker.postMessage({ parts: parts.map(sentPart) } satisfies CompressOrder)
    })
  } finally {
    for (const part of parts) if (!(part instanceof Uint8Array)) part.release()
    if (running.every(({ waiting }) => waiting.length === 0)) {
      clearTimeout(idle)
      idle = setTimeout(stopAll, idleMs).unref()
    }
  }
}

function sentPart(part: ContentPart): SentPart {
  if (part instanceof Uint8Array) return part
  const { fd, position, length } = part
  return { fd, position, length }
}

function leastBusy(): Thread {
  const quiet = running.toSorted((a, b) => a.waiting.length - b.waiting.length)[0]
  if (quiet !== undefined && (quiet.waiting.length === 0 || running.length >= threads)) return quiet
  return startThread()
}

function startThread(): Thread {
  const worker = new Worker(new URL('./compress-worker.ts', import.meta.url), { env: {} })
  const thread: Thread = { worker, waiting: [] }
  running.push(thread)
  worker.unref()
  worker.on('message', (answer: CompressAnswer) => {
    const next = thread.waiting.shift()
    if ('frame' in answer) next?.resolve(answer.frame)
    else next?.reject(Object.assign(new Error(answer.problem.message), { code: answer.problem.code }))
  })
  const fail = (error: Error) => {
    running = running.filter((each) => each !== thread)
    for (const { reject } of thread.waiting.splice(0)) reject(error)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The thread that compresses ended')))
  return thread
}

function stopAll(): void {
  const stopped = running
  running = []
  for (const { worker } of stopped) void worker.terminate()
}
