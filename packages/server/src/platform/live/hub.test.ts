import type { EventFrame, Role } from '@bey/contract'
import { eventTable } from '@bey/contract'
import { expect, test } from 'vitest'
import { createHub } from './hub.ts'
import type { Peer } from './peer.ts'
import { frameOf } from './publish.ts'

function peerOf(role: Role, organizationId = 1): Peer & { got: Uint8Array[] } {
  const got: Uint8Array[] = []
  return {
    got,
    id: `${role} ${organizationId}`,
    identity: { sessionId: role, user: { id: organizationId, email: '', name: '' }, organizationId, role },
    subscriptions: new Map(),
    outbox: { event: (frame) => void got.push(frame), answer: () => undefined, stop: () => undefined },
    close: () => undefined,
    recheck: async () => undefined,
  }
}

const event: EventFrame = frameOf({
  organizationId: 1,
  type: 'WORKFLOW_UPDATE',
  data: { workflowId: 'w', status: 'running', lastRunAt: null },
})

test('an event reaches only roles that hold its permission', () => {
  const hub = createHub({
    ...eventTable,
    WORKFLOW_UPDATE: { audience: 'organization', permission: 'audit.read' },
  })
  const peers = (['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] as const).map((role) => peerOf(role))
  for (const peer of peers) hub.join(peer)
  hub.deliver(event, JSON.stringify(event))
  expect(peers.map((peer) => peer.got.length)).toEqual([1, 1, 0, 0])
})

test('every role reads what all may read', () => {
  const hub = createHub()
  const viewer = peerOf('VIEWER')
  hub.join(viewer)
  hub.deliver(event, JSON.stringify(event))
  expect(viewer.got).toHaveLength(1)
})

test('what concerns one user reaches their sockets alone, whatever role a colleague has', () => {
  const hub = createHub()
  const peers = [peerOf('VIEWER'), peerOf('VIEWER'), peerOf('OWNER')]
  peers.forEach((peer, index) => {
    peer.identity.user.id = index === 2 ? 9 : 4
    hub.join(peer)
  })
  const own = frameOf({ organizationId: 1, type: 'NOTIFICATIONS_UPDATE', data: { userId: 4 } })
  hub.deliver(own, JSON.stringify(own))
  expect(peers.map((peer) => peer.got.length)).toEqual([1, 1, 0])
})

test('an event is serialized once, however many sockets get it', () => {
  const hub = createHub()
  const peers = Array.from({ length: 10 }, () => peerOf('OWNER'))
  for (const peer of peers) hub.join(peer)
  hub.deliver(event, JSON.stringify(event))
  expect(new Set(peers.map((peer) => peer.got[0])).size).toBe(1)
})

test('an organization without sockets holds nothing', () => {
  const hub = createHub()
  const peer = peerOf('OWNER')
  hub.join(peer)
  expect(hub.hasOrganization(1)).toBe(true)
  hub.leave(peer)
  hub.leave(peer)
  expect(hub.hasOrganization(1)).toBe(false)
  expect(hub.count()).toBe(0)
})
