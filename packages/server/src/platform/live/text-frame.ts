import { Buffer } from 'node:buffer'

const finalText = 0x81
const lengthOf16Bits = 126
const lengthOf64Bits = 127

/**
 * A text as one unmasked frame of RFC 6455, section 5.2, ready for the connection: made once for all sockets that get
 * it. Extensions are not negotiated, so it means the same on each.
 */
export function textFrame(text: string): Buffer {
  const bytes = Buffer.byteLength(text)
  const headerBytes = bytes < lengthOf16Bits ? 2 : bytes < 2 ** 16 ? 4 : 10
  const frame = Buffer.allocUnsafe(headerBytes + bytes)
  frame[0] = finalText
  if (headerBytes === 2) frame[1] = bytes
  else if (headerBytes === 4) {
    frame[1] = lengthOf16Bits
    frame.writeUInt16BE(bytes, 2)
  } else {
    frame[1] = lengthOf64Bits
    frame.writeBigUInt64BE(BigInt(bytes), 2)
  }
  frame.write(text, headerBytes)
  return frame
}
