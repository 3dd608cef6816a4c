import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../errors.ts'
import { bearerToken } from './bearer-token.ts'
import type { ClientAddress } from './client-address.ts'
import { endSocket } from './end-socket.ts'
import type { AnonymousClients } from './anonymous-limits.ts'

export type Upgrade = {
  /** Whether this one answers upgrades of a path (without query), or of the request that is for it. */
  takes(path: string, request: IncomingMessage): boolean
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

/**
 * Hands each upgrade of a connection (WebSocket, SPDY) to who takes its path; others are answered 404. An address that
 * opens too many is answered 429.
 */
export function routeUpgrades(
  server: Server,
  upgrades: readonly Upgrade[],
  {
    addressOf = peerAddress,
    anonymousClients,
  }: { addressOf?: ClientAddress; anonymousClients?: AnonymousClients } = {},
): void {
  function refusalOf(address: string, { headers }: IncomingMessage): AppError | undefined {
    try {
      anonymousClients?.admitUpgrade(address, bearerToken(headers.authorization))
      return undefined
    } catch (error) {
      if (error instanceof AppError) return error
      throw error
    }
  }

  server.on('upgrade', (request, socket, head) => {
    // A socket that fails before it has an error listener must not end the process.
    socket.on('error', () => socket.destroy())
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    const address = addressOf(request)
    const refusal = refusalOf(address, request)
    if (refusal) return refuseUpgrade(socket, 429, refusal.message, refusal.retryAfterSeconds)
    const handler = upgrades.find((upgrade) => upgrade.takes(path, request))
    if (handler) handler.handle(request, socket, head, address)
    else refuseUpgrade(socket, 404, 'Nothing here takes an upgrade.')
  })
}

/** Answers an upgrade that is not made, and closes. */
export function refuseUpgrade(
  socket: Duplex,
  status: number,
  sentence: string,
  retryAfterSeconds?: number,
): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'connection: close',
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(sentence)}`,
    ...(retryAfterSeconds === undefined ? [] : [`retry-after: ${retryAfterSeconds}`]),
  ]
  endSocket(socket, `${head.join('\r\n')}\r\n\r\n${sentence}`)
}

function peerAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? ''
}
