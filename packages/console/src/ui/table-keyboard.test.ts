// @vitest-environment node
import { expect, test } from 'vitest'
import { nextRow } from './table-keyboard.ts'

test('j and the down arrow go one row on and stop at the last', () => {
  expect(nextRow('j', -1, 3, 10)).toBe(0)
  expect(nextRow('ArrowDown', 1, 3, 10)).toBe(2)
  expect(nextRow('j', 2, 3, 10)).toBe(2)
})

test('k goes back and stops at the first, also from nowhere', () => {
  expect(nextRow('k', 2, 3, 10)).toBe(1)
  expect(nextRow('ArrowUp', 0, 3, 10)).toBe(0)
  expect(nextRow('k', -1, 3, 10)).toBe(0)
})

test('pages and ends stay within the rows', () => {
  expect(nextRow('PageDown', 5, 8, 10)).toBe(7)
  expect(nextRow('PageUp', 5, 8, 10)).toBe(0)
  expect(nextRow('End', 0, 8, 10)).toBe(7)
  expect(nextRow('Home', 7, 8, 10)).toBe(0)
})

test('other keys and empty tables move nothing', () => {
  expect(nextRow('a', 0, 3, 10)).toBeUndefined()
  expect(nextRow('j', -1, 0, 10)).toBeUndefined()
})
