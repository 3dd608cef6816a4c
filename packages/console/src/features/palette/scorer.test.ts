import { expect, test } from 'vitest'
import { quickSearch, searchIndex } from './scorer.ts'

const item = (title: string, description = '', category = '') => ({ title, description, category })
const titles = (items: { title: string }[], query: string) =>
  quickSearch(searchIndex(items as ReturnType<typeof item>[]), query).map(({ title }) => title)

test('the whole title comes before its beginning, a word’s beginning and what lies inside', () => {
  const items = [item('my-prod'), item('reprod'), item('prod-eu-1'), item('prod'), item('other')]
  expect(titles(items, 'prod')).toEqual(['prod', 'prod-eu-1', 'my-prod', 'reprod'])
})

test('a title counts for more than a description, and that for more than a category', () => {
  const items = [item('a', '', 'billing'), item('b', 'billing'), item('billing')]
  expect(titles(items, 'BILLING')).toEqual(['billing', 'b', 'a'])
})

test('words may stand in any order and in different fields, yet all must be there', () => {
  const items = [item('prod-eu-1', 'v1.33 · 3 nodes'), item('prod-us-1', 'v1.32')]
  expect(titles(items, '1.33 prod')).toEqual(['prod-eu-1'])
  expect(titles(items, 'prod nowhere')).toEqual([])
})

test('one sign matches beginnings of words only, and blanks match nothing', () => {
  const items = [item('alpha'), item('beta-a'), item('gamma')]
  expect(titles(items, 'a')).toEqual(['alpha', 'beta-a'])
  expect(titles(items, '  ')).toEqual([])
})

test('equals keep their order, and signs of regular expressions are plain text', () => {
  expect(titles([item('x-2'), item('x-1')], 'x')).toEqual(['x-2', 'x-1'])
  expect(titles([item('a(b'), item('ab')], '(b')).toEqual(['a(b'])
})

test('typing on finds what a search from the start finds', () => {
  const items = [item('prod neu'), item('prod-eu'), item('eu'), item('e prod', 'eu'), item('unread', 'prod')]
  const index = searchIndex(items)
  for (const query of ['p', 'pr', 'prod', 'prod ', 'prod e', 'prod eu', 'prod', 'eu', 'pro', 'xprod']) {
    const typed = quickSearch(index, query).map(({ title }) => title)
    expect(typed, query).toEqual(titles(items, query))
  }
  expect(titles(items, 'prod eu')).toContain('prod neu')
})
