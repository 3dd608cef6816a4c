import type { DatabaseBackup, DatabaseMoment } from '@bey/contract'
import { expect, test } from 'vitest'
import { restoreMoments } from './restore-moments.ts'
import { restoreSentence } from './restore-sentence.ts'

const second = (text: string) => Date.parse(`2026-11-22T${text}Z`)
const did = (
  at: string,
  verb: DatabaseMoment['verb'],
  text: string,
  values: Partial<DatabaseMoment> = {},
) => ({
  at: `2026-11-22T${at}Z`,
  verb,
  text,
  table: { schema: null, name: text.split(' ').at(-1) ?? '' },
  rows: null,
  by: 'Grace Hopper',
  run: null,
  ...values,
})
const backup = (id: string, consistentAt: string, status: DatabaseBackup['status']) =>
  ({ id, status, consistentAt: `2026-11-22T${consistentAt}Z` }) as DatabaseBackup
const window = { ranges: [{ from: '2026-11-22T13:00:00Z', to: '2026-11-22T14:00:00Z' }], gaps: [] }

test('moments before what happened are offered, those alone that can be restored', () => {
  const moments = restoreMoments({
    window,
    backups: [backup('a', '13:00:00', 'completed'), backup('b', '13:30:00', 'failed')],
    statements: [
      did('13:41:07.500', 'drop_table', 'DROP TABLE price_rules'),
      did('13:20:00', 'delete', 'DELETE FROM prices', { rows: 404 }),
      did('12:10:00', 'truncate', 'TRUNCATE old'),
    ],
    marks: [
      { at: second('13:37:05'), kind: 'deploy', text: 'Deployment catalog updated', href: '/' },
      { at: second('13:38:05'), kind: 'edit', text: 'Something else', href: '/' },
    ],
  })
  expect(
    moments.map(({ atMs, text, detail }) => [new Date(atMs).toISOString().slice(11, 19), text, detail]),
  ).toEqual([
    ['13:41:06', 'before DROP TABLE price_rules', 'Grace Hopper'],
    ['13:37:04', 'before Deployment catalog updated', ''],
    ['13:19:59', 'before DELETE FROM prices', 'Grace Hopper, 404 rows'],
    ['13:00:00', 'the newest backup itself', 'without later changes'],
  ])
})

const now = new Date('2026-11-22T14:00:00Z')
const run = { workflowId: 'w', runId: 'r', workflowName: 'Migrate' }

test('the sentence says what was removed last, when and by whom', () => {
  const dropped = did('13:41:07.500', 'drop_table', 'DROP TABLE price_rules', { by: null, run })
  const deleted = did('13:50:00', 'delete', 'DELETE FROM prices')
  expect(restoreSentence([deleted, dropped], window, now)).toMatchObject({
    what: expect.stringMatching(/^price_rules was dropped at /),
    rest: ', 18 min ago, by a run of Migrate. The second before it can be restored: it is there then.',
  })
})

test('without a removal that can be restored there is no sentence of one', () => {
  expect(restoreSentence([did('13:50:00', 'update', 'UPDATE prices')], window, now)).toBeUndefined()
  expect(restoreSentence([], window, now)).toBeUndefined()
})

test('a removal before the window is said with what can be restored', () => {
  const early = did('12:41:07', 'drop_table', 'DROP TABLE price_rules')
  expect(restoreSentence([early], window, now)?.rest).toContain('No moment before it can be restored.')
})
