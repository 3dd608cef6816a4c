import { expect, test } from 'vitest'
import { boxSize, tickAt, tickPoint } from './box-size.ts'

test('the tick at its own point is found again, and none beside the last', () => {
  for (const ticks of [1, 17, 18, 341, 600]) {
    for (let index = 0; index < ticks; index += 1) {
      const { x, y } = tickPoint(index, ticks)
      expect(tickAt(x + 2, y + 8, ticks)).toBe(index)
    }
    const { x, y } = tickPoint(ticks, ticks)
    expect(tickAt(x + 2, y + 8, ticks)).toBeUndefined()
  }
})

test('an open box is taller, by at most ten rows', () => {
  const closed = boxSize({ kind: 'pod', ticks: 40, members: undefined })
  const some = boxSize({ kind: 'pod', ticks: 40, members: 3 })
  const many = boxSize({ kind: 'pod', ticks: 40, members: 400 })
  expect(some.height).toBeGreaterThan(closed.height)
  expect(many).toEqual(boxSize({ kind: 'pod', ticks: 40, members: 10 }))
})

test('a box is wide enough for its head, however few ticks it has', () => {
  const head = { title: 'Network policies', count: '12 failing of 200' }
  const box = { kind: 'network-policy', ticks: 3, members: undefined }
  expect(boxSize({ ...box, head }).width).toBeGreaterThan(boxSize(box).width)
  expect(boxSize({ ...box, head: { title: 'Pods', count: '3' } }).width).toBe(boxSize(box).width)
})
