import type { CallOutput, IngressHost } from '@bey/contract'
import { expiryText } from '@bey/contract/ingress/rules'
import { formatCount } from '../../lib/format.ts'

const dayMs = 24 * 60 * 60 * 1000

/** "11 d", "5 h", "expired": what is left of a certificate. */
export function leftText(expiresAt: string, nowMs: number): string {
  const leftMs = Date.parse(expiresAt) - nowMs
  if (leftMs <= 0) return 'expired'
  return leftMs >= 2 * dayMs ? `${Math.floor(leftMs / dayMs)} d` : `${Math.floor(leftMs / (dayMs / 24))} h`
}

/** How a host is called: one that holds for every name has none. */
export const hostTitle = ({ host }: Pick<IngressHost, 'host'>) => (host === '' ? 'any host' : host)

/** "shop/web", or how many services there are. */
export function backendText({ routes }: Pick<IngressHost, 'routes'>): string {
  const services = new Set(
    routes.flatMap(({ backends }) =>
      backends.flatMap(({ service, namespace }) => (service === null ? [] : `${namespace}/${service}`)),
    ),
  )
  const [first] = services
  if (first === undefined) return '—'
  return services.size === 1 ? first : formatCount(services.size, 'service')
}

/** "1 of 3", and "—" where nobody knows. */
export function readyText({ ready, total }: Pick<IngressHost, 'ready' | 'total'>): string {
  return ready === null || total === null ? '—' : `${ready} of ${total}`
}

type HostAnswer = Pick<CallOutput<'ingress.hosts'>, 'counts' | 'total' | 'nextExpiry'>

/** How many hosts are failing, degraded or unknown, and whose certificate ends next, in a sentence. */
export function summaryText({ counts, total, nextExpiry }: HostAnswer, nowMs: number): string {
  const parts = [
    counts.failing > 0 ? `${formatCount(counts.failing, 'host')} failing` : undefined,
    counts.degraded > 0 ? `${counts.degraded} degraded` : undefined,
    counts.unknown > 0 ? `${counts.unknown} of unknown health` : undefined,
  ].filter((part) => part !== undefined)
  const state = parts.length > 0 ? parts.join(', ') : formatCount(total, 'host')
  const expiry =
    nextExpiry === null
      ? ''
      : ` The certificate of ${hostTitle(nextExpiry)} ${expiryText(nextExpiry.expiresAt, nowMs)}.`
  return `${state}.${expiry}`
}
