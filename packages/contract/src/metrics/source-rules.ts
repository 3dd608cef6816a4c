export const metricSourceLimits = {
  perOrganization: 20,
  url: 500,
  username: 200,
  caPem: 20_000,
  /** A query that takes longer is broken off. */
  timeoutMs: 10_000,
  /** Of an answer; a longer one is refused. */
  maxResponseBytes: 16 * 1024 * 1024,
  /** Queries to one source at the same time. */
  atOnce: 6,
  /** Metrics that the catalogue of a source lists. */
  maxMetricNames: 5_000,
} as const

/** How a store that speaks the HTTP API of Prometheus is reached. */
export type MetricSourceTarget =
  | {
      kind: 'url'
      /** `http(s)://host[:port][/path]`; `/api/v1/query_range` and others follow it. */
      url: string
      auth: MetricSourceAuth
      /** PEM of the authority that signed its certificate; empty: what the machine of Bey trusts. */
      caPem: string
    }
  | {
      kind: 'cluster'
      clusterId: number
      namespace: string
      /** The name of the service, and its port by number or name. */
      service: string
      port: string
      /** Whether the service itself speaks TLS. */
      isTls: boolean
    }

/** The secret holds the token, or the password. */
export type MetricSourceAuth =
  | { kind: 'none' }
  | { kind: 'bearer'; secretId: string }
  | { kind: 'basic'; username: string; secretId: string }

/** What is wrong with the address of a store, as a sentence; undefined where nothing is. */
export function metricSourceUrlError(text: string): string | undefined {
  if (!URL.canParse(text)) return 'Enter a whole URL, such as https://prometheus.example.com.'
  const { protocol, username, password, search, hash, pathname } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'Use a URL that begins with https:// or http://.'
  if (username !== '' || password !== '') return 'Leave credentials out of the URL: choose a secret below.'
  if (search !== '' || hash !== '') return 'Leave out what follows the path.'
  if (/\/api\/v1\/?$/.test(pathname)) return 'Leave out /api/v1: Bey adds it.'
  return undefined
}

/** Names of namespaces and services: RFC 1123 labels. */
export const isKubernetesLabel = (text: string) => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)

/** The number of a port, or its name in the service. */
export const isServicePort = (text: string) =>
  /^[1-9]\d{0,4}$/.test(text) ? Number(text) <= 65_535 : /^[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?$/.test(text)
