import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { tableOf } from './table.ts'
import { yamlOf } from './yaml.ts'

const rows = [
  { id: 1, name: 'prod-eu', status: 'running', createdAt: '2026-11-24T00:00:00.000Z' },
  { id: 22, name: 'a-cluster-with-a-very-long-name-indeed', status: null, createdAt: null },
]
const fields = ['id', 'name', 'status', 'createdAt']
const now = Date.parse('2026-11-24T03:00:00Z')

test('a table fits 40 columns, and shows everything where nobody looks at a terminal', () => {
  const narrow = tableOf(rows, fields, { width: 40, hasColor: false, now })
  for (const line of narrow.split('\n')) expect(line.length).toBeLessThanOrEqual(40)
  expect(narrow).toContain('a-cluster-with-')
  expect(tableOf(rows, fields, { width: undefined, hasColor: false, now })).toBe(
    [
      'ID  NAME                                    STATUS   CREATED',
      '1   prod-eu                                 running  3h ago',
      '22  a-cluster-with-a-very-long-name-indeed  —        —',
    ].join('\n'),
  )
})

test('in a narrow terminal names come before UUIDs', () => {
  const run = { id: '01a20bc2-4224-7000-87ee-9ee33802bec9', status: 'completed', workflowName: 'Back up' }
  const table = tableOf([run], ['id', 'status', 'workflowName'], { width: 40, hasColor: false, now })
  expect(table.split('\n')[1]).toBe('completed  Back up        01a20bc2-4224…')
})

test('names that others chose cannot steer the terminal', () => {
  const table = tableOf([{ name: 'a\u001b[2Jb\u202ec\nd' }], ['name'], { width: 80, hasColor: false, now })
  expect(table).toBe('NAME\na [2Jb c d')
})

test('YAML reads back as what was printed', () => {
  const values = [
    null,
    [],
    {},
    'text',
    {
      a: 'yes',
      b: 'null',
      c: '1.0',
      d: ' x',
      e: 'a: b',
      f: '# no',
      g: '',
      h: 'two\nlines',
      i: '-1',
      j: '2026-11-24',
    },
    { list: [1, 'two', [3, [4]], { five: { six: [] } }], empty: {}, 'a key: odd': true, 0.5: 'number' },
    [{ a: 1, b: [{ c: 2 }] }, [], {}],
  ]
  for (const value of values) expect(parse(yamlOf(value))).toEqual(value)
})
