import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a request counts as use of its session. The console marks what its pages ask for by themselves while nobody
 * touches them: otherwise a forgotten page would keep its session alive for ever.
 */
export function countsAsUse(headers: IncomingHttpHeaders): boolean {
  return headers['x-bey-unattended'] === undefined
}
