import type { ClientFrame, ControlFrame, LivePosition } from '@bey/contract'
import type { Clock } from '../clock.ts'
import { uuidv7 } from '../crypto/uuid.ts'
import type { AnonymousClients } from '../http/anonymous-limits.ts'
import type { AccessEnd } from './access-end.ts'
import type { Authenticate } from './authenticate.ts'
import { readClientFrame } from './client-frame.ts'
import type { FollowsOptions } from './follows.ts'
import { createFollows } from './follows.ts'
import type { Hub } from './hub.ts'
import type { Transport } from './outbox.ts'
import { createOutbox } from './outbox.ts'
import type { Peer } from './peer.ts'
import { rateLimit } from './rate.ts'
import { createSocketCommands } from './socket-commands.ts'
import { createSocketEntrance } from './socket-entrance.ts'

/** Messages of one socket; more closes it. */
const messageRate = { burst: 200, perSecond: 20 }

export type SocketSessionOptions = FollowsOptions & {
  hub: Hub
  clock: Clock
  /** Version of the server. */
  version: string
  /** The user of the token in that organization; undefined if the token is invalid or the user no member. */
  authenticate: Authenticate
  /** Accesses that end during authentication; returns a function that stops listening. */
  onAccessEnd: (listener: (ended: AccessEnd) => void) => () => void
  anonymousClients?: AnonymousClients
  /** How far the events of an organization have been delivered. */
  position: (organizationId: number) => LivePosition
}

export type SocketSession = {
  received: (text: string) => void
  closed: () => void
  /** Ends it in favour of other sockets that have not authenticated yet. */
  closeAsAnonymous: () => void
}

/** Speaks the protocol of `/ws` with one socket. */
export function openSocketSession(
  transport: Transport,
  ip: string,
  options: SocketSessionOptions,
  entered: () => void = () => undefined,
): SocketSession {
  const { hub, clock, log } = options
  const id = uuidv7()
  const outbox = createOutbox(transport, clock)
  const mayPass = rateLimit(clock, messageRate)
  const follows = createFollows(options)
  let peer: Peer | undefined
  let over = false
  let hasAskedIn = false
  // One message after another: to unsubscribe must not overtake the subscription that is still being checked.
  let turn = Promise.resolve()
  const isOver = () => over
  const say = (frame: ControlFrame) => (over ? undefined : outbox.answer(frame))
  const commands = createSocketCommands({ follows, outbox, say, isOver, position: options.position })
  const entrance = createSocketEntrance({
    ...options,
    id,
    ip,
    outbox,
    say,
    end,
    isOver,
    entered(mine) {
      peer = mine
      entered()
    },
  })
  say({ type: 'CONNECTED', payload: { connectionId: id, timestamp: clock.now().getTime() } })

  function end(code: number, reason: string): void {
    if (over) return
    finish()
    transport.close(code, reason)
  }

  function finish(): void {
    over = true
    entrance.stop()
    outbox.stop()
    if (!peer) return
    hub.leave(peer)
    follows.releaseAll()
  }

  function received(text: string): void {
    if (over) return
    if (!mayPass()) {
      end(1013, 'Too many messages')
      return
    }
    const read = readClientFrame(text)
    const asksIn = read.kind === 'frame' && read.frame.type === 'AUTHENTICATE'
    if (read.kind === 'broken') end(1007, 'Not a message of this protocol')
    else if (asksIn === hasAskedIn) end(1008, asksIn ? 'Authenticated before' : 'Authenticate first')
    else if (read.kind === 'unknown') enqueue(() => commands.fail(read.id, read.error))
    else enqueue(() => handle(read.frame))
    hasAskedIn ||= asksIn
  }

  function enqueue(work: () => void | Promise<void>): void {
    turn = turn
      .then(() => (over ? undefined : work()))
      .catch((error: unknown) => {
        log.error({ err: error, connection: id }, 'A message of a live socket could not be handled')
        end(1011, 'Internal error')
      })
  }

  function handle(frame: ClientFrame): void | Promise<void> {
    switch (frame.type) {
      case 'AUTHENTICATE':
        return entrance.authenticate(frame.payload)
      case 'PING':
        say({ type: 'PONG', id: frame.id, payload: { timestamp: clock.now().getTime() } })
        return
      case 'COMMAND':
        return peer && commands.handle(peer, frame.id, frame.payload)
    }
  }

  return {
    received,
    closed() {
      if (!over) finish()
    },
    closeAsAnonymous: () => end(1013, 'Too many connections are waiting'),
  }
}
