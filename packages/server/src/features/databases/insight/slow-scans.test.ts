import { expect, test } from 'vitest'
import { indexableColumns } from './slow-scans.ts'

test.each([
  ['(customer_id = $1)', ['customer_id']],
  ["((state)::text = 'open'::text)", ['state']],
  ['((created_at > $1) AND (shop_id = $2))', ['shop_id', 'created_at']],
  ['("Order" = $1)', ['"Order"']],
  ["((state = $1) AND (note <> 'a OR b'::text))", ['state']],
])('an index can answer %s', (filter, columns) => expect(indexableColumns(filter)).toEqual(columns))

test.each([
  '((a = $1) OR (b = $2))',
  "(lower(name) = 'x'::text)",
  '(note ~~ $1)',
  '(a = b)',
  '((a + 1) = 2)',
])('no plain index answers %s', (filter) => expect(indexableColumns(filter)).toEqual([]))
