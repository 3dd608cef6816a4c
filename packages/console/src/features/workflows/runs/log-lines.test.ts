import { expect, test } from 'vitest'
import { createShownLines } from './log-lines.ts'

const lineOf = (seq: number, attempt = 1) => ({
  seq,
  at: '2026-11-22T12:00:00Z',
  level: 'info' as const,
  stepKey: 'copy',
  attempt,
  message: `Line ${seq}`,
})

test('a line is the same object until the line before it is another', () => {
  const shownLineOf = createShownLines(new Map([['copy', 'Copy volumes']]))
  const [first, second] = [lineOf(1), lineOf(2, 2)]
  const alone = shownLineOf(second, undefined)
  expect(alone).toEqual({
    id: '2',
    at: new Date(second.at),
    level: 'info',
    text: 'Line 2',
    source: 'Copy volumes',
  })
  expect(shownLineOf(second, undefined)).toBe(alone)
  // The page with the line before came later.
  const after = shownLineOf(second, first)
  expect(after.rule).toBe('Attempt 2')
  expect(shownLineOf(second, first)).toBe(after)
})
