import { ApiError } from '@bey/client'
import { expect, test } from 'vitest'
import { engineErrorText, engineWord } from './engine-text.ts'

const failure = (status: number, detail: string) =>
  new ApiError({ kind: status === 0 ? 'network' : 'problem', status, statusText: 'Bad', detail })

test.each([
  [failure(401, ''), 'Authentication required - please log in to view engine status'],
  [failure(0, ''), 'Backend server not available - check that the server is running on port 9090'],
  [failure(503, 'The engine is starting.'), 'API Error: HTTP 503: The engine is starting.'],
  [failure(502, ''), 'API Error: HTTP 502'],
  [new Error('Not JSON'), 'API Error: Not JSON'],
])('%s is explained', (error, text) => {
  expect(engineErrorText(error, '9090')).toBe(text)
})

test('the engine is shown in a word, also while it is not known', () => {
  expect(engineWord(undefined, false)).toBe('loading')
  expect(engineWord(undefined, true)).toBe('unavailable')
})
