import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The prefix of an API key; authentication chooses the table by it. */
const keyTokenPrefix = 'bey_key'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62^43 is more than 2^256. */
const randomLength = 43
const checksumLength = 6
const pattern = new RegExp(`^${keyTokenPrefix}_[0-9A-Za-z]{${randomLength + checksumLength}}$`)
/** Characters of the random part that are kept for people to recognize a key. */
const shownLength = 6

/** A new secret of an API key: `bey_key_`, 43 random base62 digits and six of their CRC-32, as GitHub's tokens have. */
export function newKeyToken(): string {
  let random = ''
  while (random.length < randomLength) {
    for (const byte of randomBytes(64)) {
      // 248 is the largest multiple of 62 in a byte: a remainder of the rest would prefer some digits.
      if (byte < 248 && random.length < randomLength) random += digits[byte % 62]
    }
  }
  return `${keyTokenPrefix}_${random}${checksumOf(random)}`
}

/** Whether a token claims to be an API key. */
export function isKeyToken(token: string): boolean {
  return token.startsWith(`${keyTokenPrefix}_`)
}

/** Whether its length, its digits and its checksum are right: a key with a typing error is refused without a query. */
export function isWellFormedKey(token: string): boolean {
  if (!pattern.test(token)) return false
  const body = token.slice(keyTokenPrefix.length + 1)
  return checksumOf(body.slice(0, randomLength)) === body.slice(randomLength)
}

/** What is kept of a key beside its hash. */
export function startOf(token: string): string {
  return token.slice(0, keyTokenPrefix.length + 1 + shownLength)
}

function checksumOf(text: string): string {
  let rest = crc32(text)
  let sum = ''
  for (let index = 0; index < checksumLength; index += 1) {
    sum = `${digits[rest % 62]}${sum}`
    rest = Math.floor(rest / 62)
  }
  return sum
}
