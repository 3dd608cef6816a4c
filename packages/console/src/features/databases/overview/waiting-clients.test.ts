import type { DatabaseSession } from '@bey/contract'
import { lockTree } from '@bey/contract'
import { expect, test } from 'vitest'
import { waitingClients } from './waiting-clients.ts'
import { waitTitle } from './lock-text.ts'

const now = Date.parse('2026-01-01T12:00:00Z')

/** A session that has been at its statement since so many seconds ago. */
function session(pid: number, client: string, seconds: number, blockedBy: number[] = []): DatabaseSession {
  const at = new Date(now - seconds * 1_000).toISOString()
  return {
    pid,
    client,
    blockedBy,
    state: blockedBy.length === 0 ? 'idle in transaction' : 'active',
    stateSince: at,
    transactionStartedAt: at,
    waitingSince: blockedBy.length === 0 ? null : at,
    // The rest of a session plays no part here.
  } as unknown as DatabaseSession
}

test('sessions that wait are counted by client, with the longest wait, and their holder is not among them', () => {
  const nodes = lockTree([
    session(1, 'payments', 60),
    session(2, 'shop', 20, [1]),
    session(3, 'shop', 40, [1]),
    session(4, 'cart', 50, [2]),
  ])
  const found = waitingClients(nodes, now)
  expect(found.map(({ client, sessions }) => [client, sessions])).toEqual([
    ['cart', 1],
    ['shop', 2],
  ])
  expect(found.map(({ longestMs }) => longestMs)).toEqual([50_000, 40_000])
})

test('the title says how many wait, and how many of them for the one session', () => {
  const best = { session: session(1, 'payments', 60), frees: 3 }
  expect(waitTitle({ waiting: 1, best: { ...best, frees: 1 }, nextFrees: 0 })).toBe(
    '1 session waits for payments',
  )
  expect(waitTitle({ waiting: 3, best, nextFrees: 0 })).toBe('3 sessions wait for payments')
  expect(waitTitle({ waiting: 5, best, nextFrees: 2 })).toBe('5 sessions wait, 3 of them for payments')
})
