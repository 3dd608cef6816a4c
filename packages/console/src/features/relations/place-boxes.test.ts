import { expect, test } from 'vitest'
import { placeBoxes } from './place-boxes.ts'

const box = (kind: string, width = 120, height = 60) => ({ kind, width, height })

test('what is related stands from left to right, and kinds without relations in a row below it', () => {
  const boxes = [box('member'), box('service'), box('webhook'), box('deployment')]
  const places = new Map(placeBoxes(boxes, [{ from: 'service', to: 'deployment' }]))
  const at = (kind: string) => places.get(kind) ?? { x: Number.NaN, y: Number.NaN }
  expect(at('deployment').x).toBeGreaterThan(at('service').x + 120)
  expect(at('member').y).toBeGreaterThan(at('deployment').y + 60)
  expect(at('webhook').y).toBe(at('member').y)
  expect(at('webhook').x).toBeGreaterThanOrEqual(at('member').x + 120)
})

test('rows of kinds without relations wrap, and no two boxes overlap', () => {
  const boxes = Array.from({ length: 14 }, (_, index) => box(`kind-${index}`, 100 + index * 10))
  const placed = placeBoxes(boxes, []).map(([kind, point]) => ({
    ...point,
    ...(boxes.find((each) => each.kind === kind) ?? box(kind)),
  }))
  expect(new Set(placed.map(({ y }) => y)).size).toBeGreaterThan(1)
  for (const [index, a] of placed.entries()) {
    for (const b of placed.slice(index + 1)) {
      const isApart =
        a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
      expect(isApart).toBe(true)
    }
  }
})

test('a kind that is related only to itself has no edge to another, and no boxes have no places', () => {
  expect(placeBoxes([box('secret')], [{ from: 'secret', to: 'secret' }])).toEqual([
    ['secret', { x: 0, y: 0 }],
  ])
  expect(placeBoxes([], [])).toEqual([])
})
