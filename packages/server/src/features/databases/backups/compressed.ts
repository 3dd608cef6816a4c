import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createZstdDecompress, zstdCompress } from 'node:zlib'

import { compressInThread, threads } from './compress-pool.ts'
import { type ArchivePart, type ContentPart, lengthOf } from './file-range.ts'
import { frameOptions, framesOf } from './zstd-frames.ts'

const compress = promisify(zstdCompress)
/** Bytes of a frame before compression, unless the source ends or wants to be read. Each frame is a message or two. */
const frameBytes = 4 * 1024 * 1024
/** So that each thread has the next frame when it is done with one. */
const framesAtOnce = threads + 1
/** Parts that are taken from the source while others are compressed. */
const readAhead = 4

/**
 * Files of databases and of the WAL shrink to a fraction already at the quickest level. Frames are compressed side by side in
 * threads (RFC 8878, section 3: frames that follow each other are one stream).
 */
export async function* compressed(source: AsyncIterable<ArchivePart>): AsyncGenerator<Uint8Array> {
  const waiting: Promise<Uint8Array>[] = []
  let isEmpty = true
  for await (const parts of gathered(Readable.from(source, { highWaterMark: readAhead }))) {
    isEmpty = false
    const frame = frameOf(parts)
    // Read later, or never where the reader gave up.
    frame.catch(() => undefined)
    waiting.push(frame)
    const first = waiting.length > framesAtOnce ? waiting.shift() : undefined
    if (first !== undefined) yield await first
  }
  for (const frame of waiting) yield await frame
  if (isEmpty) yield await compress(Buffer.alloc(0), frameOptions)
}

/** What is in memory already is compressed by the threads of Node. */
function frameOf(parts: readonly ContentPart[]): Promise<Uint8Array> {
  const bytes = parts.filter((part) => part instanceof Uint8Array)
  if (bytes.length < parts.length) return compressInThread(parts)
  const [only] = bytes
  return compress(bytes.length === 1 && only !== undefined ? only : Buffer.concat(bytes), frameOptions)
}

async function* gathered(source: AsyncIterable<ArchivePart>): AsyncGenerator<ContentPart[]> {
  let held: ContentPart[] = []
  for await (const part of source) {
    if (part !== 'barrier') held.push(part)
    if (held.length > 0 && (part === 'barrier' || lengthOf(held) >= frameBytes)) {
      yield held
      held = []
    }
  }
  if (held.length > 0) yield held
}

/** Reverses `compressed`, also as earlier versions of Bey did it: in a single frame. */
export async function* decompressed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const frame of framesOf(source)) {
    const stream = createZstdDecompress({ chunkSize: frameOptions.chunkSize })
    // Its error reaches whoever reads.
    pipeline(frame, stream, () => undefined)
    yield* stream as AsyncIterable<Buffer>
  }
}
