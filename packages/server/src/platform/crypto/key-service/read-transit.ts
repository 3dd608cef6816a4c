import { ConfigError } from '../../errors.ts'
import { readServiceUrl, type Setting } from './read-settings.ts'

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
}

/** Reads `BEY_TRANSIT_URL` and those that belong to it; undefined where it is not set. Throws ConfigError. */
export function readTransit(setting: Setting): TransitSettings | undefined {
  const url = setting('BEY_TRANSIT_URL')
  if (url === undefined) return undefined
  const token = readToken(setting)
  const tokenFile = setting('BEY_TRANSIT_TOKEN_FILE')
  if (token !== undefined && tokenFile !== undefined) {
    throw new ConfigError('BEY_TRANSIT_TOKEN and BEY_TRANSIT_TOKEN_FILE are both set. Unset one of them.')
  }
  return {
    url: readServiceUrl('BEY_TRANSIT_URL', url, {
      example: 'https://vault.example.com:8200',
      hint: 'a token belongs in BEY_TRANSIT_TOKEN_FILE.',
    }),
    mount: readPath(setting, 'BEY_TRANSIT_MOUNT', 'transit').replaceAll(/^\/+|\/+$/g, ''),
    key: readPath(setting, 'BEY_TRANSIT_KEY', 'bey'),
    namespace: setting('BEY_TRANSIT_NAMESPACE') && readPath(setting, 'BEY_TRANSIT_NAMESPACE', ''),
    token,
    tokenFile,
    caFile: setting('BEY_TRANSIT_CA_FILE'),
  }
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
