import type { ChangeEntry } from '@bey/contract'
import { expect, test } from 'vitest'
import { withinRoom } from './change-room.ts'

const change = (kind: ChangeEntry['kind'], title: string): ChangeEntry => ({
  key: title,
  at: '2026-01-01T12:00:00.000Z',
  kind,
  title,
  detail: null,
  isTrouble: kind === 'event',
  count: 1,
  object: null,
  versionId: null,
  run: null,
  by: null,
})

test('where there is no room for all, warnings take a share of it, in the order of time', () => {
  const warnings = ['a', 'b', 'c'].map((name) => change('event', name))
  const acts = ['1', '2', '3', '4'].map((name) => change('action', name))
  const titles = (changes: ChangeEntry[], room: number) => withinRoom(changes, room).map(({ title }) => title)
  expect(titles([...warnings, ...acts], 5)).toEqual(['a', 'b', '1', '2', '3'])
  expect(titles([...warnings, ...acts.slice(0, 1)], 3)).toEqual(['a', 'b', '1'])
})
