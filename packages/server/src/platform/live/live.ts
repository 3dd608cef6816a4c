import type { LivePosition, Subscription } from '@bey/contract'
import { isEventFrame, isExpandedType } from '@bey/contract'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { AccessEnd } from './access-end.ts'
import { accessChannel, parseAccessEnd } from './access-end.ts'
import type { Authenticate } from './authenticate.ts'
import { openSocketSession } from './socket-session.ts'
import type { Expansions } from './expansions.ts'
import { createExpansions } from './expansions.ts'
import type { Enrichments } from './enrichments.ts'
import { createEnrichments } from './enrichments.ts'
import type { FollowHooks } from './follow-hooks.ts'
import { createFollowHooks } from './follow-hooks.ts'
import { createHub } from './hub.ts'
import { listen } from './listener.ts'
import type { DeliveredEvent } from './publish.ts'
import { eventChannel, frameOf } from './publish.ts'
import { createPositions } from './positions.ts'
import type { AnonymousClients } from '../http/anonymous-limits.ts'
import type { AnonymousBounds } from './anonymous-sockets.ts'
import type { OwnOrigins } from './origin.ts'
import type { SocketServer } from './ws.ts'
import { createSocketServer } from './ws.ts'

export type LiveOptions = {
  database: Pick<Database, 'url' | 'ownerPool'>
  clock: Clock
  log: Log
  /** Version of the server, as the console shows it. */
  version: string
  /** Pages of these addresses may connect. */
  origins: OwnOrigins
  /** Who are refused too often are refused before anybody is asked who they are. */
  anonymousClients?: AnonymousClients
  anonymousBounds?: AnonymousBounds
  /** The user of the token in that organization; undefined if the token is invalid or the user no member. */
  authenticate: Authenticate
  /** Whether the organization has the entity of a subscription. */
  canFollow: (organizationId: number, subscription: Subscription) => Promise<boolean>
}

export type Live = {
  /** `/ws`, for `routeUpgrades`. */
  upgrade: Pick<SocketServer, 'takes' | 'handle'>
  /** How far the events of an organization have been heard here: what is read from now on has them in it. */
  position: (organizationId: number) => LivePosition
  /** An object of a cluster changed, whether or not anybody follows it. */
  objectChanged: (organizationId: number) => void
  /** Delivers an event to the sockets of this process only. */
  local: (event: DeliveredEvent) => void
  /** How the data of an event that is published without is built. */
  expand: Expansions['on']
  /** What an event is delivered with beyond what it was published with. */
  enrich: Enrichments['on']
  /** Work that runs only while it is followed; the function that the hook returns ends it. */
  onSubscription: FollowHooks['on']
  /** Closes the sockets of a session, here at once, in other processes on notification. */
  closeSession: (sessionId: string) => void
  closeUser: (userId: number) => void
  /** Looks again, in this process, at who of an organization may stay connected. */
  recheckOrganization: (organizationId: number) => void
  /** Hears the end of every access, in whichever process it ended (see `endAccess`). */
  onAccessEnd: (listener: (ended: AccessEnd) => void) => () => void
  /** What is connected to this process and followed there, and whether it receives events of other processes. */
  figures: () => { connections: number; subscriptions: number; isListening: boolean }
  /** Says good-bye to every socket and stops listening. */
  close: () => Promise<void>
}

/** The live half of the server: receives what any process publishes and sends it to the followers connected here. */
export async function createLive(options: LiveOptions): Promise<Live> {
  const { database, clock, log } = options
  const hub = createHub()
  const hooks = createFollowHooks()
  const positions = createPositions()
  const expansions = createExpansions({ hub, clock, log, position: positions.of })
  const enrichments = createEnrichments({ hub, clock, log })
  const endListeners = new Set<(ended: AccessEnd) => void>()

  const sockets = createSocketServer({
    clock,
    origins: options.origins,
    ...(options.anonymousBounds && { anonymousBounds: options.anonymousBounds }),
    openSocketSession: (transport, ip, entered) =>
      openSocketSession(
        transport,
        ip,
        { ...options, hub, hooks, onAccessEnd, position: positions.of },
        entered,
      ),
  })

  const listener = await listen({
    url: database.url,
    channels: { [eventChannel]: onEventNotice, [accessChannel]: onAccessEndNotice },
    onGap() {
      positions.gap()
      hub.refetch('Events may have been missed')
      for (const peer of hub.peers()) void peer.recheck()
    },
    clock,
    log,
  })

  function onEventNotice(payload: string): void {
    const space = payload.indexOf(' ')
    const organizationId = Number(payload.slice(0, space))
    const position = positions.advance(organizationId)
    if (!hub.hasOrganization(organizationId)) return
    const text = payload.slice(space + 1)
    const event = JSON.parse(text) as { type: string }
    if (isEventFrame(event)) {
      // The text is passed on as it came, with its position in front.
      enrichments.deliver({ ...event, position }, `{"position":"${position}",${text.slice(1)}`)
      expansions.rebuildStale(event)
    } else if (isExpandedType(event.type)) expansions.expand(organizationId, event.type)
  }

  function onAccessEndNotice(payload: string): void {
    const ended = parseAccessEnd(payload)
    if (ended) accessEnded(ended)
  }

  function accessEnded(ended: AccessEnd): void {
    for (const each of Array.from(endListeners)) each(ended)
    hub.end(ended)
  }

  function onAccessEnd(each: (ended: AccessEnd) => void): () => void {
    endListeners.add(each)
    return () => endListeners.delete(each)
  }

  function endEverywhere(ended: AccessEnd): void {
    accessEnded(ended)
    database.ownerPool
      .query('select pg_notify($1, $2)', [accessChannel, JSON.stringify(ended)])
      .catch((error: unknown) => {
        log.warn({ err: error }, 'Other processes find out only at their next look that an access has ended')
      })
  }

  return {
    upgrade: sockets,
    position: positions.of,
    objectChanged: positions.objectChanged,
    local(event) {
      if (!hub.hasOrganization(event.organizationId)) return
      const frame = { ...frameOf(event), position: positions.of(event.organizationId) }
      hub.deliver(frame, JSON.stringify(frame))
    },
    expand: expansions.on,
    enrich: enrichments.on,
    onSubscription: hooks.on,
    closeSession: (sessionId) => endEverywhere({ kind: 'session', id: sessionId }),
    closeUser: (userId) => endEverywhere({ kind: 'user', userId }),
    recheckOrganization: (organizationId) => accessEnded({ kind: 'organization', organizationId }),
    onAccessEnd,
    figures: () => ({
      connections: hub.count(),
      subscriptions: hooks.count(),
      isListening: listener.isListening(),
    }),
    async close() {
      expansions.stop()
      await Promise.all([sockets.close(), listener.close()])
    },
  }
}
