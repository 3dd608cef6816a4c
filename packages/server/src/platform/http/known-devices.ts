import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const lifetimeSeconds = 180 * 86_400
const namePrefix = 'bey-device-'

/**
 * Recognizes browsers from which an account was logged in before, by a cookie that grants no right: failed guesses
 * from other browsers then do not count against the owner.
 */
export type KnownDevices = {
  /** `Set-Cookie` for a browser that has just logged in. */
  cookieOf(email: string): string
  /** Names the device where it has logged in to the account before. */
  deviceOf(headers: Pick<IncomingHttpHeaders, 'cookie'>, email: string): string | undefined
  /** Names the device where it has logged in to any account before. */
  anyDeviceOf(headers: IncomingHttpHeaders): string | undefined
}

/** Cookies made with the root key are known to every server that shares it. */
export function createKnownDevices(options: {
  rootKey: Buffer
  /** Whether browsers reach this server by HTTPS only. */
  isSecure: boolean
  now(): Date
}): KnownDevices {
  const key = createHmac('sha256', options.rootKey).update('bey-known-devices').digest()
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url')

  /** The device that a cookie names, if it is one of ours and has not expired. */
  function deviceIn(name: string, value: string): string | undefined {
    const [nonce = '', expires = '', signature = ''] = value.split('.')
    const expected = Buffer.from(sign(`${name}.${nonce}.${expires}`))
    const given = Buffer.from(signature)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    return Number(expires) * 1000 > options.now().getTime() ? nonce : undefined
  }

  return {
    cookieOf(email) {
      const name = nameOf(email)
      const nonce = randomBytes(12).toString('base64url')
      const expires = Math.floor(options.now().getTime() / 1000) + lifetimeSeconds
      const value = `${nonce}.${expires}.${sign(`${name}.${nonce}.${expires}`)}`
      const attributes = `Path=/api/auth; Max-Age=${lifetimeSeconds}; HttpOnly; SameSite=Strict`
      return `${name}=${value}; ${attributes}${options.isSecure ? '; Secure' : ''}`
    },
    deviceOf(headers, email) {
      const value = cookiesOf(headers).find(([name]) => name === nameOf(email))?.[1]
      return value === undefined ? undefined : deviceIn(nameOf(email), value)
    },
    anyDeviceOf(headers) {
      for (const [name, value] of cookiesOf(headers)) {
        const device = deviceIn(name, value)
        if (device !== undefined) return device
      }
      return undefined
    },
  }
}

/** The account is named by a hash, so that a cookie does not reveal the e-mail address. */
function nameOf(email: string): string {
  return `${namePrefix}${createHash('sha256').update(email).digest('hex').slice(0, 16)}`
}

const maxCookies = 20

function cookiesOf({ cookie = '' }: Pick<IncomingHttpHeaders, 'cookie'>): [name: string, value: string][] {
  const ours = cookie.split('; ').filter((each) => each.startsWith(namePrefix))
  return ours.slice(0, maxCookies).map((each) => {
    const at = each.indexOf('=')
    return [each.slice(0, at), each.slice(at + 1)]
  })
}
