import { expect, test } from 'vitest'
import {
  affectedBySwap,
  clientEffectText,
  effectOf,
  splitTables,
  tableEffectText,
  tablesThatDiffer,
} from './swap-effects.ts'

/** Rows in the copy and in the database; a string is an estimate, null a table that is not there. */
type Rows = number | `${number}` | 'unknown' | null
const counted = (rows: Rows) => {
  if (rows === null) return null
  if (rows === 'unknown') return { rows: null, isEstimate: false }
  return { rows: Number(rows), isEstimate: typeof rows === 'string' }
}
const table = (name: string, copy: Rows, source: Rows) => {
  const [schema = '', relation = ''] = name.includes('.') ? name.split('.') : ['public', name]
  return { schema, name: relation, copy: counted(copy), source: counted(source) }
}

test.each([
  ['dropped', table('a', 48_212, null), 'back', 'Back, 48,212 rows'],
  ['new since', table('a', null, 3), 'left', 'Stays in the old database alone'],
  ['with newer rows', table('a', 10, 14), 'fewer', '4 rows fewer'],
  ['with deleted rows', table('a', 10, 9), 'more', '1 row more'],
  ['with as many rows', table('a', 10, 10), 'same', 'As many rows'],
  ['estimated apart', table('a', 10, '500'), 'fewer', 'About 490 rows fewer'],
  ['estimated alike', table('a', 10, '10'), 'unknown', 'Not known: counting took too long'],
  ['not counted', table('a', 10, 'unknown'), 'unknown', 'Not known: counting took too long'],
])('what the swap does to a table that is %s is said', (_case, row, effect, text) => {
  expect([effectOf(row), tableEffectText(row)]).toEqual([effect, text])
})

test.each([
  ['the same', [table('a', 1, 1)], 0, ['Both have the same tables with as many rows']],
  ['none', [], 0, ['Neither has a table']],
  [
    'some of each kind',
    [
      table('sales.b', 7, null),
      table('new', null, 1),
      table('orders', 100, 104),
      table('items', 10, 807),
      table('carts', 9, 2),
      table('big', 'unknown', 5),
    ],
    4,
    [
      '1 table comes back: sales.b',
      '1 table stays in the old database alone: new',
      'At least 801 rows in 2 tables stay in the old database: orders, items',
      'At least 7 rows in 1 table come back: carts',
      '1 table was not compared: big',
      '4 more tables not compared',
    ],
  ],
  [
    'many',
    ['b1', 'b2', 'b3', 'b4', 'b5', 'b6'].map((name) => table(name, null, 1)),
    0,
    ['6 tables stay in the old database alone: b1, b2, b3, b4, b5 and 1 more'],
  ],
])('tables of a copy and its source are told apart: %s', (_case, tables, tablesLeftOut, lines) => {
  expect(tablesThatDiffer({ tables, tablesLeftOut })).toEqual(lines)
})

test('tables with as many rows are counted, the others listed', () => {
  const { differing, sameCount } = splitTables([table('a', 1, 1), table('b', 2, null), table('c', 3, 3)])
  expect([differing.map(({ name }) => name), sameCount]).toEqual([['b'], 2])
})

const client = (name: string, connections: number, others: object = {}) => ({
  client: name,
  username: 'app',
  connections,
  active: 0,
  idleInTransaction: 0,
  withChanges: 0,
  ...others,
})

test('who loses what they did not commit is named once, and each client has its own line', () => {
  const importer = client('import', 1, { idleInTransaction: 1, withChanges: 1 })
  const clients = [client('api', 5, { active: 2 }), importer, { ...importer, username: 'admin' }]
  expect(affectedBySwap({ connections: 7, clients })).toEqual([
    '7 connections to it now: each has to be opened again',
    'What import changed and did not commit is rolled back',
  ])
  expect(clients.map(clientEffectText)).toEqual([
    '5 connections end, 2 statements interrupted',
    '1 connection ends, 1 idle in transaction rolled back, changes of 1 rolled back',
    '1 connection ends, 1 idle in transaction rolled back, changes of 1 rolled back',
  ])
  expect(affectedBySwap({ connections: 0, clients: [] })).toEqual(['No one is connected to it now'])
})
