import { expect, test } from 'vitest'
import { waitSecondsOf } from './prefer.ts'

test.each([
  ['wait=30', 30],
  ['respond-async, wait=10', 10],
  ['WAIT = "7"', 7],
  ['wait=20; note="a, b", wait=5', 20],
  ['handling="a, wait=9", wait=4', 4],
  ['wait=100000', 50],
])('%s waits for %i s', (header, seconds) => {
  expect(waitSecondsOf(header)).toBe(seconds)
})

test.each([
  'wait',
  'wait=',
  'wait=0',
  'wait=-1',
  'wait=1.5',
  'wait=soon',
  'waits=9',
  '',
  ',,',
  'wait="',
  undefined,
])('%s is ignored, as RFC 7240 asks', (header) => {
  expect(waitSecondsOf(header)).toBeUndefined()
})

test('of several headers the first preference counts', () => {
  expect(waitSecondsOf(['handling=strict', 'wait=3', 'wait=9'])).toBe(3)
})
