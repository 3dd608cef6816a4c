import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { hashToken } from '../../../platform/crypto/token.ts'

const periodSeconds = 30
const recoveryCodeCount = 10
// Crockford's base 32, whose letters are not taken for digits or for one another.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** A new secret of 160 bits, as RFC 4226 asks for. */
export function newTotpSecret(): Buffer {
  return randomBytes(20)
}

/** The secret as people type it (base 32), and the address that QR codes carry. */
export function totpTexts(secret: Buffer, email: string): { secret: string; uri: string } {
  const totp = totpOf(secret, email)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** The time step whose code this is; undefined where it is none of now, the step before, or the one after. */
export function stepOfCode(secret: Buffer, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token: code, timestamp, window: 1 })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / periodSeconds) + delta
}

function totpOf(secret: Buffer, label = '') {
  return new TOTP({
    issuer: 'Bey',
    label,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
    period: periodSeconds,
  })
}

/** Ten codes of 80 bits, in four groups, and what is kept of them. */
export function newRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: recoveryCodeCount }, () => {
    const text = Array.from(randomBytes(16), (byte) => alphabet[byte % 32]).join('')
    return text.replace(/(.{4})(?=.)/g, '$1-')
  })
  return { codes, hashes: codes.map(hashRecoveryCode) }
}

/** However it is typed: without its dashes, in capitals. */
export function hashRecoveryCode(code: string): Buffer {
  return hashToken(code.toLowerCase().replace(/[^0-9a-z]/g, ''))
}
