import { beforeEach, expect, test } from 'vitest'
import { createStorage, storageKeys } from '../../lib/storage.ts'
import { addRecent, readRecents } from './recents.ts'

const storage = createStorage(localStorage)
const ids = (organizationId = 1) => readRecents(storage, organizationId).map(({ id }) => id)
beforeEach(() => localStorage.clear())

test('the last five are kept, newest first, each once', () => {
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'c']) addRecent(storage, { id })
  expect(ids()).toEqual(['c', 'f', 'e', 'd', 'b'])
  expect(localStorage.getItem('bey-recent-palette-items')).toContain('"c"')
})

test('what belongs to an organization is not shown in another', () => {
  addRecent(storage, { id: 'route:/secrets' })
  addRecent(storage, { id: 'cluster:7', organizationId: 1 })
  expect(ids(1)).toEqual(['cluster:7', 'route:/secrets'])
  expect(ids(2)).toEqual(['route:/secrets'])
})

test('what somebody else wrote under the key is ignored', () => {
  for (const text of ['', 'nonsense', '{}', '[1, null, {"id": 3}, {"id": "x", "organizationId": "1"}]']) {
    localStorage.setItem(storageKeys.recentPaletteItems, text)
    expect(ids(), text).toEqual([])
  }
  addRecent(storage, { id: 'a' })
  expect(ids()).toEqual(['a'])
})
