import { expect, test } from 'vitest'
import { createPageAnchors } from './page-anchors.ts'

const rows = (from: number) =>
  Array.from({ length: 50 }, (_, index) => ({ id: String(from + index), queuedAt: new Date(from + index) }))

test('the nearest row before a page is where it is looked for from', () => {
  const anchors = createPageAnchors()
  anchors.keep('a', 5_000, rows(5_000))
  anchors.keep('a', 9_000, rows(9_000))
  expect(anchors.nearest('a', 5_050)).toMatchObject({ offset: 5_049, id: '5049' })
  expect(anchors.nearest('a', 9_000)).toMatchObject({ offset: 9_000, id: '9000' })
  expect(anchors.nearest('a', 4_999)).toBeUndefined()
  expect(anchors.nearest('b', 9_000)).toBeUndefined()
})

test('an anchor is forgotten after a minute, and when many other lists were read', () => {
  let nowMs = 0
  const anchors = createPageAnchors({ monotonicMs: () => nowMs })
  anchors.keep('a', 5_000, rows(5_000))
  nowMs = 60_001
  expect(anchors.nearest('a', 5_000)).toBeUndefined()
  anchors.keep('b', 5_000, rows(5_000))
  for (let list = 0; list < 200; list += 1) anchors.keep(`list ${list}`, 5_000, rows(5_000))
  expect(anchors.nearest('b', 5_000)).toBeUndefined()
  expect(anchors.nearest('list 199', 5_000)).toBeDefined()
})
