import { expect, test } from 'vitest'
import { freedBy, lockSummary, lockTree } from './insight-locks.ts'

const session = (pid: number, ...blockedBy: number[]) => ({ pid, blockedBy })
const shape = (sessions: ReturnType<typeof session>[]) =>
  lockTree(sessions).map(({ session: { pid }, depth, frees }) => [pid, depth, frees])

test('each waiting session stands below the one that it waits for, and counts whom its end frees', () => {
  const sessions = [session(2, 1), session(1), session(3, 2), session(4, 1), session(9)]
  expect(shape(sessions)).toEqual([
    [1, 0, 3],
    [2, 1, 1],
    [3, 2, 0],
    [4, 1, 0],
  ])
  expect(lockSummary(lockTree(sessions))).toMatchObject({
    waiting: 3,
    best: { session: { pid: 1 }, frees: 3 },
    nextFrees: 1,
  })
})

test('the end of one of two holders frees nobody who waits for both', () => {
  const sessions = [session(1), session(2), session(3, 1, 2)]
  expect([...freedBy(1, sessions)]).toEqual([])
  expect(shape(sessions)).toEqual([
    [1, 0, 0],
    [3, 1, 0],
    [2, 0, 0],
  ])
})

test('a deadlock ends in a tree all the same, and where nothing waits nothing is said', () => {
  expect(shape([session(1, 2), session(2, 1)])).toEqual([
    [1, 0, 1],
    [2, 1, 1],
  ])
  expect(lockSummary(lockTree([session(1), session(2)]))).toBeUndefined()
  // Its holder is not among the sessions: a prepared transaction has no process.
  expect(shape([session(1, 0)])).toEqual([[1, 0, 0]])
})
