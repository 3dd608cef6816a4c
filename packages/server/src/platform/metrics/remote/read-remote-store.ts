import { ConfigError } from '../../errors.ts'
import type { RemoteStore } from './remote-points.ts'

/** Reads `BEY_METRICS_URL`, `BEY_METRICS_WRITE_URL` and `BEY_METRICS_TOKEN`. Throws ConfigError. */
export function readRemoteStore(setting: (name: string) => string | undefined): RemoteStore | undefined {
  const url = readUrl('BEY_METRICS_URL', setting)
  const writeUrl = readUrl('BEY_METRICS_WRITE_URL', setting)
  if (url !== undefined)
    return { url, writeUrl: writeUrl ?? `${url}/api/v1/write`, token: setting('BEY_METRICS_TOKEN') }
  if (writeUrl === undefined) return undefined
  throw new ConfigError(
    'BEY_METRICS_WRITE_URL is set, but BEY_METRICS_URL is not. Set BEY_METRICS_URL to the address at which the store is read.',
  )
}

function readUrl(name: string, setting: (name: string) => string | undefined): string | undefined {
  const value = setting(name)
  if (value === undefined) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (url !== undefined && /^https?:$/.test(url.protocol) && isPlain) return value.replace(/\/+$/, '')
  // The value is not repeated: it may hold a password.
  throw new ConfigError(
    `${name} is not the address of a store of metrics. Set ${name} to a URL such as https://prometheus.example.com without credentials; a token belongs in BEY_METRICS_TOKEN.`,
  )
}
