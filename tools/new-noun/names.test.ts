import { expect, test } from 'vitest'
import { filled, nounOf } from './names.ts'

test.each([
  ['widgets', 'widget'],
  ['databases', 'database'],
  ['policies', 'policy'],
  ['boxes', 'box'],
  ['addresses', 'address'],
  ['storage-buckets', 'storage-bucket'],
])('the singular of %s is %s', (plural, singular) => {
  expect(nounOf(plural)).toEqual({ plural, singular })
})

test('what is no plural in lower case is refused, or asks for its singular', () => {
  for (const plural of [undefined, '', 'Widgets', 'a b', '../up'])
    expect(() => nounOf(plural)).toThrow(/in the plural, in lower case/)
  expect(() => nounOf('mice')).toThrow(/Give the singular of "mice"/)
  expect(nounOf('mice', 'mouse')).toEqual({ plural: 'mice', singular: 'mouse' })
})

test('the noun takes the place of that of the templates in each way of writing it', () => {
  const text = 'gizmo-widgets gizmo_widget GIZMO_WIDGETS gizmoWidget GizmoWidgets gizmo widget Gizmo widgets'
  expect(filled(text, nounOf('storage-buckets'))).toBe(
    'storage-buckets storage_bucket STORAGE_BUCKETS storageBucket StorageBuckets storage bucket Storage buckets',
  )
  expect(filled(text, nounOf('mice', 'mouse'))).toBe('mice mouse MICE mouse Mice mouse Mice')
})
