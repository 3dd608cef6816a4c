import { createHash, type Hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

import { frameSealer } from './frames.ts'
import type { SealAnswer, SealOrder } from './seal-stream.ts'
import { lowerThread } from '../../platform/low-priority.ts'

/** Streams that are being sealed, by their number. */
const streams = new Map<number, { hash: Hash; sealer: ReturnType<typeof frameSealer> }>()

lowerThread()
parentPort?.on('message', (order: SealOrder) => {
  const { stream, kind } = order
  if (kind === 'open') {
    streams.set(stream, { hash: createHash('sha256'), sealer: frameSealer(order.key, order.context) })
    return
  }
  const found = streams.get(stream)
  if (kind === 'close' || found === undefined) {
    streams.delete(stream)
    return
  }
  if (kind === 'push') {
    found.hash.update(order.chunk)
    answer({ stream, bytes: found.sealer.push(order.chunk) })
    return
  }
  streams.delete(stream)
  answer({ stream, bytes: found.sealer.end(), sha256: found.hash.digest('hex') })
})

function answer(message: SealAnswer & { bytes: Buffer<ArrayBuffer> }): void {
  // Each has memory of its own, which changes hands.
  parentPort?.postMessage(message, [message.bytes.buffer])
}
