import { expect, test } from 'vitest'
import { spread } from './spread-entries.ts'

test.each([
  ['rows with room stay where they wish to be', [0, 100, 200], [0, 100, 200]],
  ['rows too near move down', [10, 20, 200], [10, 54, 200]],
  ['at the end they move up, and push those before', [300, 390, 398], [268, 312, 356]],
  ['nothing is placed of nothing', [], []],
])('%s', (_, wished, tops) => expect(spread(wished, 44, 400)).toEqual(tops))

test('without room for all none lies upon another', () => {
  expect(spread([0, 0, 0], 44, 100)).toEqual([0, 44, 88])
})
