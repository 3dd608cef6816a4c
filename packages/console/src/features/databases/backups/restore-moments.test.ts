import type { DatabaseBackup, SqlHistoryEntry } from '@bey/contract'
import { expect, test } from 'vitest'
import { restoreMoments } from './restore-moments.ts'

const second = (text: string) => Date.parse(`2026-11-22T${text}Z`)
const ran = (at: string, statement: string, values: Partial<SqlHistoryEntry> = {}): SqlHistoryEntry => ({
  id: at,
  statement,
  mode: 'write',
  at: `2026-11-22T${at}Z`,
  durationMs: 3,
  rows: null,
  error: null,
  ...values,
})
const backup = (consistentAt: string, status: DatabaseBackup['status']) =>
  ({ status, consistentAt: `2026-11-22T${consistentAt}Z` }) as DatabaseBackup

test('moments before what happened are offered, those alone that can be restored', () => {
  const moments = restoreMoments({
    window: { ranges: [{ from: '2026-11-22T13:00:00Z', to: '2026-11-22T14:00:00Z' }] },
    backups: [backup('13:00:00', 'completed'), backup('13:30:00', 'failed')],
    statements: [
      ran('13:41:07.500', 'drop  table\n price_rules'),
      ran('13:20:00', 'select 1', { mode: 'read' }),
      ran('13:21:00', 'drop table t', { error: 'It is used' }),
      ran('12:10:00', 'truncate old'),
    ],
    marks: [{ at: second('13:37:05'), kind: 'deploy', text: 'Deployment catalog updated', href: '/' }],
    range: { fromMs: second('12:00:00'), toMs: second('14:10:00') },
  })
  expect(moments.map(({ atMs, text }) => [new Date(atMs).toISOString().slice(11, 19), text])).toEqual([
    ['13:41:06', 'before drop table price_rules'],
    ['13:37:04', 'before Deployment catalog updated'],
    ['13:00:00', 'the newest backup itself, without later changes'],
  ])
})
