import { expect, test } from 'vitest'
import { summaryWithProofs } from './summary-text.ts'

const summary = { total: 12, unreachable: 0, unreachableSince: null, attention: 0 }

test.each([
  [7, 6, '12 databases. 6 of the 7 backed up here are proven restorable.'],
  [7, 1, '12 databases. 1 of the 7 backed up here is proven restorable.'],
  [1, 1, '12 databases. The one backed up here is proven restorable.'],
  [1, 0, '12 databases. The one backed up here is not proven restorable.'],
  [0, 0, '12 databases'],
])('of %i databases that are backed up here %i are proven: %s', (backedUp, proven, text) => {
  expect(summaryWithProofs({ ...summary, backedUp, proven })).toBe(text)
})

test('what needs attention comes before what is proven', () => {
  expect(summaryWithProofs({ ...summary, attention: 3, backedUp: 7, proven: 6 })).toBe(
    '3 of 12 databases need attention. 6 of the 7 backed up here are proven restorable.',
  )
})
