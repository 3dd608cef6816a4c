import type { IncomingMessage } from 'node:http'

/**
 * Whether a browser's page may open a socket: one that came from where it connects to, or from the public
 * address. Other clients send no Origin, and need a token like everybody.
 */
export function isOwnOrigin(request: IncomingMessage, publicUrl: string | undefined): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const given = new URL(origin)
  if (publicUrl !== undefined && given.origin === new URL(publicUrl).origin) return true
  return given.host === host
}
