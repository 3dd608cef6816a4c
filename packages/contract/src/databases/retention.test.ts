import { expect, test } from 'vitest'
import type { WalStretch } from './backup-window.ts'
import { expiredBackups, isWalNeeded, type KeptBackup } from './retention.ts'

/** A backup of a day, which begins and ends in the segment of ten times the day. */
const backup = (day: number, others: Partial<KeptBackup> = {}): KeptBackup => ({
  id: String(day),
  status: 'completed',
  timeline: 1,
  startSegment: day * 10,
  stopSegment: day * 10,
  consistentAtMs: day,
  finishedAtMs: day,
  isLocked: false,
  ...others,
})
const days = (...numbers: number[]) => numbers.map((day) => backup(day))
const wal: WalStretch[] = [{ timeline: 1, first: 0, last: 1_000, untilMs: 100 }]
const rule = { retentionMs: 7, pitr: true }
const idsOf = (backups: readonly KeptBackup[]) => backups.map(({ id }) => id)

test('the backup from which the beginning of the retention is restored stays, older ones end', () => {
  expect(idsOf(expiredBackups(days(1, 2, 3, 4, 5, 9), wal, rule, 10))).toEqual(['1', '2'])
  expect(idsOf(expiredBackups(days(5, 9), wal, rule, 10))).toEqual([])
  expect(idsOf(expiredBackups(days(1, 9), wal, rule, 10))).toEqual([])
})

test('without point-in-time recovery each ends by its age, but never the newest', () => {
  const own = { ...rule, pitr: false }
  expect(idsOf(expiredBackups(days(1, 2, 3, 4, 9), wal, own, 10))).toEqual(['1', '2', '3'])
  expect(idsOf(expiredBackups(days(1, 2), wal, own, 1_000))).toEqual(['1'])
  expect(idsOf(expiredBackups(days(1), wal, own, 1_000))).toEqual([])
})

test.each<[string, Partial<KeptBackup>]>([
  ['is locked', { isLocked: true }],
  ['is being checked', { status: 'verifying' }],
  ['has expired already', { status: 'expired' }],
])('one that %s is left alone', (_why, others) => {
  const backups = [backup(1, others), ...days(2, 3, 9)]
  expect(idsOf(expiredBackups(backups, wal, rule, 10))).toEqual(['2'])
})

test('what cannot be restored keeps nothing else from staying', () => {
  const failed = (day: number) => backup(day, { status: 'verify_failed' })
  expect(idsOf(expiredBackups([backup(1), failed(3), backup(9)], wal, rule, 10))).toEqual([])
  expect(idsOf(expiredBackups([failed(1), failed(2)], wal, rule, 1_000))).toEqual([])
  expect(idsOf(expiredBackups(days(1, 2, 3), [], rule, 1_000))).toEqual([])
})

test('those of a deleted database end by their age, but for locked ones', () => {
  const own = { ...rule, isDatabaseDeleted: true }
  expect(idsOf(expiredBackups([backup(1, { isLocked: true }), ...days(2, 3, 9)], wal, own, 10))).toEqual([
    '2',
    '3',
  ])
})

test('WAL stays from the oldest backup on, and of a locked one what makes it consistent', () => {
  const needed = (number: number, timeline = 1, pitr = true) =>
    isWalNeeded({ timeline, number }, [backup(1, { isLocked: true }), backup(5), backup(9)], { pitr })
  expect([9, 10, 11, 49, 50, 51, 999].map((number) => needed(number))).toEqual([
    false,
    true,
    false,
    false,
    true,
    true,
    true,
  ])
  expect(needed(1, 2)).toBe(true)
  expect([10, 51, 90].map((number) => needed(number, 1, false))).toEqual([true, false, true])
  expect(isWalNeeded({ timeline: 1, number: 1 }, [], { pitr: true })).toBe(true)
})
