import type { EventRow } from '@bey/contract'
import { expect, test } from 'vitest'
import { eachEvent, foldEvents } from './fold-events.ts'

const event = (reason: string, object: string, count = 1): EventRow => ({
  uid: `${reason} ${object}`,
  type: 'Warning',
  reason,
  message: '',
  object,
  namespace: 'shop',
  count,
  firstSeenAt: null,
  lastSeenAt: '2026-01-01T12:00:00Z',
})

test('events of one reason about the pods of one workload are one row, with all that happened to them', () => {
  const events = [
    event('BackOff', 'Pod/web-6b7d9c8f5d-x2v4q', 8),
    event('BackOff', 'Pod/web-6b7d9c8f5d-9hjkl', 4),
    event('Killing', 'Pod/web-6b7d9c8f5d-9hjkl'),
    event('BackOff', 'Pod/db-0'),
    event('ScalingReplicaSet', 'Deployment/web'),
  ]
  const rows = foldEvents(events).map(
    ({ event: { reason }, object, objectCount, count }) => `${reason} ${object} ${objectCount} ${count}`,
  )
  expect(rows).toEqual([
    'BackOff Pod/web 2 12',
    'Killing Pod/web 1 1',
    'BackOff Pod/db 1 1',
    'ScalingReplicaSet Deployment/web 1 1',
  ])
  expect(eachEvent(events)).toHaveLength(5)
})
