import { expect, test } from 'vitest'
import { parseRelationSearch } from './relation-search.ts'

test('an address without anything explores all kinds, with the changes of a day', () => {
  expect(parseRelationSearch({})).toMatchObject({
    mode: 'explore',
    isTable: false,
    of: undefined,
    kind: undefined,
    depth: 2,
    since: 'day',
  })
})

test('what nobody could have chosen is passed over', () => {
  const search = parseRelationSearch({ mode: 'x', depth: '99', kind: 'unicorn', since: 'ever', act: 1 })
  expect(search).toMatchObject({ mode: 'explore', depth: 2, kind: undefined, since: 'day', act: 'fails' })
})

test('a shared blast radius is read back', () => {
  expect(parseRelationSearch({ mode: 'blast', of: 'secret:1', act: 'deleted' })).toMatchObject({
    mode: 'blast',
    of: 'secret:1',
    act: 'deleted',
  })
})
