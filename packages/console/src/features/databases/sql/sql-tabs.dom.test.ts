import type { SavedQuery } from '@bey/contract'
import { beforeEach, expect, test } from 'vitest'
import { storage } from '../../../lib/storage.ts'
import { keepTabs, keptTabs } from './kept-tabs.ts'
import {
  addTab,
  closeTab,
  currentTab,
  firstText,
  isEdited,
  newTabs,
  openSaved,
  openText,
  type SqlTabs,
  withSaved,
  withText,
} from './sql-tabs.ts'

const query = (id: string, statement: string): SavedQuery => ({
  id,
  name: `query ${id}`,
  statement,
  isShared: false,
  isMine: true,
  createdBy: { type: 'user', id: '1', name: 'Ada', email: 'ada@example.com' },
  updatedAt: '2026-01-01T00:00:00.000Z',
})
const names = ({ tabs }: SqlTabs) => tabs.map(({ name }) => name)
const written = (text: string) => {
  const state = newTabs()
  return withText(state, state.current, text)
}
beforeEach(() => storage.remove('sqlTabs'))

test('a statement opens in a tab of its own, unless nothing was written in the current one', () => {
  const first = openText(newTabs(), 'select 1')
  expect([names(first), currentTab(first)?.text]).toEqual([['Untitled'], 'select 1'])
  const second = openText(first, 'select 2')
  expect([names(second), currentTab(second)?.text]).toEqual([['Untitled', 'Untitled 2'], 'select 2'])
  expect(names(addTab(second))).toEqual(['Untitled', 'Untitled 2', 'Untitled 3'])
})

test('a saved query has one tab, and is edited once its text differs from what is saved', () => {
  const opened = openSaved(written('select 1'), query('a', 'select a'))
  const again = openSaved({ ...opened, current: opened.tabs[0]?.id ?? '' }, query('a', 'select a'))
  expect([names(again), again.current]).toEqual([['Untitled', 'query a'], opened.current])
  const tab = currentTab(withText(opened, opened.current, 'select a, b'))
  expect(tab && isEdited(tab)).toBe(true)
  const changed = withText(opened, opened.current, 'select a, b')
  const saved = currentTab(withSaved(changed, changed.current, query('a', 'select a, b')))
  expect(saved && isEdited(saved)).toBe(false)
})

test('only what is nowhere else is edited', () => {
  const tabOf = (text: string) => {
    const tab = currentTab(written(text))
    return tab && isEdited(tab)
  }
  expect([tabOf(firstText), tabOf('  \n'), tabOf('select 2')]).toEqual([false, false, true])
})

test('its neighbour follows a tab that is closed, and a new one the last', () => {
  const three = openText(openText(written('select 1'), 'select 2'), 'select 3')
  const two = closeTab(three, three.current)
  expect([names(two), currentTab(two)?.text]).toEqual([['Untitled', 'Untitled 2'], 'select 2'])
  const none = closeTab(closeTab(two, two.current), two.tabs[0]?.id ?? '')
  expect([names(none), currentTab(none)?.text]).toEqual([['Untitled'], firstText])
})

test('tabs are kept by user and database, and a statement that sets a password is not', () => {
  const state = openText(written('select 1'), "alter role app password 'hunter2-canary'")
  keepTabs('1/db', state)
  expect(keptTabs('1/db')?.tabs.map(({ text }) => text)).toEqual(['select 1'])
  expect(keptTabs('2/db')).toBeUndefined()
  expect(storage.read('sqlTabs')).not.toContain('hunter2-canary')
  storage.write('sqlTabs', '{"1/db": {"tabs": [{"id": 7}, null], "current": []}}')
  expect(keptTabs('1/db')).toBeUndefined()
})

test('of many databases those that were written last are kept', () => {
  for (let index = 0; index < 15; index += 1) keepTabs(`1/${index}`, written(`select ${index}`), index)
  expect(keptTabs('1/4')).toBeUndefined()
  expect(keptTabs('1/5')?.tabs[0]?.text).toBe('select 5')
})
