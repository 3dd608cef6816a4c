import { expect, test } from 'vitest'
import { latestMoment, nearestMoment, provenText, windowText } from './window-text.ts'

const now = new Date(2026, 10, 22, 14, 30, 0)
const at = (hour: number, minute = 0, day = 22) => new Date(2026, 10, day, hour, minute).toISOString()
const range = (from: string, to: string) => ({ from, to })

test.each([
  [[], [], 'No backup yet: this database could not be restored.'],
  [[range(at(2), at(2))], [], 'The moment of one backup can be restored, 02:00:00.'],
  [
    [range(at(2), at(2)), range(at(3), at(3))],
    [range(at(2), at(3))],
    'The moments of 2 backups can be restored, nothing between them.',
  ],
  [[range(at(2), at(14, 29))], [], 'Any second from 02:00 to 14:29:00 can be restored.'],
  [
    [range(at(2, 0, 21), at(4)), range(at(4, 49), at(14, 29))],
    [range(at(4), at(4, 49))],
    'Any second from 02:00 yesterday to 14:29:00 can be restored, except 49 min 00 s from 04:00.',
  ],
  [
    [range(at(2), at(4)), range(at(5), at(6)), range(at(7), at(14))],
    [range(at(4), at(5)), range(at(6), at(7))],
    'Any second from 02:00 to 14:00:00 can be restored, except 2 gaps of 2 h 00 min together.',
  ],
])('a window in words: %#', (ranges, gaps, text) => {
  expect(windowText({ ranges, gaps }, now)).toBe(text)
})

test('the nearest moment lies in the window, on the nearer side of a gap', () => {
  const ranges = [range(at(2), at(4)), range(at(5), at(6))]
  const nearest = (hour: number, minute = 0) => nearestMoment({ ranges }, Date.parse(at(hour, minute)))
  expect(nearest(3)).toBe(Date.parse(at(3)))
  expect(nearest(1)).toBe(Date.parse(at(2)))
  expect(nearest(4, 10)).toBe(Date.parse(at(4)))
  expect(nearest(4, 50)).toBe(Date.parse(at(5)))
  expect(nearest(9)).toBe(Date.parse(at(6)))
  expect(nearestMoment({ ranges: [] }, 0)).toBeUndefined()
  expect(latestMoment({ ranges })).toBe(Date.parse(at(6)))
  expect(latestMoment({ ranges: [] })).toBeUndefined()
})

test('what was proven is the newest drill that could run', () => {
  const durations = { restoreMs: null, replayMs: null, validateMs: null, totalMs: 42_000 }
  const drill = (proof: 'passed' | 'failed' | 'could_not_run' | null, hour: number) => ({
    proof,
    finishedAt: at(hour),
    lostMs: proof === 'passed' ? 4_000 : null,
    durations,
    failure: proof === 'failed' ? 'The check "Orders are there" answered false.' : null,
  })
  expect(provenText(undefined, now)).toBe('')
  expect(provenText([], now)).toBe('Never proven.')
  expect(provenText([drill('could_not_run', 13), drill(null, 12)], now)).toBe('Never proven.')
  expect(provenText([drill('could_not_run', 13), drill('passed', 3)], now)).toMatch(
    /^Proven 03:00: back in 42\S* s, 4\S* s would have been lost\.$/,
  )
  expect(provenText([drill('passed', 3)], now, 1)).toContain('back in 42 s within what was promised, ')
  const late = [{ ...drill('passed', 3), durations: { ...durations, restoreMs: 60_000, replayMs: 15_000 } }]
  expect(provenText(late, now, 1)).toContain(', 15 s more than promised, ')
  expect(provenText([drill('failed', 4), drill('passed', 3)], now)).toBe(
    'The last drill failed, 04:00: The check "Orders are there" answered false.',
  )
})
