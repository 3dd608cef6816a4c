// @vitest-environment node
import { expect, test } from 'vitest'
import { windowAt } from './table-window.ts'

test('at the top the first rows and a few more are drawn', () => {
  expect(windowAt(0, 720, 36, 10_000)).toEqual({ first: 0, end: 32 })
})

test('in the middle only what is near the screen is drawn', () => {
  expect(windowAt(36_000, 720, 36, 10_000)).toEqual({ first: 988, end: 1032 })
})

test('the end is never passed, not even by a scroll position that is older than the rows', () => {
  expect(windowAt(359_280, 720, 36, 10_000)).toEqual({ first: 9968, end: 10_000 })
  expect(windowAt(359_280, 720, 36, 90)).toEqual({ first: 78, end: 90 })
  expect(windowAt(0, 720, 36, 0)).toEqual({ first: 0, end: 0 })
})
