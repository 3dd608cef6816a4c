import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ClientAddress } from './client-address.ts'

export type Upgrade = {
  /** Whether this one answers upgrades of a path (without query). */
  takes(path: string): boolean
  /** `address` is the caller's own, whatever proxies stand between. */
  handle(request: IncomingMessage, socket: Duplex, head: Buffer, address: string): void
}

/**
 * Whether a connection shall become another protocol that we speak. Any other offer, such as the h2c that clients of
 * HTTP/2 make with every first request, is left alone and the request answered as it is (RFC 9110 section 7.8).
 */
export function asksForUpgrade({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return /^(websocket|spdy\/3\.1)$/i.test(headers.upgrade ?? '')
}

/** Hands each upgrade of a connection (WebSocket, SPDY) to who takes its path; others are answered 404. */
export function routeUpgrades(
  server: Server,
  upgrades: readonly Upgrade[],
  addressOf: ClientAddress = (request) => request.socket.remoteAddress ?? '',
): void {
  server.on('upgrade', (request, socket, head) => {
    // A socket that breaks before somebody listens to it must not end the process.
    socket.on('error', () => socket.destroy())
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    const taker = upgrades.find((upgrade) => upgrade.takes(path))
    if (taker) taker.handle(request, socket, head, addressOf(request))
    else socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  })
}
