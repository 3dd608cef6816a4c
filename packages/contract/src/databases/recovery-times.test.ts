import { expect, test } from 'vitest'

import type { BaseBackup } from './backup-window.ts'
import { recoveryRate, recoveryTeeth, timeToBeBack, walSegmentBytes } from './recovery-times.ts'

const drill = (restoreMs: number, replayMs: number, walBytes: number, walMs: number) => ({
  restoreMs,
  replayMs,
  walBytes,
  walMs,
})

test('without a drill that replayed WAL nothing is known of how long it takes', () => {
  expect(recoveryRate([])).toBeUndefined()
  expect(recoveryRate([drill(1_000, 500, 0, 0)])).toBeUndefined()
})

test('it takes what drills took without their WAL, and the WAL at the rate at which they replayed it', () => {
  const rate = recoveryRate([
    drill(1_000, 3_000, 20_000_000, 2_000),
    drill(5_000, 1_500, 10_000_000, 1_000),
    drill(2_000, 3_000, 30_000_000, 3_000),
  ])
  expect(rate).toEqual({ drills: 3, baseMs: 2_000, walBytesPerSecond: 10_000_000 })
  expect(rate && timeToBeBack(rate, 25_000_000)).toBe(4_500)
})

const backup = (id: string, startSegment: number, consistentAtMs: number): BaseBackup => ({
  id,
  status: 'completed',
  timeline: 1,
  startSegment,
  stopSegment: startSegment,
  consistentAtMs,
})

test('WAL to replay grows from each base backup until the next one, and begins anew after it', () => {
  const backups = [backup('b', 20, 5_000), backup('a', 10, 1_000)]
  const marks = [
    { timeline: 1, segment: 11, untilMs: 2_000 },
    { timeline: 1, segment: 15, untilMs: 3_000 },
    { timeline: 1, segment: 21, untilMs: 6_000 },
    { timeline: 2, segment: 22, untilMs: 6_500 },
  ]
  const of = (segments: number) => segments * walSegmentBytes
  expect(recoveryTeeth(backups, [{ timeline: 1, first: 10, last: 21, untilMs: 6_000 }], marks)).toEqual([
    {
      backupId: 'a',
      points: [
        { atMs: 1_000, walBytes: of(1) },
        { atMs: 2_000, walBytes: of(2) },
        { atMs: 3_000, walBytes: of(6) },
        { atMs: 5_000, walBytes: of(12) },
      ],
    },
    {
      backupId: 'b',
      points: [
        { atMs: 5_000, walBytes: of(1) },
        { atMs: 6_000, walBytes: of(2) },
      ],
    },
  ])
})

test('a tooth ends where the WAL does', () => {
  const marks = [{ timeline: 1, segment: 11, untilMs: 2_000 }]
  const wal = [
    { timeline: 1, first: 10, last: 11, untilMs: 2_000 },
    { timeline: 1, first: 20, last: 20, untilMs: 5_000 },
  ]
  const teeth = recoveryTeeth([backup('a', 10, 1_000), backup('b', 20, 5_000)], wal, marks)
  expect(teeth.map(({ points }) => points.map(({ atMs }) => atMs))).toEqual([[1_000, 2_000], [5_000]])
})
