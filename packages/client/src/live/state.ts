import type { AuthenticatedPayload, EventFrame, Subscription } from '@bey/contract'
import { liveLimits } from '@bey/contract'

export type ConnectionStatus = 'disconnected' | 'connecting' | 'connected' | 'reconnecting'

export type ConnectionMessage = {
  /** RFC 3339. */ timestamp: string
  message: string
}

/** The connection as the status dialog shows it, in the names of the specification. Never mutated. */
export type LiveState = {
  connection_status: ConnectionStatus
  /** The newest 50 events, oldest first. */
  events: readonly EventFrame[]
  last_error: string | null
  connection_details: {
    /** Since the connection was lost; 0 while connected. */
    connection_attempts: number
    max_connection_attempts: number
    /** The newest 10, oldest first. */
    connection_messages: readonly ConnectionMessage[]
    cluster_id: number | null
    connected_since: string | null
    /** Version of the server at the other end. */
    node_version: string | null
    /** Milliseconds of the last round trip. */
    ping_time: number | null
  }
  /** Of the connection. */
  id: string | null
  user_id: number | null
  organization_id: number | null
  user: AuthenticatedPayload['user'] | null
  /** What the server says is followed. */
  subscriptions: readonly Subscription[]
  last_activity: string | null
  ip: string | null
}

type ConnectionDetails = LiveState['connection_details']

export const initialState: LiveState = {
  connection_status: 'disconnected',
  events: [],
  last_error: null,
  connection_details: {
    connection_attempts: 0,
    max_connection_attempts: liveLimits.maxConnectionAttempts,
    connection_messages: [],
    cluster_id: null,
    connected_since: null,
    node_version: null,
    ping_time: null,
  },
  id: null,
  user_id: null,
  organization_id: null,
  user: null,
  subscriptions: [],
  last_activity: null,
  ip: null,
}

export type StateChange = Partial<Omit<LiveState, 'connection_details'>> & {
  details?: Partial<ConnectionDetails>
}

export function changed(state: LiveState, { details, ...change }: StateChange): LiveState {
  return { ...state, ...change, connection_details: { ...state.connection_details, ...details } }
}

export function authenticated(payload: AuthenticatedPayload, connectedSince: string): StateChange {
  return {
    connection_status: 'connected',
    last_error: null,
    id: payload.connectionId ?? null,
    user_id: payload.userId ?? null,
    organization_id: payload.organizationId ?? null,
    user: payload.user ?? null,
    ip: payload.ip ?? null,
    details: {
      connection_attempts: 0,
      connected_since: connectedSince,
      cluster_id: payload.clusterId ?? null,
      node_version: payload.version ?? null,
    },
  }
}

/** What is no longer true once the socket is gone. */
export const unlinked: StateChange = {
  id: null,
  subscriptions: [],
  details: { connected_since: null, ping_time: null },
}
