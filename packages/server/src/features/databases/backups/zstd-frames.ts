import { constants } from 'node:zlib'

/** How frames are compressed: tables and a window that the nearest caches of a core hold. */
export const frameOptions = {
  chunkSize: 512 * 1024,
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    [constants.ZSTD_c_hashLog]: 12,
    [constants.ZSTD_c_windowLog]: 17,
  },
}

const magic = 0xfd2fb528
const headerBytes = 5
const dictionaryIdBytes = [0, 1, 2, 4]
const contentSizeBytes = [0, 2, 4, 8]
const runLengthBlock = 1

/**
 * The frames of a Zstandard stream (RFC 8878, section 3.1.1), each as the pieces of its bytes, which have to be read before the
 * next one is asked for. Node's decompressor takes what follows the end of a frame for rubbish and ends without an error.
 * Throws Error for what is no frame, and for one that is cut off.
 */
export async function* framesOf(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<AsyncGenerator<Uint8Array>> {
  const reader = pieceReader(source)
  try {
    while (!(await reader.isOver())) yield frame(reader)
  } finally {
    await reader.close()
  }
}

async function* frame(reader: Reader): AsyncGenerator<Uint8Array> {
  const begin = await reader.exactly(headerBytes)
  if (begin.readUInt32LE(0) !== magic) throw new Error('The compressed bytes are damaged')
  const descriptor = begin.readUInt8(4)
  const isSingleSegment = ((descriptor >> 5) & 1) === 1
  const hasChecksum = ((descriptor >> 2) & 1) === 1
  const sizeFlag = descriptor >> 6
  const rest =
    (isSingleSegment ? 0 : 1) +
    (dictionaryIdBytes[descriptor & 3] ?? 0) +
    (sizeFlag === 0 && isSingleSegment ? 1 : (contentSizeBytes[sizeFlag] ?? 0))
  yield begin
  if (rest > 0) yield await reader.exactly(rest)
  for (;;) {
    const header = await reader.exactly(3)
    yield header
    const value = header.readUIntLE(0, 3)
    const size = ((value >> 1) & 3) === runLengthBlock ? 1 : value >> 3
    yield* reader.pieces(size)
    if ((value & 1) === 1) break
  }
  if (hasChecksum) yield await reader.exactly(4)
}

type Reader = ReturnType<typeof pieceReader>

/** Takes pieces of a stream in sizes of one's own. */
function pieceReader(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)

  async function isOver(): Promise<boolean> {
    while (held.length === 0) {
      const { done, value } = await iterator.next()
      if (done === true) return true
      held = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    }
    return false
  }

  async function* pieces(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0;) {
      if (await isOver()) throw new Error('The compressed bytes end too early')
      const piece = held.subarray(0, left)
      held = held.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }

  return {
    isOver,
    pieces,
    async exactly(length: number): Promise<Buffer> {
      const found: Buffer[] = []
      for await (const piece of pieces(length)) found.push(piece)
      return Buffer.concat(found)
    },
    async close(): Promise<void> {
      await iterator.return?.()
    },
  }
}
