import { expect, test } from 'vitest'
import { parameterizeSql } from './sql-parameters.ts'

const read = (statement: string) => {
  const { text, names, refusal } = parameterizeSql(statement)
  expect(refusal).toBeUndefined()
  return [text, names]
}

test.each([
  ['select * from t where r = :region', 'select * from t where r = $1', ['region']],
  ['select :a, :b, :a', 'select $1, $2, $1', ['a', 'b']],
  ['select :a::int, now()::date', 'select $1::int, now()::date', ['a']],
  ['select:a', 'select $1', ['a']],
  ['select id from t where x=:a and y>:b_2;', 'select id from t where x=$1 and y>$2;', ['a', 'b_2']],
  ['select f(name := :v)', 'select f(name := $1)', ['v']],
  ['select array[:a, :b]', 'select array[$1, $2]', ['a', 'b']],
  ['select array[[:a], [:b]]', 'select array[[$1], [$2]]', ['a', 'b']],
  ['select x = any (:ids)', 'select x = any ($1)', ['ids']],
  [
    'select list[1:2], list[lo:hi], list[:hi], list[f(:n):2]',
    'select list[1:2], list[lo:hi], list[:hi], list[f($1):2]',
    ['n'],
  ],
  ['select "a b"[lo:hi], (x)[lo:hi], x[1][lo:hi]', 'select "a b"[lo:hi], (x)[lo:hi], x[1][lo:hi]', []],
])('%s', (statement, text, names) => {
  expect(read(statement)).toEqual([text, names])
})

test.each([
  `select ':a', 'it''s :a', E'\\':a', e'\\\\', ":a", """:a"""`,
  'select 1 -- :a',
  'select 1 /* :a /* :b */ :c */',
  'select $$ :a $$, $tag$ :a $$ :b $tag$',
  "select 'open :a",
  'select /* open :a',
  'select $x$ open :a',
  "select U&'\\0041:a', b'01', x'1F'",
  'select a$b$ from t',
  "select '12:30', date '2026-01-01', '{\"a\":b}'::jsonb",
])('no parameter is seen in: %s', (statement) => {
  expect(read(statement)).toEqual([statement, []])
})

test('behind a comment that ends a parameter is seen again', () => {
  expect(read("select 1 -- it's\n, :a /* ' */ , :b")).toEqual([
    "select 1 -- it's\n, $1 /* ' */ , $2",
    ['a', 'b'],
  ])
})

test('the code of a DO block and numbers beside names are refused in a sentence', () => {
  const refusalOf = (statement: string) => parameterizeSql(statement).refusal
  expect(refusalOf('do $$ begin perform :a; end $$')).toContain('A DO block takes no parameters')
  expect(refusalOf("DO language plpgsql 'begin perform :a; end'")).toContain('A DO block')
  expect(refusalOf("do $$ declare n int := 1; begin perform n::text, ':a', x[1:2]; end $$")).toBeUndefined()
  expect(refusalOf('select $1, :a')).toContain('by name and by number')
  expect(refusalOf('select $1')).toBeUndefined()
  const many = Array.from({ length: 51 }, (_, index) => `:p${index}`).join(', ')
  expect(refusalOf(`select ${many}`)).toContain('at most 50')
})

test('a place in the statement that is sent is found in the one that was written', () => {
  const statement = 'select :region, :n, nope'
  const { text, originalOffset } = parameterizeSql(statement)
  expect(originalOffset(text.indexOf('nope'))).toBe(statement.indexOf('nope'))
  expect(originalOffset(text.indexOf('$1'))).toBe(statement.indexOf(':region'))
  expect(originalOffset(0)).toBe(0)
})
