import { expect, test } from 'vitest'
import { writtenPicture } from './written-picture.ts'

test('each stretch that was measured is an area of its own, and the highest reaches the top', () => {
  const picture = writtenPicture([0, 10, 20, 30], [50, 100, null, 0], 10, { fromMs: 0, toMs: 40 }, 40, 24)
  expect(picture).toEqual({
    most: 100,
    areas: ['0.0,23 0.0,13.0 10.0,13.0 10.0,3.0 20.0,3.0 20.0,23', '30.0,23 30.0,23.0 40.0,23.0 40.0,23'],
  })
})

test('where nothing was measured nothing is drawn', () => {
  expect(writtenPicture([0], [null], 10, { fromMs: 0, toMs: 10 }, 40, 24)).toBeUndefined()
})
