import { expect, test } from 'vitest'
import { applyJsonPatch } from './json-patch.ts'

test('a patch that is no list is refused in the words of the API server', () => {
  expect(() => applyJsonPatch({}, { spec: {} })).toThrow(
    'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
  )
})

test('an operation that there is not cannot be applied', () => {
  expect(() => applyJsonPatch({ a: 1 }, [{ op: 'bogus', path: '/a' }])).toThrow(
    expect.objectContaining({ code: 422, message: expect.stringContaining('Unexpected kind: bogus') }),
  )
})

test.each([
  [{ op: 'add', path: '/a/b/c', value: 1 }, 'add operation does not apply: doc is missing path: "/a/b/c"'],
  [{ op: 'remove', path: '/a/b/c' }, 'remove operation does not apply: doc is missing path: "/a/b/c"'],
  [
    { op: 'replace', path: '/a/b~1c/d', value: 1 },
    'replace operation does not apply: doc is missing path: /a/b~1c/d',
  ],
  [{ op: 'test', path: '/a/b/c', value: 1 }, 'test operation does not apply: is missing path: /a/b/c'],
  [
    { op: 'move', from: '/a/b/c', path: '/a' },
    'move operation does not apply: doc is missing from path: /a/b/c',
  ],
])('%j says which place is not there', (operation, text) => {
  const message = `the server rejected our request due to an error in our request: ${text}: missing value`
  expect(() => applyJsonPatch({ a: {} }, [operation])).toThrow(
    expect.objectContaining({ code: 422, message }),
  )
})
