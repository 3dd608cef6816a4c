import type { Method } from './endpoint.ts'
import type { WireShape } from './wire.ts'

/** What the client needs to know of an endpoint. */
export type Route = {
  method: Method
  path: string
  /** The reply is text, not JSON. */
  isText?: boolean
  isIdempotent?: boolean
  /** It is the user's own, whichever organization they are in. */
  isOfUser?: true
  outdates?: readonly string[]
  replyOf?: string
  /** Shapes of what is snake case on the wire. */
  wire?: { query?: WireShape; body?: WireShape; response?: WireShape }
}
