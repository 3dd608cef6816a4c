import { expect, test } from 'vitest'
import { backIn, backMsAt, measuredText, recoveryLines, timeGrid, walBytesAt } from './recovery-text.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 27, 12, minute)).toISOString()
const ms = (minute: number) => Date.parse(at(minute))
const mebibyte = 1024 ** 2
const tooth = (backupId: string, ...points: [minute: number, mebibytes: number][]) => ({
  backupId,
  points: points.map(([minute, size]) => ({ at: at(minute), walBytes: size * mebibyte })),
})
const teeth = [tooth('a', [0, 16], [10, 32], [30, 96]), tooth('b', [30, 16], [40, 32])]
const measured = { drills: 3, baseMs: 2_000, walBytesPerSecond: 16 * mebibyte }

test('the time to be back grows with the WAL and begins anew after a base backup', () => {
  expect(recoveryLines({ measured, teeth })?.map(({ points }) => points.map(({ backMs }) => backMs))).toEqual(
    [
      [3_000, 4_000, 8_000],
      [3_000, 4_000],
    ],
  )
  expect(walBytesAt({ teeth }, ms(20))).toBe(64 * mebibyte)
  expect(walBytesAt({ teeth }, ms(30))).toBe(16 * mebibyte)
  expect(walBytesAt({ teeth }, ms(50))).toBeUndefined()
  expect(backMsAt({ measured, teeth }, ms(20))).toBe(6_000)
  expect(backIn({ measured, teeth }, ms(20))).toEqual({ time: 'Back in about 6 s', wal: '64 MiB' })
})

test('without a drill no time is drawn or said', () => {
  const recovery = { measured: null, teeth }
  expect(recoveryLines(recovery)).toBeUndefined()
  expect(backIn(recovery, ms(20))).toBeUndefined()
  expect(measuredText(recovery)).toContain('No drill has measured yet')
  expect(measuredText({ measured })).toBe(
    'From 3 drills: 2 s for the base backup, then 16 MiB of WAL a second.',
  )
})

test.each([
  [3_000, [0, 1_000, 2_000, 3_000]],
  [1_000_000, [0, 300_000, 600_000, 900_000, 1_200_000]],
  [0, [0, 100]],
])('the grid up to %d ms has round times', (longestMs, lines) => {
  expect(timeGrid(longestMs)).toEqual(lines)
})
