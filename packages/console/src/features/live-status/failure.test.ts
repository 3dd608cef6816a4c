import { createLiveSocket, liveTexts } from '@bey/client'
import type { LiveState } from '@bey/client'
import { expect, test } from 'vitest'
import { likelyFailure } from './failure.ts'

const state = (status: LiveState['connection_status'], error: string | null, attempts = 0): LiveState => {
  const { state: initial } = createLiveSocket({ url: '' })
  const details = { ...initial.connection_details, connection_attempts: attempts }
  return { ...initial, connection_status: status, last_error: error, connection_details: details }
}

test.each([
  [
    'a server that does not answer at all',
    'reconnecting',
    liveTexts.connectionClosed,
    1,
    'disconnected',
    'refused',
  ],
  [
    'a silent socket of a server that is gone',
    'reconnecting',
    liveTexts.pingTimeout,
    1,
    'disconnected',
    'refused',
  ],
  ['a refused session', 'disconnected', 'The session has expired', 0, 'connected', 'unauthorized'],
  ['no credentials', 'disconnected', liveTexts.nothingToReconnect, 0, 'connected', 'unauthorized'],
  [
    'a server that answers but opens no socket',
    'reconnecting',
    liveTexts.connectionClosed,
    2,
    'connected',
    'cors',
  ],
  ['no answer in time', 'reconnecting', liveTexts.connectionTimeout, 1, 'connected', 'timeout'],
  [
    'a connection that was cut a moment ago',
    'reconnecting',
    liveTexts.connectionClosed,
    1,
    'connected',
    undefined,
  ],
  ['what is not known yet', 'reconnecting', liveTexts.connectionClosed, 5, 'checking', undefined],
  ['a deliberate disconnect', 'disconnected', null, 0, 'connected', undefined],
  ['a connection', 'connected', null, 0, 'connected', undefined],
] as const)('%s is distinguished', (_what, status, error, attempts, backend, failure) => {
  expect(likelyFailure(state(status, error, attempts), backend)).toBe(failure)
})
