import { expect, test } from 'vitest'
import { namespaceSentence } from './namespace-text.ts'

const none = { failing: 0, degraded: 0, unknown: 0, starting: 0, healthy: 0 }
const sentence = (counts: Partial<typeof none>, isPartial = false) =>
  namespaceSentence({ counts: { ...none, ...counts }, isPartial })

test('the sentence of a namespace counts its workloads by health, the worst first', () => {
  expect(sentence({ failing: 2, degraded: 1, healthy: 6 })).toBe(
    '2 of 9 workloads are failing, 1 is degraded',
  )
  expect(sentence({ starting: 1 })).toBe('1 of 1 workload is starting')
  expect(sentence({ healthy: 9 })).toBe('All 9 workloads are healthy')
  expect(sentence({})).toBe('No workloads')
  // Half a list must not say that all is well.
  expect(sentence({ healthy: 9 }, true)).toBe('Reading workloads: 9 so far')
})
