import type { LiveState } from '@bey/client'
import { liveTexts } from '@bey/client'
import { liveLimits } from '@bey/contract'

export const failures = ['refused', 'unauthorized', 'cors', 'timeout'] as const
export type Failure = (typeof failures)[number]

/** What each failure is called, and the way out of it. */
export const failureHints: Record<Failure, { title: string; hint: string }> = {
  refused: {
    title: 'Connection refused',
    hint: 'No server answers at this address. Check that the server is running.',
  },
  unauthorized: {
    title: '401 unauthorized (token expired)',
    hint: 'The server did not accept the session. Log out and log in again.',
  },
  cors: {
    title: 'CORS error',
    hint: 'The server answers, but opens no socket for a page of this address. Use the address in BEY_PUBLIC_URL, or list this host in BEY_HOSTS; a proxy in between must pass WebSocket upgrades with their Origin and Host headers.',
  },
  timeout: {
    title: 'Time-out',
    hint: `There was no answer within ${liveLimits.connectTimeoutMs / 1000} s. A slow network, or a proxy that holds WebSocket connections back.`,
  },
}

/** A connection that was cut may be back at the first attempt; from this one on something stands in its way. */
const attemptsOfFailure = 2

/**
 * Why there is no connection, as far as can be known: a browser says nothing about a socket that did not open, so
 * whether the server answers otherwise decides. Undefined while connected, and after a deliberate disconnect.
 */
export function likelyFailure(
  { connection_status: status, connection_details: details, last_error: error }: LiveState,
  backend: 'checking' | 'connected' | 'disconnected',
): Failure | undefined {
  if (status === 'connected' || error === null) return undefined
  switch (error) {
    case liveTexts.connectionTimeout:
    case liveTexts.pingTimeout:
      return backend === 'disconnected' ? 'refused' : 'timeout'
    case liveTexts.connectionClosed:
      if (backend === 'disconnected') return 'refused'
      return backend === 'connected' && details.connection_attempts >= attemptsOfFailure ? 'cors' : undefined
    case liveTexts.nothingToReconnect:
      return 'unauthorized'
    default:
      return status === 'disconnected' ? 'unauthorized' : undefined
  }
}
