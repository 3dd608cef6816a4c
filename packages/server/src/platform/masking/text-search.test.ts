import { expect, test } from 'vitest'

import { createTextSearch } from './text-search.ts'

const found = (patterns: string[], text: string) =>
  createTextSearch(patterns)(text).map(({ start, end }) => text.slice(start, end))

test.each<[string, string[], string, string[]]>([
  ['nothing in an empty text', ['word'], '', []],
  ['nothing in a text shorter than a pattern', ['word'], 'wor', []],
  ['a pattern that is the whole text', ['word'], 'word', ['word']],
  ['a pattern at the beginning and at the end', ['word'], 'word and word', ['word', 'word']],
  ['the longest of several', ['abcd', 'abcdef', 'abcde'], 'x abcdefg', ['abcdef']],
  ['a shorter one where the longer does not stand', ['abcd', 'abcdxyz'], 'abcdxy.', ['abcd']],
  ['the one before a pattern that sorts between', ['abcd', 'abcdaa', 'abcdab'], 'abcdb', ['abcd']],
  ['a pattern within what another began', ['abcdefgh', 'cdef'], 'abcdefx', ['cdef']],
  ['what overlaps as one', ['abcdef', 'efghij'], '-abcdefghij-', ['abcdefghij']],
  ['other scripts', ['пароль', '密码密码密码'], 'это пароль, 密码密码密码!', ['пароль', '密码密码密码']],
  ['characters of two units', ['😀😀😀'], 'a 😀😀😀 b', ['😀😀😀']],
])('finds %s', (_name, patterns, text, spans) => {
  expect(found(patterns, text)).toEqual(spans)
})

test('finds what a search for each pattern finds, among a thousand patterns of one alphabet', () => {
  let seed = 7
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  const word = (length: number) => Array.from({ length }, () => 'abc'[random(3)]).join('')
  const patterns = Array.from({ length: 1_000 }, () => word(6 + random(8)))
  const search = createTextSearch(patterns)
  for (let round = 0; round < 50; round += 1) {
    const text = word(200)
    const isFound = new Set<number>()
    for (const pattern of patterns) {
      for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) {
        for (let index = at; index < at + pattern.length; index += 1) isFound.add(index)
      }
    }
    const marked = search(text).flatMap(({ start, end }) =>
      Array.from({ length: end - start }, (_, index) => start + index),
    )
    expect(marked).toEqual([...isFound].toSorted((a, b) => a - b))
  }
})

test('refuses a pattern that is too short to look up', () => {
  expect(() => createTextSearch(['abc'])).toThrow('at least 4 characters')
})
