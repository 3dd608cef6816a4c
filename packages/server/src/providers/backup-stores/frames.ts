import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'

/** Plain bytes of each frame but the last. */
const frameBytes = 64 * 1024
const tagBytes = 16
const prefixBytes = 7
const sealedFrameBytes = frameBytes + tagBytes

/** An object that does not decrypt: a frame was changed, moved, repeated or left out, or the end is missing. */
export class FrameError extends Error {
  constructor(options?: { cause?: unknown }) {
    super('The frames are not those that were written', options)
    this.name = 'FrameError'
  }
}

/**
 * Encrypts a stream with AES-256-GCM in frames of 64 KiB (the STREAM construction: Hoang, Reyhanitabar, Rogaway,
 * Vizár, "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance", 2015). The nonce of a frame is its
 * number and whether it is the last, so that no order but the written one decrypts. `key` encrypts one stream only;
 * `context` must be the same for decryption. `push` answers the frames that are full, `end` the last one.
 */
export function frameSealer(key: Uint8Array, context: Uint8Array) {
  const associated = hashOf(context)
  let number = 0
  let held = Buffer.alloc(0)

  function seal(bytes: Uint8Array, isLast: boolean, to: Buffer, at: number): number {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast))
    cipher.setAAD(associated)
    to.set(cipher.update(bytes), at)
    cipher.final()
    to.set(cipher.getAuthTag(), at + bytes.length)
    number += 1
    return at + bytes.length + tagBytes
  }

  return {
    push(chunk: Uint8Array): Buffer<ArrayBuffer> {
      // Only while more follows is a frame not the last.
      const count = Math.max(0, Math.ceil((held.length + chunk.length) / frameBytes) - 1)
      if (count === 0) {
        held = Buffer.concat([held, chunk])
        return Buffer.allocUnsafeSlow(0)
      }
      const sealed = Buffer.allocUnsafeSlow(count * sealedFrameBytes)
      // What was held is joined with the part of the chunk that fills its frame; the rest is read where it is.
      let from = frameBytes - held.length
      const first =
        held.length === 0 ? chunk.subarray(0, from) : Buffer.concat([held, chunk.subarray(0, from)])
      let at = seal(first, false, sealed, 0)
      for (let frame = 1; frame < count; frame += 1, from += frameBytes) {
        at = seal(chunk.subarray(from, from + frameBytes), false, sealed, at)
      }
      held = Buffer.from(chunk.subarray(from))
      return sealed
    },
    end(): Buffer<ArrayBuffer> {
      const sealed = Buffer.allocUnsafeSlow(held.length + tagBytes)
      seal(held, true, sealed, 0)
      return sealed
    },
  }
}

/** Reverses `frameSealer`; each frame is verified before it is answered. Throws FrameError. */
export async function* decryptFrames(
  key: Buffer,
  context: Buffer,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const associated = hashOf(context)
  let number = 0
  for await (const { bytes, isLast } of cut(source, sealedFrameBytes)) {
    if (bytes.length < tagBytes) throw new FrameError()
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(associated)
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    const plain = decipher.update(bytes.subarray(0, -tagBytes))
    try {
      decipher.final()
    } catch (cause) {
      throw new FrameError({ cause })
    }
    if (plain.length > 0) yield plain
    number += 1
  }
}

/** Pieces of `size` bytes and a last one of at most as many. An empty source has one empty piece. */
async function* cut(source: AsyncIterable<Uint8Array>, size: number) {
  let held: Uint8Array[] = []
  let heldBytes = 0
  for await (const chunk of source) {
    held.push(chunk)
    heldBytes += chunk.length
    if (heldBytes <= size) continue
    const bytes = Buffer.concat(held)
    let from = 0
    // More than one piece must be there: only then is this one not the last.
    for (; bytes.length - from > size; from += size) {
      yield { bytes: bytes.subarray(from, from + size), isLast: false }
    }
    held = [bytes.subarray(from)]
    heldBytes = bytes.length - from
  }
  yield { bytes: Buffer.concat(held), isLast: true }
}

/** 12 bytes: seven zeros, the number, and 1 for the last frame. The key is used for one stream, so none repeats. */
function nonceOf(number: number, isLast: boolean): Buffer {
  if (number > 0xffff_ffff) throw new RangeError('A stream has at most 2^32 frames')
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(number, prefixBytes)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

const hashOf = (context: Uint8Array) => createHash('sha256').update(context).digest()
