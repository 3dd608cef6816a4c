import type { IngressHost } from '@bey/contract'
import { expiryText } from '@bey/contract/ingress-rules'
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

/** What is failing, and which certificate ends first, in a sentence. */
export function summaryText(
  hosts: readonly IngressHost[],
  { counts, total }: { counts: { failing: number; degraded: number }; total: number },
  nowMs: number,
): string {
  const next = hosts
    .filter(({ expiresAt }) => expiresAt !== null && Date.parse(expiresAt) > nowMs)
    .toSorted((a, b) => ((a.expiresAt ?? '') < (b.expiresAt ?? '') ? -1 : 1))[0]
  const parts = [
    counts.failing > 0 ? `${formatCount(counts.failing, 'host')} failing` : undefined,
    counts.degraded > 0 ? `${counts.degraded} degraded` : undefined,
  ].filter((part) => part !== undefined)
  const state = parts.length > 0 ? parts.join(', ') : formatCount(total, 'host')
  const expiry =
    next?.expiresAt == null
      ? ''
      : ` The certificate of ${hostTitle(next)} ${expiryText(next.expiresAt, nowMs)}.`
  return `${state}.${expiry}`
}
