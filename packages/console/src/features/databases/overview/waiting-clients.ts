import type { DatabaseSession, LockNode } from '@bey/contract'
import { sessionAgeMs } from '../insight/session-text.ts'

/** Sessions of one client that wait, together. */
export interface WaitingClient {
  client: string
  sessions: number
  /** How long the one that has waited longest has waited. */
  longestMs: number
}

/** Who waits, by client, those that have waited longest first. */
export function waitingClients(nodes: readonly LockNode<DatabaseSession>[], nowMs: number): WaitingClient[] {
  const clients = new Map<string, WaitingClient>()
  for (const { session } of nodes) {
    if (session.blockedBy.length === 0) continue
    const { client, sessions, longestMs } = clients.get(session.client) ?? {
      client: session.client,
      sessions: 0,
      longestMs: 0,
    }
    clients.set(session.client, {
      client,
      sessions: sessions + 1,
      longestMs: Math.max(longestMs, sessionAgeMs(session, nowMs)),
    })
  }
  return [...clients.values()].toSorted((one, other) => other.longestMs - one.longestMs)
}
