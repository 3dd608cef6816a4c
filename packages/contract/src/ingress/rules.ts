import { healthRank, type Health } from '../base/health.ts'

/** So many days before a certificate expires, somebody is warned. */
export const certificateWarnDays = 30
const dayMs = 24 * 60 * 60 * 1000

/** Bounds of what is read and answered. */
export const ingressLimits = {
  /** Secrets with certificates that are read of one cluster. */
  certificates: 500,
  /** What one row names; the rest is counted. */
  routes: 20,
  hosts: 50,
  chain: 10,
  names: 100,
  backends: 16,
  listeners: 64,
  problems: 200,
  clusters: 100,
} as const

/** Time-outs of one step of a test, and what is read of an answer. */
export const hostTestLimits = {
  stepTimeoutMs: 5_000,
  addresses: 8,
  headBytes: 16 * 1024,
  perMinute: 20,
} as const

export const certificateStates = [
  'expired',
  'not_yet_valid',
  'missing',
  'unreadable',
  'expiring',
  'unknown',
  'valid',
] as const
export type CertificateState = (typeof certificateStates)[number]

export const certificateStateText: Readonly<Record<CertificateState, string>> = {
  expired: 'Expired',
  not_yet_valid: 'Not yet valid',
  missing: 'Missing',
  unreadable: 'Unreadable',
  expiring: 'Expires soon',
  unknown: 'Unknown',
  valid: 'Valid',
}

/** "runs out in 6 days", "ran out 2 hours ago": of a certificate that ends then. */
export function expiryText(expiresAt: string, nowMs: number): string {
  const leftMs = Date.parse(expiresAt) - nowMs
  return leftMs > 0 ? `runs out in ${spanText(leftMs)}` : `ran out ${spanText(-leftMs)} ago`
}

/** Whole days, or hours below two days. */
function spanText(ms: number): string {
  if (ms >= 2 * dayMs) return `${Math.floor(ms / dayMs)} days`
  const hours = Math.floor(ms / (60 * 60 * 1000))
  return hours >= 2 ? `${hours} hours` : hours === 1 ? '1 hour' : 'less than an hour'
}

/** Whether a validity that ends then is one to warn of. */
export function isExpiring(expiresAt: string, nowMs: number): boolean {
  return Date.parse(expiresAt) - nowMs <= certificateWarnDays * dayMs
}

/**
 * Whether a name of a certificate is for a host (RFC 9525 section 6.3): a wildcard stands for exactly one first label. A
 * wildcard host is covered by the same wildcard alone.
 */
export function coversHost(name: string, host: string): boolean {
  const [own, wanted] = [name.toLowerCase().replace(/\.$/, ''), host.toLowerCase().replace(/\.$/, '')]
  if (own === wanted) return true
  if (!own.startsWith('*.') || wanted.startsWith('*.')) return false
  const dot = wanted.indexOf('.')
  return dot > 0 && wanted.slice(dot) === own.slice(1)
}

/** The worst of some; healthy where there are none. Unknown counts only where nothing known is wrong. */
export function worstHealth(all: readonly Health[]): Health {
  const healthy: Health = { state: 'healthy', reason: null, detail: null, since: null, object: null }
  return all.reduce(
    (worst, each) => (healthRank(each.state) < healthRank(worst.state) ? each : worst),
    healthy,
  )
}

/** The address of the page of a host, of a certificate or of a load balancer. */
export function ingressPath(
  of:
    | { host: string }
    | { certificate: { clusterId: number; namespace: string; name: string } }
    | { balancer: { clusterId: number; namespace: string; name: string } },
): string {
  if ('host' in of) {
    const search = new URLSearchParams(of.host === '' ? { peek: '*' } : { q: of.host, peek: of.host })
    return `/networking/ingress?${search.toString()}`
  }
  const [page, { clusterId, namespace, name }] =
    'certificate' in of ? ['certificates', of.certificate] : ['load-balancers', of.balancer]
  const search = new URLSearchParams({
    q: name,
    cluster: String(clusterId),
    namespace,
    peek: `${clusterId}/${namespace}/${name}`,
  })
  return `/networking/ingress/${page}?${search.toString()}`
}

/** Steps of a test of a host, in their order. */
export const hostTestSteps = ['dns', 'tcp', 'tls', 'http'] as const
export type HostTestStep = (typeof hostTestSteps)[number]
