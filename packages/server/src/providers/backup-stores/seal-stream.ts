import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'

import { frameSealer } from './frames.ts'

export type SealOrder = { stream: number } & (
  | { kind: 'open'; key: Uint8Array; context: Uint8Array }
  | { kind: 'push'; chunk: Uint8Array }
  | { kind: 'end' }
  | { kind: 'close' }
)
/** In the order of `push` and `end` of a stream; `sha256` (hex) comes with the end. */
export type SealAnswer = { stream: number; bytes: Uint8Array; sha256?: string }

/** What is shorter is sealed here: a thread costs more than it. */
const inlineBytes = 256 * 1024
/** Chunks that are at the worker at once. */
const chunksAtOnce = 3
/** The worker ends when nothing was sealed for so long. */
const idleMs = 10_000

/**
 * Hashes a stream (SHA-256) and encrypts it in frames, long ones in a thread of their own, so that a backup does not slow the
 * server. `result` is known when the bytes have been read to their end.
 */
export function sealStream(key: Buffer, context: Buffer, source: AsyncIterable<Uint8Array>) {
  const state = { sizeBytes: 0, sha256: '' }

  async function* bytes(): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256')
    const held: Uint8Array[] = []
    let remote: RemoteSealer | undefined
    const waiting: Promise<SealAnswer>[] = []
    try {
      for await (const chunk of source) {
        state.sizeBytes += chunk.length
        if (remote === undefined) {
          held.push(chunk)
          if (state.sizeBytes <= inlineBytes) continue
          remote = openSealer(key, context)
        }
        for (const piece of held.length > 0 ? held.splice(0) : [chunk]) waiting.push(remote.push(piece))
        while (waiting.length > chunksAtOnce) yield* sealed(await waiting.shift())
      }
      if (remote === undefined) {
        const sealer = frameSealer(key, context)
        for (const piece of held) {
          hash.update(piece)
          yield* sealed({ bytes: sealer.push(piece) })
        }
        yield sealer.end()
        state.sha256 = hash.digest('hex')
        return
      }
      const end = remote.end()
      for (const answer of waiting) yield* sealed(await answer)
      const { bytes: last, sha256 = '' } = await end
      state.sha256 = sha256
      yield last
    } finally {
      remote?.close()
    }
  }

  return { bytes: bytes(), result: () => state }
}

function* sealed(answer: Pick<SealAnswer, 'bytes'> | undefined): Generator<Uint8Array> {
  if (answer !== undefined && answer.bytes.length > 0) yield answer.bytes
}

type RemoteSealer = ReturnType<typeof openSealer>
type Waiting = { resolve(answer: SealAnswer): void; reject(error: Error): void }
type SealWorker = {
  worker: Worker
  /** Of each open stream, what its answers are waited for by, in their order. */
  streams: Map<number, Waiting[]>
  idle?: NodeJS.Timeout
}

let shared: SealWorker | undefined
let lastStream = 0

/** A stream at the worker, which is started where none runs. */
function openSealer(key: Buffer, context: Buffer) {
  const to = (shared ??= startWorker())
  const stream = (lastStream += 1)
  const waiting: Waiting[] = []
  clearTimeout(to.idle)
  to.streams.set(stream, waiting)
  send({ stream, kind: 'open', key, context })

  function send(order: SealOrder): void {
    to.worker.postMessage(order)
  }

  function ask(order: SealOrder): Promise<SealAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<SealAnswer>()
    // Read later, or never where the reader gave up.
    promise.catch(() => undefined)
    if (to.streams.get(stream) === undefined) reject(new Error('The thread that encrypts ended'))
    waiting.push({ resolve, reject })
    send(order)
    return promise
  }

  return {
    push: (chunk: Uint8Array) => ask({ stream, kind: 'push', chunk }),
    end: () => ask({ stream, kind: 'end' }),
    close(): void {
      send({ stream, kind: 'close' })
      to.streams.delete(stream)
      if (to.streams.size > 0) return
      to.idle = setTimeout(() => stopWorker(to), idleMs)
      to.idle.unref()
    },
  }
}

function startWorker(): SealWorker {
  const worker = new Worker(new URL('./seal-worker.ts', import.meta.url), { env: {} })
  const started: SealWorker = { worker, streams: new Map() }
  // Whoever waits for its answers keeps the process running, or does not.
  worker.unref()
  worker.on('message', (answer: SealAnswer) => started.streams.get(answer.stream)?.shift()?.resolve(answer))
  const fail = (error: Error) => {
    if (shared === started) shared = undefined
    const waiting = [...started.streams.values()].flat()
    started.streams.clear()
    for (const { reject } of waiting) reject(error)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The thread that encrypts ended')))
  return started
}

function stopWorker(idle: SealWorker): void {
  if (idle.streams.size > 0) return
  if (shared === idle) shared = undefined
  void idle.worker.terminate()
}
