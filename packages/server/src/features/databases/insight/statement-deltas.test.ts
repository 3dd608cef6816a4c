import { expect, test } from 'vitest'
import { keptStatements, latencyP95, statementDeltas } from './statement-deltas.ts'

const at = new Date('2026-03-01T12:00:00Z')
const counts = (calls: number) => ({ calls, totalMs: calls * 10, rows: calls, ioMs: 0 })
const counted = (queryId: string, calls: number, since: Date | null = null) => ({
  queryId,
  since,
  ...counts(calls),
})
const callsOf = (...args: Parameters<typeof statementDeltas>) =>
  statementDeltas(...args).map(({ calls }) => calls)

test('a statement did what its counts grew by, and all of them where they went back', () => {
  const before = new Map([['1', counts(5)]])
  expect(callsOf([counted('1', 8)], before, at)).toEqual([3])
  expect(callsOf([counted('1', 5)], before, at)).toEqual([0])
  expect(callsOf([counted('1', 2)], before, at)).toEqual([2])
})

test('a statement that began since counts from its first call, one with an unknown past from now on', () => {
  const later = new Date(at.getTime() + 1)
  const earlier = new Date(at.getTime() - 1)
  expect(
    callsOf([counted('1', 3, later), counted('2', 900, earlier), counted('3', 7)], new Map(), at),
  ).toEqual([3, 0, 0])
  expect(callsOf([counted('1', 3, later)], new Map(), null)).toEqual([0])
})

test('those that take the most time lately are kept, whatever they took long ago', () => {
  const all = [counted('old', 1_000), counted('new', 2), counted('idle', 1)]
  const deltas = [
    { queryId: 'old', ...counts(0) },
    { queryId: 'new', ...counts(2) },
    { queryId: 'idle', ...counts(0) },
  ]
  expect([...keptStatements(all, deltas, new Map(), 2).keys()]).toEqual(['new', 'old'])
  expect([...keptStatements(all, deltas, new Map([['gone', 500]]), 2).keys()]).toEqual(['gone', 'new'])
})

test('95 of 100 calls stay within the mean time of their statement; without a call there is no such time', () => {
  const calls = (count: number, meanMs: number) => ({ calls: count, totalMs: count * meanMs })
  expect(latencyP95([calls(4, 2_000), calls(90, 1), calls(6, 30)])).toBe(30)
  expect(latencyP95([calls(94, 1), calls(6, 2_000)])).toBe(2_000)
  expect(latencyP95([calls(0, 0)])).toBeNull()
  expect(latencyP95([])).toBeNull()
})
