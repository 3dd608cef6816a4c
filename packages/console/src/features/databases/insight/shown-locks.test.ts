import type { DatabaseSession } from '@bey/contract'
import { lockTree } from '@bey/contract'
import { expect, test } from 'vitest'
import { goneShownMs, withGone } from './shown-locks.ts'

const session = (pid: number, ...blockedBy: number[]): DatabaseSession => ({
  pid,
  identity: `${pid}0`,
  client: `client ${pid}`,
  username: null,
  address: null,
  state: 'active',
  waitType: null,
  wait: null,
  waitsFor: null,
  waitingSince: null,
  blockedBy,
  transactionStartedAt: null,
  stateSince: null,
  statement: null,
  hasChanges: false,
  writes: [],
})
const shape = (rows: ReturnType<typeof withGone>) =>
  rows.map(({ session: { pid }, goneAtMs, frees }) => [pid, goneAtMs, frees])

test('a session that left the tree keeps its place for ten seconds', () => {
  const all = withGone([], lockTree([session(1), session(2, 1), session(3, 2)]), 0)
  const one = withGone(all, lockTree([session(2), session(3, 2)]), 1_000)
  expect(shape(one)).toEqual([
    [1, 1_000, 0],
    [2, null, 1],
    [3, null, 0],
  ])
  const none = withGone(one, [], 5_000)
  expect(shape(none)).toEqual([
    [1, 1_000, 0],
    [2, 5_000, 0],
    [3, 5_000, 0],
  ])
  expect(shape(withGone(none, [], 1_000 + goneShownMs))).toEqual([
    [2, 5_000, 0],
    [3, 5_000, 0],
  ])
  expect(withGone(none, [], 5_000 + goneShownMs)).toEqual([])
})

test('another session with the pid of one that is gone is a row of its own', () => {
  const before = withGone([], lockTree([session(1), session(2, 1)]), 0)
  const other = { ...session(1), identity: 'later' }
  const now = withGone(before, lockTree([other, session(2, 1)]), 1_000)
  expect(now.map(({ session: { pid, identity }, goneAtMs }) => [pid, identity, goneAtMs])).toEqual([
    [1, '10', 1_000],
    [1, 'later', null],
    [2, '20', null],
  ])
})
