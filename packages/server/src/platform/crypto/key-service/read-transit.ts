import { ConfigError } from '../../errors.ts'
import { parseWrappedKey, type WrappedKey } from '../wrapped-key.ts'

export type TransitSettings = {
  /** Without a slash at the end. */
  url: string
  /** Path of the secrets engine, without slashes around it. */
  mount: string
  /** Name of the key. */
  key: string
  namespace: string | undefined
  token: string | undefined
  /** Read before each request: an agent may replace the token. */
  tokenFile: string | undefined
  /** PEM; undefined: what this machine trusts. */
  caFile: string | undefined
  /** How long a start waits for the service. */
  timeoutMs: number
}

export type KeyServiceConfig = {
  transit: TransitSettings
  /** Of BEY_SECRET_KEY_WRAPPED; undefined: the file in the data directory. */
  wrapped: WrappedKey | undefined
}

type Setting = (name: string) => string | undefined

/** Reads `BEY_TRANSIT_URL` and those that belong to it. Undefined: no key service has the root key. Throws ConfigError. */
export function readKeyService(setting: Setting): KeyServiceConfig | undefined {
  const url = setting('BEY_TRANSIT_URL')
  const text = setting('BEY_SECRET_KEY_WRAPPED')
  if (url === undefined) {
    if (text === undefined) return undefined
    throw new ConfigError(
      'BEY_SECRET_KEY_WRAPPED is set, but BEY_TRANSIT_URL is not. Set BEY_TRANSIT_URL to the address of the key service that opens it.',
    )
  }
  const wrapped = text === undefined ? undefined : parseWrappedKey(text)
  if (text !== undefined && wrapped === undefined) {
    throw new ConfigError(
      'BEY_SECRET_KEY_WRAPPED is not a wrapped root key. Set BEY_SECRET_KEY_WRAPPED to what bey root-key wrap printed.',
    )
  }
  const token = readToken(setting)
  const tokenFile = setting('BEY_TRANSIT_TOKEN_FILE')
  if (token !== undefined && tokenFile !== undefined) {
    throw new ConfigError('BEY_TRANSIT_TOKEN and BEY_TRANSIT_TOKEN_FILE are both set. Unset one of them.')
  }
  return {
    transit: {
      url: readUrl(url),
      mount: readPath(setting, 'BEY_TRANSIT_MOUNT', 'transit').replaceAll(/^\/+|\/+$/g, ''),
      key: readPath(setting, 'BEY_TRANSIT_KEY', 'bey'),
      namespace: setting('BEY_TRANSIT_NAMESPACE') && readPath(setting, 'BEY_TRANSIT_NAMESPACE', ''),
      token,
      tokenFile,
      caFile: setting('BEY_TRANSIT_CA_FILE'),
      timeoutMs: readTimeout(setting),
    },
    wrapped,
  }
}

function readUrl(value: string): string {
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
      'BEY_TRANSIT_URL is not the address of a key service. Set BEY_TRANSIT_URL to a URL such as https://vault.example.com:8200 without credentials; a token belongs in BEY_TRANSIT_TOKEN_FILE.',
    )
  }
  if (url.protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) {
    throw new ConfigError(
      `BEY_TRANSIT_URL would send the root key and a token to ${url.hostname} without encryption. Set BEY_TRANSIT_URL to an address that begins with https://; http:// is for an agent on this machine.`,
    )
  }
  return value.replace(/\/+$/, '')
}

function readPath(setting: Setting, name: string, fallback: string): string {
  const value = setting(name) ?? fallback
  const isNested = name !== 'BEY_TRANSIT_KEY'
  const pattern = isNested ? /^\/?\w[\w.-]*(\/\w[\w.-]*)*\/?$/ : /^\w[\w.-]*$/
  if (pattern.test(value)) return value
  throw new ConfigError(
    `${name} is "${value}". Set ${name} to ${isNested ? 'a path of letters, digits, ".", "-", "_" and "/"' : 'a name of letters, digits, ".", "-" and "_"'}.`,
  )
}

function readToken(setting: Setting): string | undefined {
  const token = setting('BEY_TRANSIT_TOKEN')
  if (token === undefined || isToken(token)) return token
  throw new ConfigError('BEY_TRANSIT_TOKEN is not a token. Set BEY_TRANSIT_TOKEN to one line without spaces.')
}

/** Whether a text can be sent as a token. */
export const isToken = (text: string) => /^[\x21-\x7e]{1,16384}$/.test(text)

function readTimeout(setting: Setting): number {
  const value = setting('BEY_TRANSIT_TIMEOUT_SECONDS') ?? '30'
  const seconds = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN
  if (seconds >= 1 && seconds <= 600) return seconds * 1_000
  throw new ConfigError(
    `BEY_TRANSIT_TIMEOUT_SECONDS is "${value}". Set BEY_TRANSIT_TIMEOUT_SECONDS to a whole number from 1 to 600.`,
  )
}
