import { pipeline } from 'node:stream'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'

const chunkSize = 512 * 1024

/** Files of databases and of the WAL shrink to a fraction already at the quickest level. */
export function compressed(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const stream = createZstdCompress({ chunkSize, params: { [constants.ZSTD_c_compressionLevel]: 1 } })
  // Its error reaches whoever reads.
  pipeline(source, stream, () => undefined)
  return stream as AsyncIterable<Buffer>
}

/** Reverses `compressed`. */
export function decompressed(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const stream = createZstdDecompress({ chunkSize })
  pipeline(source, stream, () => undefined)
  return stream as AsyncIterable<Buffer>
}
