import { expect, test } from 'vitest'
import { includesPosition } from './live-position.ts'

test.each([
  ['a.5.0', 'a.5.0', true],
  ['a.6.0', 'a.5.0', true],
  ['a.10.0', 'a.9.0', true],
  ['a.4.0', 'a.5.0', false],
  ['b.9.0', 'a.5.0', false],
  [undefined, 'a.5.0', false],
  ['a.5.0', undefined, false],
  [undefined, undefined, false],
])('what was read at %s includes %s: %s', (read, other, isIncluded) => {
  expect(includesPosition(read, other)).toBe(isIncluded)
})

test('changes of objects count for what shows objects alone', () => {
  expect(includesPosition('a.5.1', 'a.5.2')).toBe(true)
  expect(includesPosition('a.5.1', 'a.5.2', 'objects')).toBe(false)
  expect(includesPosition('a.5.2', 'a.5.2', 'objects')).toBe(true)
})
