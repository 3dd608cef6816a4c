import type { Role, Subscription } from '@bey/contract'
import type { KeyRights } from '../keys/key-rights.ts'
import type { Outbox } from './outbox.ts'

/** Who is at the other end of a socket, as their session and membership, or their API key, say. */
export type LiveIdentity = {
  /** Of an API key the id of its secret. */
  sessionId: string
  user: { id: number; email: string; name: string }
  organizationId: number
  role: Role
  key?: KeyRights
}

/** An authenticated socket. */
export type Peer = {
  id: string
  /** Changes when the member's role does; organization and user never do. */
  identity: LiveIdentity
  /** By key. */
  subscriptions: Map<string, Subscription>
  outbox: Outbox
  close: (code: number, reason: string) => void
  /** Checks the session again; closes the socket if it is no longer valid. */
  recheck: () => Promise<void>
}
