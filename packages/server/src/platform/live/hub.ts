import type { EventFacts, EventFrame, LiveEventType } from '@bey/contract'
import { eventTable, followersOf, liveLimits, namedResources, recipientOf } from '@bey/contract'
import { mayDo, mayTouch } from '../keys/key-rights.ts'
import type { AccessEnd } from './access-end.ts'
import type { Peer } from './peer.ts'
import { textFrame } from './text-frame.ts'

export type Hub = {
  /** False when the user, or the API key, has as many sockets as one may have. */
  join: (peer: Peer) => boolean
  leave: (peer: Peer) => void
  hasOrganization: (organizationId: number) => boolean
  /** Whether a socket is there that an event of its organization may be for. */
  hasReceiver: (event: EventFrame) => boolean
  /** Sends an event to each socket that may read it and follows it. `text` is the frame, serialized once for all. */
  deliver: (event: EventFrame, text: string) => void
  /** Tells every socket, or those of one organization, to refetch what is on screen. */
  refetch: (reason: string, organizationId?: number) => void
  /** Closes, or looks again at, whatever depends on an access that ended. */
  end: (ended: AccessEnd) => void
  peers: () => Peer[]
  count: () => number
}

/** The authenticated sockets of this process, by organization. `events` says what a reader of each needs. */
export function createHub(events: Readonly<Record<LiveEventType, EventFacts>> = eventTable): Hub {
  const byOrganization = new Map<number, Set<Peer>>()
  const socketsOfOwner = new Map<string, number>()
  let count = 0

  const of = (organizationId: number): ReadonlySet<Peer> =>
    byOrganization.get(organizationId) ?? new Set<Peer>()
  const all = (): Peer[] => [...byOrganization.values()].flatMap((peers) => [...peers])

  return {
    join(peer) {
      const { organizationId } = peer.identity
      const owner = ownerOf(peer.identity)
      const sockets = socketsOfOwner.get(owner) ?? 0
      if (sockets >= liveLimits.socketsPerUser) return false
      socketsOfOwner.set(owner, sockets + 1)
      count += 1
      const peers = byOrganization.get(organizationId) ?? new Set()
      byOrganization.set(organizationId, peers.add(peer))
      return true
    },

    leave(peer) {
      const { organizationId } = peer.identity
      const owner = ownerOf(peer.identity)
      const peers = byOrganization.get(organizationId)
      if (!peers?.delete(peer)) return
      count -= 1
      if (peers.size === 0) byOrganization.delete(organizationId)
      const left = (socketsOfOwner.get(owner) ?? 1) - 1
      if (left > 0) socketsOfOwner.set(owner, left)
      else socketsOfOwner.delete(owner)
    },

    hasOrganization: (organizationId) => byOrganization.has(organizationId),

    hasReceiver(event) {
      const userId = recipientOf(event)
      const peers = of(event.organizationId)
      return userId === undefined
        ? peers.size > 0
        : [...peers].some(({ identity }) => isPerson(identity, userId))
    },

    deliver(event, text) {
      const { permission } = events[event.type]
      const keys = followersOf(event)
      const userId = recipientOf(event)
      let frame: Uint8Array | undefined
      for (const peer of of(event.organizationId)) {
        if (!mayDo(peer.identity, permission)) continue
        if (userId !== undefined && !isPerson(peer.identity, userId)) continue
        if (peer.identity.key && !mayTouch(peer.identity, namedResources(event.data))) continue
        if (keys && !keys.some((key) => peer.subscriptions.has(key))) continue
        frame ??= textFrame(text)
        peer.outbox.event(frame)
      }
    },

    refetch(reason, organizationId) {
      const frame = textFrame(JSON.stringify({ type: 'REFETCH', payload: { reason } }))
      for (const peer of organizationId === undefined ? all() : of(organizationId)) peer.outbox.event(frame)
    },

    end(ended) {
      for (const peer of all()) {
        if (ended.kind === 'member') {
          const isAffected =
            peer.identity.user.id === ended.userId && peer.identity.organizationId === ended.organizationId
          if (isAffected) void peer.recheck()
        } else if (ended.kind === 'organization') {
          if (peer.identity.organizationId === ended.organizationId) void peer.recheck()
        } else if (ended.kind === 'keyChange') {
          if (peer.identity.key?.id === ended.keyId) void peer.recheck()
        } else if (isEndedBy(peer, ended)) peer.close(1008, 'Session ended')
      }
    },

    peers: all,
    count: () => count,
  }
}

/** Whether a socket must close; a membership is looked at again instead, for it may have changed its role only. */
export function isEndedBy({ identity }: { identity: Peer['identity'] }, ended: AccessEnd): boolean {
  switch (ended.kind) {
    case 'session':
      return identity.sessionId === ended.id
    case 'user':
      return identity.user.id === ended.userId && identity.key === undefined
    case 'key':
      return identity.key?.secretId === ended.id
    case 'member':
    case 'organization':
    case 'keyChange':
    case 'token':
    case 'cluster':
      return false
  }
}

/** Whose sockets are counted together: those of a person, or of an API key. */
function ownerOf({ user, key }: Peer['identity']): string {
  return key === undefined ? `user ${user.id}` : `key ${key.id}`
}

/** Whether what belongs to a person may reach somebody; a key of the organization only writes in a person's name. */
function isPerson({ user, key }: Peer['identity'], userId: number): boolean {
  return user.id === userId && key?.isPersonal !== false
}
