import type { LivePosition } from './live-position.ts'
import type { Subscription } from './subscriptions.ts'

/** Frames of the live socket `/ws`: what either side sends, and the limits of both. */

export const liveLimits = {
  /** The client authenticates this long after the socket opened. */
  authenticateDelayMs: 100,
  /** A socket that has not authenticated by then is closed with 1008. */
  authenticateTimeoutMs: 10_000,
  connectTimeoutMs: 10_000,
  pingIntervalMs: 30_000,
  pingTimeoutMs: 5_000,
  commandTimeoutMs: 30_000,
  reconnectMinMs: 1_000,
  reconnectMaxMs: 30_000,
  organizationSwitchDelayMs: 100,
  /** Part of the status record; shown "of infinity", for retries are unlimited. */
  maxConnectionAttempts: 5,
  connectionMessagesKept: 10,
  messageLogKept: 100,
  maxMessageBytes: 64 * 1024,
  socketsPerUser: 20,
} as const

export type Command = { type: 'SUBSCRIBE' | 'UNSUBSCRIBE'; payload: Subscription }

export type ClientFrame =
  | { type: 'AUTHENTICATE'; payload: { token: string; organizationId: number } }
  | { type: 'PING'; id: string; payload: { timestamp: number } }
  | { type: 'COMMAND'; id: string; payload: Command }

export type AuthenticatedPayload = {
  success: boolean
  connectionId?: string
  userId?: number
  organizationId?: number
  user?: { id: number; email: string; name: string }
  ip?: string
  clusterId?: number | null
  version?: string
  /** Every event after it is sent. */
  position?: LivePosition
  error?: string
}

/** What the server sends besides events (see events.ts). */
export type ControlFrame =
  | { type: 'CONNECTED'; payload: { connectionId: string; timestamp: number } }
  | { type: 'AUTHENTICATED'; payload: AuthenticatedPayload }
  | { type: 'PONG'; id: string; payload: { timestamp: number } }
  | {
      type: 'COMMAND_RESULT'
      id: string
      /** What was subscribed to is sent from the position on. */
      payload: { commandId: string; success: boolean; position?: LivePosition; error?: string }
    }
  | { type: 'SUBSCRIPTION_UPDATE'; payload: { subscriptions: Subscription[] } }
  | { type: 'REFETCH'; payload: { reason: string } }

/** A pattern matches by exact name, by `*`, or with a `*` anywhere, such as `CLUSTER_*`. */
export function matchesPattern(pattern: string, type: string): boolean {
  if (pattern === '*' || pattern === type) return true
  if (!pattern.includes('*')) return false
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(type)
}
