import { expect, test } from 'vitest'
import { writtenSince } from './written-since.ts'

const times = [0, 10_000, 20_000, 30_000]

test('rows that were written before the moment are not left behind', () => {
  expect(writtenSince(times, [5_000, 4, null, 2], 10_000, 15_000)).toBe(4 * 5 + 2 * 10)
})

test('where nothing was measured after it, nothing is said', () => {
  expect(writtenSince(times, [5_000, 4, null, null], 10_000, 20_000)).toBeUndefined()
})
