import { expect, test } from 'vitest'

import { createPassageSearch } from './passage-search.ts'

function random(seed: number) {
  let state = seed
  return (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
}

test.each([
  ['an alphabet of two letters', 'ab', 200],
  ['one of thirty', 'abcdefghijklmnopqrstuvwxyz0123', 60],
])('finds every passage that a text shares with a pattern, with %s', (_name, alphabet, patternLength) => {
  const next = random(11)
  const word = (length: number) => Array.from({ length }, () => alphabet[next(alphabet.length)]).join('')
  const patterns = Array.from({ length: 20 }, () => word(patternLength))
  const search = createPassageSearch(patterns, 12)
  for (let round = 0; round < 100; round += 1) {
    const [from, length] = [next(patternLength - 20), 8 + next(12)]
    const text = `${word(30)}${patterns[next(20)]?.slice(from, from + length)}${word(30)}`
    const isShared = (start: number) => patterns.some((each) => each.includes(text.slice(start, start + 12)))
    const shared = new Set<number>()
    for (let start = 0; start + 12 <= text.length; start += 1) {
      if (isShared(start)) for (let index = start; index < start + 12; index += 1) shared.add(index)
    }
    const found = new Set(
      search?.(text).flatMap(({ start, end }) =>
        Array.from({ length: end - start }, (_, index) => start + index),
      ),
    )
    // Nothing that is shared is left; samples at many places are found by themselves.
    expect([...shared].filter((index) => !found.has(index))).toEqual([])
    if (alphabet.length > 2) expect(found.size).toBe(shared.size)
  }
})

test('patterns that are too short are none', () => {
  expect(createPassageSearch(['short'], 12)).toBeUndefined()
})

test('a passage does not reach over the end of a pattern into the next one', () => {
  const search = createPassageSearch(['abcdefghijkl', 'mnopqrstuvwx'], 12)
  expect(search?.('__ghijklmnopqrst__')).toEqual([])
})
