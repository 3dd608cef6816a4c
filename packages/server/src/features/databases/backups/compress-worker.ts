import { readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { zstdCompressSync } from 'node:zlib'

import type { CompressAnswer, CompressOrder } from './compress-pool.ts'
import { frameOptions } from './zstd-frames.ts'
import { lowerThread } from '../../../platform/low-priority.ts'

/** Used for each frame: memory that the processor has at hand, instead of new pages. */
let buffer = Buffer.alloc(0)

lowerThread()
parentPort?.on('message', ({ parts }: CompressOrder) => {
  try {
    const length = parts.reduce((total, part) => total + part.length, 0)
    if (buffer.length < length) buffer = Buffer.allocUnsafeSlow(length)
    let at = 0
    for (const part of parts) {
      if (part instanceof Uint8Array) buffer.set(part, at)
      else readRange(part, buffer.subarray(at, at + part.length))
      at += part.length
    }
    // Copied: what the compressor answers may share its memory with others.
    const frame = new Uint8Array(zstdCompressSync(buffer.subarray(0, length), frameOptions))
    parentPort?.postMessage({ frame } satisfies CompressAnswer, [frame.buffer])
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    parentPort?.postMessage({
      problem: { message, ...(code !== undefined && { code }) },
    } satisfies CompressAnswer)
  }
})

function readRange({ fd, position, length }: { fd: number; position: number; length: number }, to: Buffer) {
  for (let read = 0; read < length;) {
    const count = readSync(fd, to, read, length - read, position + read)
    if (count === 0) {
      // The file was cut off meanwhile.
      to.fill(0, read)
      return
    }
    read += count
  }
}
