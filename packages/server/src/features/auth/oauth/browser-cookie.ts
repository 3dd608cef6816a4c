import { randomBytes } from 'node:crypto'
import { hashToken } from '../../../platform/crypto/token.ts'

const name = 'bey-oauth'
const pattern = /(?:^|; )bey-oauth=([\w-]{43})(?:;|$)/

/**
 * Ties a sign-in to the browser that began it, so that nobody can be led into another person's account by a link to the
 * end of a sign-in. The hash is kept with the ticket; the cookie itself grants nothing.
 */
export function browserCookie(
  cookie: string | undefined,
  isSecure: boolean,
): { hash: string; setCookie: string } {
  const value = valueIn(cookie) ?? randomBytes(32).toString('base64url')
  const attributes = `Path=/api/auth/oauth; Max-Age=900; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return { hash: hashOf(value), setCookie: `${name}=${value}; ${attributes}` }
}

/** Undefined for a browser that began no sign-in. */
export function browserHash(cookie: string | undefined): string | undefined {
  const value = valueIn(cookie)
  return value === undefined ? undefined : hashOf(value)
}

function valueIn(cookie = ''): string | undefined {
  return pattern.exec(cookie)?.[1]
}

function hashOf(value: string): string {
  return hashToken(value).toString('base64url')
}
