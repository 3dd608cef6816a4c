import type { Run, RunStatus } from '@bey/contract'
import { expect, test } from 'vitest'
import { placeRun, type RunList, type RunListQuery } from './run-lists.ts'

const run = (id: string, status: RunStatus = 'completed', part: Partial<Run> = {}): Run => ({
  id,
  workflowId: 'w1',
  workflowName: 'Provision cluster',
  status,
  version: null,
  trigger: 'manual',
  triggerName: null,
  waiting: null,
  parent: null,
  retryOf: null,
  priority: 0,
  deadlineAt: null,
  subject: { type: 'cluster', id: '1', name: 'prod' },
  input: {},
  output: null,
  error: null,
  recoveryCount: 0,
  progressPercent: 20,
  // The later letter is the later minute.
  queuedAt: new Date(Date.UTC(2026, 10, 21, 6, id.charCodeAt(0))).toISOString(),
  startedAt: null,
  finishedAt: null,
  cancelRequestedAt: null,
  createdBy: { type: 'user', id: '1', name: 'Ada', email: 'ada@example.com' },
  ...part,
})

/** A page that holds at most three rows. */
const page = (ids: string, total = ids.length): RunList => ({
  runs: Array.from(ids, (id) => run(id, 'running')),
  total,
  page: 1,
  limit: 3,
})

/** The page after a run moved, as its ids and total; `?` where the server must be asked. */
function after(list: RunList, query: RunListQuery | undefined, moved: Run): string {
  const placed = placeRun(list, query, moved)
  return placed ? `${placed.runs.map(({ id }) => id).join('')} of ${placed.total}` : '?'
}

test.each<[string, RunList, RunListQuery, Run, string]>([
  ['a new run comes first', page('ba'), {}, run('c'), 'cba of 3'],
  ['a full page lets its last row go', page('cba', 7), {}, run('d'), 'dcb of 8'],
  ['a held run changes where it stands', page('cba', 7), {}, run('b'), 'cba of 7'],
  ['a run of a later page leaves this one as it is', page('dcb', 7), {}, run('a'), 'dcb of 7'],
  ['one that ends leaves those under way', page('ba'), { isOver: 'false' }, run('b'), 'a of 1'],
  ['of a full page the next row is not known', page('cba', 7), { isOver: 'false' }, run('b'), '?'],
  ['one that begins joins those under way', page('a'), { isOver: 'false' }, run('b', 'queued'), 'ba of 2'],
  [
    'one that was counted on another page or not',
    page('cb', 7),
    { status: 'running' },
    run('a', 'running'),
    '?',
  ],
  ['one that another filter shows', page('ba'), { status: 'running' }, run('c', 'failed'), 'ba of 2'],
  ['one of another cluster', page('ba', 9), { subjectType: 'cluster', subjectId: '2' }, run('c'), 'ba of 9'],
  ['one of another workflow', page('ba'), { workflowId: 'w2' }, run('c'), 'ba of 2'],
  ['one before the range', page('cb'), { since: run('b').queuedAt }, run('a'), 'cb of 2'],
  ['a search reads more than the row says', page('ba'), { search: 'x' }, run('c'), '?'],
  ['another page moves as a whole', { ...page('ba', 7), page: 2 }, { page: 2 }, run('c'), '?'],
  ['the other order ends elsewhere', page('ab', 7), { order: 'asc' }, run('c'), '?'],
  ['by status a changed one goes elsewhere', page('ba'), { sort: 'status' }, run('b'), '?'],
])('%s', (_, list, query, moved, expected) => {
  expect(after(list, query, moved)).toBe(expected)
})

test('a total that is not exact stays as it is', () => {
  const list: RunList = { ...page('cba', 10_000), totalIsExact: false }
  expect(after(list, {}, run('d'))).toBe('dcb of 10000')
})

test('what was put in is what the event carried', () => {
  const moved = run('b', 'failed', { error: { message: 'no disk', stepKey: 'boot' } })
  expect(placeRun(page('cba'), {}, moved)?.runs[1]).toBe(moved)
})
