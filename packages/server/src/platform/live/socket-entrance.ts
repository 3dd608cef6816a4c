import type { ControlFrame } from '@bey/contract'
import { liveLimits } from '@bey/contract'
import type { AccessEnd } from './access-end.ts'
import { isEndedBy } from './hub.ts'
import type { Outbox } from './outbox.ts'
import type { LiveIdentity, Peer } from './peer.ts'
import type { SocketSessionOptions } from './socket-session.ts'

/** Sockets are asked again at least this often whether their session and role still hold. */
const recheckPeriodMs = 60_000

export type SocketEntranceOptions = Pick<
  SocketSessionOptions,
  'hub' | 'clock' | 'log' | 'version' | 'authenticate' | 'onAccessEnd' | 'anonymousClients' | 'position'
> & {
  /** Of the connection. */
  id: string
  ip: string
  outbox: Outbox
  say: (frame: ControlFrame) => void
  end: (code: number, reason: string) => void
  isOver: () => boolean
  /** Called once the socket is in. */
  entered: (peer: Peer) => void
}

/** Lets a socket in with a token, and looks again and again at whether it may stay. */
export function createSocketEntrance(options: SocketEntranceOptions) {
  const { hub, clock, log, id, ip, say, end, isOver } = options
  let peer: Peer | undefined
  let cancelTimer = clock.setTimeout(
    () => end(1008, `Not authenticated within ${liveLimits.authenticateTimeoutMs / 1000} s`),
    liveLimits.authenticateTimeoutMs,
  )

  async function authenticate({ token, organizationId }: { token: string; organizationId: number }) {
    if (options.anonymousClients?.mayTry(ip, token) === false) {
      end(1013, 'Too many requests from this address were refused')
      return
    }
    const ended: AccessEnd[] = []
    const stopListening = options.onAccessEnd((each) => ended.push(each))
    try {
      const identity = await options.authenticate(token, organizationId, ip)
      if (isOver()) return
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
      outbox: options.outbox,
      close: end,
      recheck: () => recheck(mine, token),
    }
    if (!hub.join(mine)) {
      end(1013, `You have ${liveLimits.socketsPerUser} live connections already; close one`)
      return
    }
    peer = mine
    options.entered(mine)
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
      void mine.recheck().then(() => (isOver() ? undefined : recheckLater(mine)))
    }, spread(recheckPeriodMs))
  }

  async function recheck(mine: Peer, token: string): Promise<void> {
    try {
      const identity = await options.authenticate(token, mine.identity.organizationId, ip)
      if (isOver()) return
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

  return { authenticate, stop: () => cancelTimer() }
}

// After a restart everybody comes back at once, and should not be looked at all at once ever after.
function spread(periodMs: number): number {
  return periodMs * (0.75 + Math.random() * 0.25)
}
