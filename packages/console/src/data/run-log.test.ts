import type { StepLog } from '@bey/contract'
import { expect, test } from 'vitest'
import { addEarlier, addLines, addTail, contiguousLines, gapAfter } from './run-log.ts'

const line = (seq: number): StepLog => ({
  seq,
  stepKey: 'verify',
  attempt: 1,
  at: '2026-11-21T06:00:00.000Z',
  level: 'info',
  message: `line ${seq}`,
})
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => line(from + index))
const seqs = (held: readonly StepLog[]) => held.map((each) => each.seq)

test('a line from the socket joins the lines of the run once, however often it comes', () => {
  const log = addTail(undefined, lines(1, 3), null)
  const twice = addLines(addLines(log, [line(4)]), [line(4)])
  expect(seqs(twice.lines)).toEqual([1, 2, 3, 4])
  expect(gapAfter(twice)).toBeUndefined()
})

test('lines that arrive out of order stand in order', () => {
  const log = addLines(addTail(undefined, lines(1, 2), null), [line(4), line(3)])
  expect(seqs(log.lines)).toEqual([1, 2, 3, 4])
})

test('a line whose predecessor is missing is held back, and the gap says what to fetch', () => {
  const log = addLines(addTail(undefined, lines(1, 3), null), [line(7)])
  expect(gapAfter(log)).toBe(3)
  expect(seqs(contiguousLines(log))).toEqual([1, 2, 3])
  const filled = addLines(log, lines(4, 6))
  expect(gapAfter(filled)).toBeUndefined()
  expect(seqs(contiguousLines(filled))).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('reading the run again after a reconnect keeps the earlier lines and shows what the socket missed as a gap', () => {
  const before = addTail(undefined, lines(1, 50), null)
  const after = addTail(before, lines(201, 400), 201)
  expect(after.earlier).toBeNull()
  expect(gapAfter(after)).toBe(50)
})

test('a long log begins at its tail and goes back by its cursor', () => {
  const tail = addTail(undefined, lines(801, 1000), 801)
  expect(tail.earlier).toBe(801)
  const more = addEarlier(tail, lines(601, 800).toReversed(), 601)
  expect(more.earlier).toBe(601)
  expect(seqs(more.lines).slice(0, 2)).toEqual([601, 602])
  expect(addEarlier(more, [], 601).earlier).toBeNull()
})

test('an empty log takes the first lines whatever their number', () => {
  const log = addLines(addTail(undefined, [], null), [line(1)])
  expect(seqs(contiguousLines(log))).toEqual([1])
})

test('more than 20,000 lines let go of the earliest, which can be loaded again', () => {
  const log = addLines(addTail(undefined, lines(1, 20_000), null), lines(20_001, 20_010))
  expect(log.lines).toHaveLength(20_000)
  expect(log.earlier).toBe(11)
})

test('lines of many steps that come in bursts, twice and in any order are held once and without a gap', () => {
  const steps = Array.from({ length: 40 }, (_, index) => `step_${index}`)
  const all = lines(1, 4_000).map((each) => ({ ...each, stepKey: steps[each.seq % steps.length] ?? '' }))
  let log = addTail(undefined, all.slice(0, 200), null)
  // Bursts overlap, and every second comes before the one ahead of it.
  for (let from = 150; from < all.length; from += 200) {
    log = addLines(log, all.slice(from + 100, from + 200).toReversed())
    log = addLines(log, all.slice(from, from + 150))
  }
  expect(gapAfter(log)).toBeUndefined()
  expect(seqs(contiguousLines(log))).toEqual(seqs(all))
  expect(log.lines.every(({ seq, stepKey }) => stepKey === steps[seq % steps.length])).toBe(true)
})
