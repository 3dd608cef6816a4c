import { expect, test } from 'vitest'
import { changesOf, problemsOf, rowsOf } from './key-rows.ts'
import { keyProblem, labelValueProblem } from './label-rules.ts'

test.each(['app', 'app.kubernetes.io/name', 'a', 'A_b-c.d', `${'x'.repeat(63)}`])('%s is a key', (key) => {
  expect(keyProblem(key)).toBeUndefined()
})

test.each(['', '/name', 'a/', 'a/b/c', '-a', 'a-', 'bad key', 'UPPER.example/x', 'x'.repeat(64)])(
  '"%s" is no key',
  (key) => {
    expect(keyProblem(key)).toBeTypeOf('string')
  },
)

test('a label has a short value; an annotation may have any', () => {
  expect([labelValueProblem(''), labelValueProblem('a.b_c-d')]).toEqual([undefined, undefined])
  expect(labelValueProblem('two words')).toBeTypeOf('string')
  expect(problemsOf(rowsOf({ note: 'two words\nand more' }), 'annotation')).toEqual([undefined])
})

test('only keys that differ are changes, those that are gone as null', () => {
  const before = { a: '1', b: '2', c: '3' }
  const rows = [
    { id: 0, key: 'a', value: '1' },
    { id: 1, key: 'b', value: 'two' },
    { id: 2, key: 'd', value: '4' },
  ]
  expect(changesOf(before, rows)).toEqual({ b: 'two', d: '4', c: null })
  expect(problemsOf([...rows, { id: 3, key: 'a', value: '9' }], 'label')[3]).toBe(
    'The key "a" is here twice.',
  )
})
