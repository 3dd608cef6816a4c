import { expect, test } from 'vitest'
import { createMatcher } from './search-rank.ts'

const object = { name: 'checkout-api', kind: 'Deployment', namespace: 'shop', cluster: 'prod-eu-1' }

test.each([
  ['checkout-api', 0],
  ['check', 1],
  ['api', 2],
  ['heck', 3],
  ['deploy', 4],
  ['deployments', 4],
  ['CHECK deploy', 5],
  ['shop check', 6],
  ['prod check', 6],
])('%j ranks %d', (search, rank) => {
  expect(createMatcher(search)(object)).toBe(rank)
})

test.each(['shop', 'prod-eu', 'de', 'check service', 'checkout-apis'])('%j does not find it', (search) => {
  expect(createMatcher(search)(object)).toBeUndefined()
})
