import { expect, test } from 'vitest'
import { changeOfStatement } from './moment-rules.ts'

test.each([
  [
    'drop  table\n price_rules',
    'drop_table',
    'DROP TABLE price_rules',
    { schema: null, name: 'price_rules' },
  ],
  [
    '-- by hand\n/* now */ DROP TABLE IF EXISTS Shop."Price ""Rules""" cascade',
    'drop_table',
    'DROP TABLE shop.Price "Rules"',
    { schema: 'shop', name: 'Price "Rules"' },
  ],
  ['truncate table only public.prices', 'truncate', 'TRUNCATE prices', { schema: 'public', name: 'prices' }],
  ["delete from größe where name = 'secret'", 'delete', 'DELETE FROM größe', { schema: null, name: 'größe' }],
  ['update prices set a = 1', 'update', 'UPDATE prices', { schema: null, name: 'prices' }],
  ['alter table prices drop column a', 'alter_table', 'ALTER TABLE prices', { schema: null, name: 'prices' }],
  ['drop schema shop cascade', 'drop', 'DROP SCHEMA', null],
])('%j is a change without its values', (statement, verb, text, table) => {
  expect(changeOfStatement(statement)).toEqual({ verb, text, table })
})

test.each(['select 1', 'insert into prices values (1)', 'create table t ()', ''])(
  '%j removes nothing',
  (statement) => {
    expect(changeOfStatement(statement)).toBeUndefined()
  },
)
