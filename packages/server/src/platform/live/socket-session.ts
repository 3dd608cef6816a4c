import type { ClientFrame, Command, ControlFrame, LivePosition } from '@bey/contract'
import { liveLimits } from '@bey/contract'
import type { Clock } from '../clock.ts'
import { uuidv7 } from '../crypto/uuid.ts'
import type { AnonymousClients } from '../http/anonymous-limits.ts'
import type { AccessEnd } from './access-end.ts'
import type { Authenticate } from './authenticate.ts'
import { readClientFrame } from './client-frame.ts'
import type { FollowsOptions } from './follows.ts'
import { createFollows } from './follows.ts'
import type { Hub } from './hub.ts'
import { isEndedBy } from './hub.ts'
import type { Transport } from './outbox.ts'
import { createOutbox } from './outbox.ts'
import type { LiveIdentity, Peer } from './peer.ts'
import { frameOf } from './publish.ts'
import { rateLimit } from './rate.ts'

/** Sockets are asked again at least this often whether their session and role still hold. */
const recheckPeriodMs = 60_000
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
  let isOver = false
  let hasAskedIn = false
  // One message after another: to unsubscribe must not overtake the subscription that is still being checked.
  let turn = Promise.resolve()
  let cancelTimer = clock.setTimeout(
    () => end(1008, `Not authenticated within ${liveLimits.authenticateTimeoutMs / 1000} s`),
    liveLimits.authenticateTimeoutMs,
  )

  const say = (frame: ControlFrame) => (isOver ? undefined : outbox.answer(frame))
  say({ type: 'CONNECTED', payload: { connectionId: id, timestamp: clock.now().getTime() } })

  function end(code: number, reason: string): void {
    if (isOver) return
    over()
    transport.close(code, reason)
  }

  function over(): void {
    isOver = true
    cancelTimer()
    outbox.stop()
    if (!peer) return
    hub.leave(peer)
    follows.releaseAll()
  }

  function received(text: string): void {
    if (isOver) return
    if (!mayPass()) {
      end(1013, 'Too many messages')
      return
    }
    const read = readClientFrame(text)
    const asksIn = read.kind === 'frame' && read.frame.type === 'AUTHENTICATE'
    if (read.kind === 'broken') end(1007, 'Not a message of this protocol')
    else if (asksIn === hasAskedIn) end(1008, asksIn ? 'Authenticated before' : 'Authenticate first')
    else if (read.kind === 'unknown') enqueue(() => fail(read.id, read.error))
    else enqueue(() => handle(read.frame))
    hasAskedIn ||= asksIn
  }

  function enqueue(work: () => void | Promise<void>): void {
    turn = turn
      .then(() => (isOver ? undefined : work()))
      .catch((error: unknown) => {
        log.error({ err: error, connection: id }, 'A message of a live socket could not be handled')
        end(1011, 'Internal error')
      })
  }

  function fail(commandId: string, error: string): void {
    say({ type: 'COMMAND_RESULT', id: commandId, payload: { commandId, success: false, error } })
  }

  function handle(frame: ClientFrame): void | Promise<void> {
    switch (frame.type) {
      case 'AUTHENTICATE':
        return authenticate(frame.payload)
      case 'PING':
        say({ type: 'PONG', id: frame.id, payload: { timestamp: clock.now().getTime() } })
        return
      case 'COMMAND':
        return handleCommand(frame.id, frame.payload)
    }
  }

  async function authenticate({ token, organizationId }: { token: string; organizationId: number }) {
    if (options.anonymousClients?.mayTry(ip, token) === false) {
      end(1013, 'Too many requests from this address were refused')
      return
    }
    const ended: AccessEnd[] = []
    const stopListening = options.onAccessEnd((each) => ended.push(each))
    try {
      const identity = await options.authenticate(token, organizationId, ip)
      if (isOver) return
      if (!identity || ended.some((each) => isEndedBy({ identity }, each))) refuse(token)
      else enter(identity, token)
      // Whether they still belong may have been read just before it changed.
      if (ended.some(({ kind }) => kind === 'member' || kind === 'organization')) await peer?.recheck()
    } catch (error) {
      log.warn({ err: error }, 'A live socket could not be authenticated')
      end(1013, 'The server cannot authenticate at the moment')
    } finally {
      stopListening()
    }
  }

  function refuse(token: string): void {
    options.anonymousClients?.refused(ip, token)
    const error = 'Unauthorized: Please log in again.'
    say({ type: 'AUTHENTICATED', payload: { success: false, error } })
    end(1008, 'Authentication failed')
  }

  function enter(identity: LiveIdentity, token: string): void {
    const mine: Peer = {
      id,
      identity,
      subscriptions: new Map(),
      outbox,
      close: end,
      recheck: () => recheck(mine, token),
    }
    if (!hub.join(mine)) {
      end(1013, `You have ${liveLimits.socketsPerUser} live connections already; close one`)
      return
    }
    peer = mine
    entered()
    options.anonymousClients?.accepted(token)
    recheckLater(mine)
    const { user, organizationId } = identity
    say({
      type: 'AUTHENTICATED',
      payload: {
        success: true,
        connectionId: id,
        userId: user.id,
        organizationId,
        user,
        ip,
        clusterId: null,
        version: options.version,
        position: options.position(organizationId),
      },
    })
  }

  function recheckLater(mine: Peer): void {
    cancelTimer()
    cancelTimer = clock.setTimeout(() => {
      void mine.recheck().then(() => (isOver ? undefined : recheckLater(mine)))
    }, spread(recheckPeriodMs))
  }

  async function recheck(mine: Peer, token: string): Promise<void> {
    try {
      const identity = await options.authenticate(token, mine.identity.organizationId, ip)
      if (isOver) return
      if (!identity) {
        end(1008, 'Session ended')
        return
      }
      const hasOtherRole = identity.role !== mine.identity.role
      mine.identity = identity
      if (hasOtherRole) say({ type: 'REFETCH', payload: { reason: 'Your role changed' } })
    } catch (error) {
      // While the database is unavailable no session is ended; the next check decides.
      log.debug({ err: error }, 'A live socket could not be looked at again')
    }
  }

  async function handleCommand(commandId: string, command: Command): Promise<void> {
    if (!peer) return
    const refusal = await follows.handleCommand(peer, command, () => isOver)
    if (refusal) {
      fail(commandId, refusal)
      sendMetricsFrame(peer, command, refusal)
      return
    }
    const position = options.position(peer.identity.organizationId)
    say({ type: 'COMMAND_RESULT', id: commandId, payload: { commandId, success: true, position } })
    say({ type: 'SUBSCRIPTION_UPDATE', payload: { subscriptions: [...peer.subscriptions.values()] } })
    sendMetricsFrame(peer, command)
  }

  function sendMetricsFrame({ identity }: Peer, { type, payload }: Command, error?: string): void {
    if (isOver || payload.kind !== 'cluster_metrics') return
    const { organizationId } = identity
    const { clusterId } = payload
    if (error !== undefined) {
      outbox.answer(frameOf({ organizationId, type: 'METRICS_STREAMING_ERROR', data: { clusterId, error } }))
      return
    }
    const moved = type === 'SUBSCRIBE' ? 'METRICS_STREAMING_STARTED' : 'METRICS_STREAMING_STOPPED'
    outbox.answer(frameOf({ organizationId, type: moved, data: { clusterId } }))
  }

  return {
    received,
    closed() {
      if (!isOver) over()
    },
    closeAsAnonymous: () => end(1013, 'Too many connections are waiting'),
  }
}

// After a restart everybody comes back at once, and should not be looked at all at once ever after.
function spread(periodMs: number): number {
  return periodMs * (0.75 + Math.random() * 0.25)
}
