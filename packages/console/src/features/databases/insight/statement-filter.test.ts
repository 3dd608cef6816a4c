import type { DatabaseAdvice, DatabaseStatement } from '@bey/contract'
import { expect, test } from 'vitest'
import { adviceByStatement, issuerOptions, matchesFilter, noFilter, onlyOptions } from './statement-filter.ts'

const statement = (queryId: string, changes: Partial<DatabaseStatement>): DatabaseStatement => ({
  queryId,
  text: `select ${queryId}`,
  isCut: false,
  firstSeenAt: '2026-01-01T00:00:00.000Z',
  lastSeenAt: '2026-01-01T00:00:00.000Z',
  calls: 1,
  totalMs: 1,
  meanMs: 1,
  rows: 1,
  ioMs: 0,
  share: 0,
  change: null,
  trend: [],
  load: { cpu: 0, io: 0, lock: 0, other: 0 },
  users: [],
  issuers: [],
  ...changes,
})
const advice = (state: DatabaseAdvice['state'], ...queryIds: string[]): DatabaseAdvice => ({
  key: 'missing-index:t(a)',
  rule: 'missing-index',
  title: '',
  detail: '',
  evidence: [],
  sql: null,
  queryIds,
  state,
  firstSeenAt: '2026-01-01T00:00:00.000Z',
  dismissed: null,
  executedAt: null,
  effects: [],
})
const all = [
  statement('1', { users: ['app'], issuers: [{ name: 'shop', at: '2026-01-01T00:00:00.000Z' }], change: 4 }),
  statement('2', { users: ['app', 'root'], load: { cpu: 0.1, io: 0, lock: 0.4, other: 0 } }),
  statement('3', { users: ['shop'], load: { cpu: 0.1, io: 0, lock: 0, other: 0 }, change: 1.1 }),
]
const found = adviceByStatement([advice('open', '3', '9'), advice('open', '3'), advice('dismissed', '1')])
const shown = (filter: Partial<typeof noFilter>) =>
  all.filter((each) => matchesFilter(each, { ...noFilter, ...filter }, found)).map(({ queryId }) => queryId)

test('statements are narrowed by client, by database user, and by what their sessions waited for', () => {
  expect(shown({})).toEqual(['1', '2', '3'])
  expect(shown({ by: 'client:shop' })).toEqual(['1'])
  expect(shown({ by: 'user:shop' })).toEqual(['3'])
  expect(shown({ only: 'wait:lock' })).toEqual(['2'])
  expect(shown({ only: 'wait:cpu' })).toEqual(['3'])
  expect(shown({ only: 'slower' })).toEqual(['1'])
  expect(shown({ text: ' SELECT 2' })).toEqual(['2'])
})

test('advice is that which holds, and is named once for each statement that it is about', () => {
  expect(shown({ only: 'advice' })).toEqual(['3'])
  expect(found.get('3')).toHaveLength(2)
})

test('choices are those that were seen', () => {
  expect(issuerOptions(all).map(({ value }) => value)).toEqual([
    'client:shop',
    'user:app',
    'user:root',
    'user:shop',
  ])
  expect(onlyOptions('hour', false, false)).toEqual([
    { value: 'slower', label: 'Slower than the hour before' },
  ])
})
