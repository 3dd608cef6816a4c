import { expect, test } from 'vitest'
import { usualBefore } from './usual-before.ts'

const times = [0, 1, 2, 3, 4, 5, 6, 7]

test('what is usual is the median of what was measured before the trouble', () => {
  expect(usualBefore([0, 2, null, 1, 0, 0, 40, 50], times, 6)).toBe(0)
  expect(usualBefore([3, 4, 5, 4, 9, 40, 40, 40], times, 5)).toBe(4)
})

test('without trouble, or with few values before it, nothing is called usual', () => {
  expect(usualBefore([0, 1, 1, 1, 1, 1, 1, 1], times, undefined)).toBeUndefined()
  expect(usualBefore([0, 1, 1, 1, 1, 1, 1, 1], times, 3)).toBeUndefined()
})
