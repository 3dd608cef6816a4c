import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** Addresses whose pages may open sockets. */
export type OwnOrigins = {
  publicUrl: string | undefined
  /** Names besides it by which this server is reached, as `BEY_HOSTS` lists them. */
  hosts: readonly string[]
}

/**
 * Whether a browser's page may open a socket: one of the public address, or one that came from where it connects to, by a
 * listed name, an IP address or localhost. Any other name may be somebody else's that was made to resolve to this server
 * (DNS rebinding). Other clients send no Origin, and need a token like everybody.
 */
export function isOwnOrigin(
  request: Pick<IncomingMessage, 'headers'>,
  { publicUrl, hosts }: OwnOrigins,
): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const given = new URL(origin)
  if (publicUrl !== undefined && given.origin === new URL(publicUrl).origin) return true
  return given.host === host && (hosts.includes(given.hostname) || isOnlyOurs(given.hostname))
}

/** Whether nobody else can make the name resolve to this server. */
function isOnlyOurs(hostname: string): boolean {
  return hostname === 'localhost' || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0
}
