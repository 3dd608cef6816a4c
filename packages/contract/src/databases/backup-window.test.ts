import { expect, test } from 'vitest'

import {
  type BaseBackup,
  baseBackupFor,
  momentRefusal,
  recoverableWindow,
  walFileName,
  walSegment,
  type WalStretch,
} from './backup-window.ts'

const backup = (id: string, startSegment: number, consistentAtMs: number, others = {}): BaseBackup => ({
  id,
  status: 'completed',
  timeline: 1,
  startSegment,
  stopSegment: startSegment,
  consistentAtMs,
  ...others,
})
const wal = (first: number, last: number, untilMs: number, timeline = 1): WalStretch => ({
  timeline,
  first,
  last,
  untilMs,
})

test('without a gap everything since the oldest backup can be restored', () => {
  const backups = [backup('b', 20, 2_000), backup('a', 10, 1_000)]
  expect(recoverableWindow(backups, [wal(10, 30, 3_000)])).toEqual({
    ranges: [{ fromMs: 1_000, toMs: 3_000 }],
    gaps: [],
  })
})

test('the end of a backup is no gap where the WAL before it is whole, however early its segments say that they end', () => {
  const backups = [backup('a', 10, 1_000), backup('b', 20, 3_000)]
  const stretches = [wal(10, 20, 2_000)]
  expect(recoverableWindow(backups, stretches)).toEqual({
    ranges: [{ fromMs: 1_000, toMs: 3_000 }],
    gaps: [],
  })
  expect(baseBackupFor(2_500, backups, stretches)?.id).toBe('a')
  expect(baseBackupFor(3_000, backups, stretches)?.id).toBe('b')
})

test('a gap in the WAL lasts until the next base backup has finished', () => {
  const backups = [backup('a', 10, 1_000), backup('b', 20, 2_000)]
  const window = recoverableWindow(backups, [wal(10, 14, 1_400), wal(16, 30, 3_000)])
  expect(window).toEqual({
    ranges: [
      { fromMs: 1_000, toMs: 1_400 },
      { fromMs: 2_000, toMs: 3_000 },
    ],
    gaps: [{ fromMs: 1_400, toMs: 2_000 }],
  })
  expect(momentRefusal(window, 1_700)).toContain('lies in a gap')
  expect(momentRefusal(window, 1_400)).toBeUndefined()
  expect(momentRefusal(window, 3_001)).toBe(
    '1970-01-01T00:00:03.001Z cannot be restored. Choose a moment from 1970-01-01T00:00:01.000Z to 1970-01-01T00:00:03.000Z.',
  )
})

test.each([
  ['is still running', backup('a', 10, 1_000, { status: 'running' })],
  ['failed its check', backup('a', 10, 1_000, { status: 'verify_failed' })],
  ['is of another timeline', backup('a', 10, 1_000, { timeline: 2 })],
  ['has its last segment missing', backup('a', 10, 1_000, { stopSegment: 31 })],
  ['has its first segment missing', backup('a', 9, 1_000)],
])('nothing can be restored from a backup that %s', (_why, only) => {
  const window = recoverableWindow([only], [wal(10, 30, 3_000)])
  expect(window).toEqual({ ranges: [], gaps: [] })
  expect(momentRefusal(window, 1_500)).toContain('Back it up first')
})

test('a moment is restored from the newest backup before it', () => {
  const backups = [backup('a', 10, 1_000), backup('b', 20, 2_000)]
  const stretches = [wal(10, 30, 3_000)]
  expect(baseBackupFor(1_999, backups, stretches)?.id).toBe('a')
  expect(baseBackupFor(2_000, backups, stretches)?.id).toBe('b')
  expect(baseBackupFor(999, backups, stretches)).toBeUndefined()
})

test('names of segments count across log files', () => {
  expect(walSegment('0000000100000000000000FF')).toEqual({ timeline: 1, number: 255 })
  expect(walSegment('000000010000000100000000')).toEqual({ timeline: 1, number: 256 })
  expect(walFileName({ timeline: 1, number: 256 })).toBe('000000010000000100000000')
  expect(walSegment('00000002.history')).toBeUndefined()
  expect(walSegment('000000010000000000000001.partial')).toBeUndefined()
})
