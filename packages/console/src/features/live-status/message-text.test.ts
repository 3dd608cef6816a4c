import type { LoggedMessage } from '@bey/client'
import { expect, test } from 'vitest'
import { matchesFilter, previewOf, typeOf } from './message-text.ts'

const message = (type: LoggedMessage['type'], data: unknown): LoggedMessage => ({
  id: 1,
  type,
  timestamp: '2026-11-21T12:00:00Z',
  data,
})
const ping = message('sent', { type: 'PING', id: '7' })
const update = message('received', { type: 'WORKFLOW_UPDATE', data: { message: 'Nodes JOINED' } })

test('a message is named by its type', () => {
  expect([ping, update, message('received', 5)].map(typeOf)).toEqual(['PING', 'WORKFLOW_UPDATE', 'unknown'])
})

test('its preview does not repeat the type', () => {
  expect([ping, message('received', 5)].map(previewOf)).toEqual(['{"id":"7"}', '5'])
})

test.each([
  ['all', '', [true, true]],
  ['sent', '', [true, false]],
  ['received', '', [false, true]],
  ['PING', '', [true, false]],
  ['all', ' nodes joined ', [false, true]],
  ['sent', 'nodes', [false, false]],
])('the kind %s with the text "%s" shows what it should', (kind, text, shown) => {
  expect([ping, update].map((each) => matchesFilter(each, { kind, text }))).toEqual(shown)
})
