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
