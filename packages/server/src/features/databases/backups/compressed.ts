import { availableParallelism } from 'node:os'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createZstdDecompress, zstdCompress } from 'node:zlib'

import { framesOf } from './zstd-frames.ts'

const compress = promisify(zstdCompress)
/** Pieces from this size on are compressed as they come; smaller ones are gathered. */
const wholeBytes = 128 * 1024
const gatheredBytes = 1024 * 1024
/** More would keep the threads from reading and writing. */
const piecesAtOnce = Math.min(3, availableParallelism())
/** Pieces that are read ahead while others are compressed. */
const readAhead = 4
const chunkSize = 512 * 1024
const options = {
  chunkSize,
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    // A table that the nearest cache of a core holds: a fifth quicker, and no larger with rows of tables.
    [constants.ZSTD_c_hashLog]: 12,
  },
}

/**
 * Files of databases and of the WAL shrink to a fraction already at the quickest level. Pieces are compressed side by side in
 * the threads of Node, each as a frame of its own (RFC 8878, section 3: frames that follow each other are one stream).
 */
export async function* compressed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const waiting: Promise<Buffer>[] = []
  let isEmpty = true
  for await (const piece of gathered(Readable.from(source, { highWaterMark: readAhead }))) {
    isEmpty = false
    const frame = compress(piece, options)
    // Read later, or never where the reader gave up.
    frame.catch(() => undefined)
    waiting.push(frame)
    const first = waiting.length > piecesAtOnce ? waiting.shift() : undefined
    if (first !== undefined) yield await first
  }
  for (const frame of waiting) yield await frame
  if (isEmpty) yield await compress(Buffer.alloc(0), options)
}

/** Puts small pieces together; large ones stay as they are, for each copy costs as much as its encryption. */
async function* gathered(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let heldBytes = 0
  function* release() {
    if (heldBytes > 0) yield Buffer.concat(held)
    held = []
    heldBytes = 0
  }
  for await (const piece of source) {
    if (piece.length >= wholeBytes) {
      yield* release()
      yield piece
      continue
    }
    held.push(piece)
    heldBytes += piece.length
    if (heldBytes >= gatheredBytes) yield* release()
  }
  yield* release()
}

/** Reverses `compressed`, also as earlier versions of Bey did it: in a single frame. */
export async function* decompressed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const frame of framesOf(source)) {
    const stream = createZstdDecompress({ chunkSize })
    // Its error reaches whoever reads.
    pipeline(frame, stream, () => undefined)
    yield* stream as AsyncIterable<Buffer>
  }
}
