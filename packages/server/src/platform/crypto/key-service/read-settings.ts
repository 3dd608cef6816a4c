import { ConfigError } from '../../errors.ts'

export type Setting = (name: string) => string | undefined

/** Whether requests stay on this machine, where they need no encryption. */
const isLoopback = (host: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host)

/** An address of a key service, without a slash at the end. `hint` says where credentials belong. Throws ConfigError. */
export function readServiceUrl(
  name: string,
  value: string,
  { example, hint }: { example: string; hint: string },
) {
  const url = URL.canParse(value) ? new URL(value) : undefined
  // The value is not repeated: it may hold a password.
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new ConfigError(
      `${name} is not the address of a key service. Set ${name} to a URL such as ${example} without credentials; ${hint}`,
    )
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new ConfigError(
      `${name} would send the root key and credentials to ${url.hostname} without encryption. Set ${name} to an address that begins with https://; http:// is for an agent on this machine.`,
    )
  }
  return value.replace(/\/+$/, '')
}

/** How long a start waits for the service, in ms. Throws ConfigError. */
export function readTimeout(setting: Setting, name: string): number {
  const value = setting(name) ?? '30'
  const seconds = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN
  if (seconds >= 1 && seconds <= 600) return seconds * 1_000
  throw new ConfigError(`${name} is "${value}". Set ${name} to a whole number from 1 to 600.`)
}
