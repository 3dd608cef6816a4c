import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const version = 1
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts with AES-256-GCM (NIST SP 800-38D). `context` says whose value it is (`secret:7:42:3`) and must be
 * given again to open it, so a ciphertext moved to another row does not decrypt. Layout: version, nonce,
 * tag, ciphertext.
 */
export function seal(key: Buffer, plain: Buffer | string, context: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(context, 'utf8'))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), body])
}

/** Reverses `seal`. Throws SealError when key or context differ or a bit was changed. */
export function unseal(key: Buffer, sealed: Buffer, context: string): Buffer {
  if (sealed.length < 1 + nonceBytes + tagBytes || sealed[0] !== version) throw new SealError()
  const nonce = sealed.subarray(1, 1 + nonceBytes)
  const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(context, 'utf8'))
  decipher.setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes + tagBytes)), decipher.final()])
  } catch (error) {
    throw new SealError({ cause: error })
  }
}

export class SealError extends Error {
  constructor(options?: { cause?: unknown }) {
    super('The value does not open with this key in this place', options)
    this.name = 'SealError'
  }
}
