export type Frame = {
  /** A whole WebP file with one picture of the size of all others. */
  webp: Buffer
  showMs: number
}

/**
 * Puts pictures one after another into one WebP that moves for ever. Container: "WebP Container Specification" of Google,
 * chunks VP8X, ANIM and ANMF; all numbers are little-endian. Throws for a picture without a lossy bitstream.
 */
export function animatedWebp(frames: readonly Frame[], { width, height }: { width: number; height: number }) {
  const hasAnimation = 0x02
  const extended = Buffer.alloc(10)
  extended.writeUInt8(hasAnimation, 0)
  extended.writeUIntLE(width - 1, 4, 3)
  extended.writeUIntLE(height - 1, 7, 3)
  // No background, and no end of repetitions.
  const animation = Buffer.alloc(6)
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', extended),
    chunk('ANIM', animation),
    ...frames.map(({ webp, showMs }) => {
      const head = Buffer.alloc(16)
      head.writeUIntLE(width - 1, 6, 3)
      head.writeUIntLE(height - 1, 9, 3)
      head.writeUIntLE(showMs, 12, 3)
      const replacesWhatWasThere = 0x02
      head.writeUInt8(replacesWhatWasThere, 15)
      return chunk('ANMF', Buffer.concat([head, chunk('VP8 ', lossyPicture(webp))]))
    }),
  ])
  return chunk('RIFF', body)
}

function lossyPicture(webp: Buffer): Buffer {
  for (let at = 12; at + 8 <= webp.length;) {
    const size = webp.readUInt32LE(at + 4)
    if (webp.toString('latin1', at, at + 4) === 'VP8 ') return webp.subarray(at + 8, at + 8 + size)
    at += 8 + size + (size % 2)
  }
  throw new Error('This WebP has no lossy picture in it.')
}

function chunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}
