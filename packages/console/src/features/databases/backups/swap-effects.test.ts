import { expect, test } from 'vitest'
import { affectedBySwap, tablesThatDiffer } from './swap-effects.ts'

const of = (...names: string[]) => ({
  relations: names.map((name) => {
    const [schema = '', relation = ''] = name.includes('.') ? name.split('.') : ['public', name]
    return { schema, name: relation, kind: relation.startsWith('v_') ? 'view' : 'table' }
  }),
  isTruncated: false,
})

test.each([
  [
    'the same tables',
    of('a', 'b', 'v_old'),
    of('b', 'a'),
    ['Both have the same tables; their rows are not compared'],
  ],
  ['a dropped one', of('a', 'sales.b'), of('a'), ['1 table comes back: sales.b']],
  [
    'new ones',
    of('a'),
    of('a', 'b1', 'b2', 'b3', 'b4', 'b5', 'b6'),
    ['6 tables stay in the old database alone: b1, b2, b3, b4, b5 and 1 more'],
  ],
  ['too many', { ...of('a'), isTruncated: true }, of(), ['Tables are not compared: there are too many']],
])('tables of a copy and its source with %s are told apart', (_case, copy, source, lines) => {
  expect(tablesThatDiffer(copy, source)).toEqual(lines)
})

test('who loses what they did not commit is named once', () => {
  const sessions = ['api', 'psql', 'psql'].map((client) => ({ client, hasChanges: client === 'psql' }))
  expect(affectedBySwap({ total: 7, sessions })).toEqual([
    '7 connections to it now: each has to be opened again',
    'What psql changed and did not commit is rolled back',
  ])
  expect(affectedBySwap({ total: 0, sessions: [] })).toEqual(['No one is connected to it now'])
})
