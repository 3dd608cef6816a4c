// @vitest-environment node
import type { BoardPanel } from '@bey/contract'
import { expect, test } from 'vitest'
import { dragged, inReadingOrder, newPlace, positionText, settled, stepped } from './layout.ts'

const panel = (id: string, x: number, y: number, width = 3, height = 2): BoardPanel => ({
  id,
  kind: 'series',
  title: id,
  x,
  y,
  width,
  height,
  queries: [],
  unit: 'auto',
  thresholds: { warn: null, danger: null },
  text: '',
})
const places = (panels: readonly BoardPanel[]) => panels.map(({ id, x, y }) => `${id} ${x},${y}`)

test('a moved panel keeps its place, and what it would cover makes room', () => {
  const moved = stepped([panel('a', 0, 0), panel('b', 3, 0)], 'a', 'right', 'move')
  expect(places(moved)).toEqual(['a 1,0', 'b 3,2'])
})

test('a panel stays within 12 columns and does not shrink to nothing', () => {
  expect(places(stepped([panel('a', 9, 0)], 'a', 'right', 'move'))).toEqual(['a 9,0'])
  expect(places(stepped([panel('a', 0, 0)], 'a', 'up', 'move'))).toEqual(['a 0,0'])
  expect(stepped([panel('a', 9, 0)], 'a', 'right', 'size')[0]?.width).toBe(3)
  expect(stepped([panel('a', 0, 0, 1, 1)], 'a', 'left', 'size')[0]?.width).toBe(1)
})

test('a dragged panel moves or is sized by columns and rows, within the board, and others make room', () => {
  const panels = [panel('a', 0, 0), panel('b', 3, 0)]
  expect(places(dragged(panels, 'a', 'move', { columns: 2, rows: 1 }))).toEqual(['a 2,1', 'b 3,3'])
  expect(places(dragged(panels, 'a', 'move', { columns: 99, rows: -9 }))).toEqual(['a 9,0', 'b 3,0'])
  const [sized] = dragged(panels, 'a', 'size', { columns: 1, rows: 99 })
  expect(sized).toMatchObject({ x: 0, width: 4, height: 12 })
  expect(dragged(panels, 'a', 'size', { columns: -9, rows: -9 })[0]).toMatchObject({ width: 1, height: 1 })
})

test('overlapping panels of an imported board are separated in reading order', () => {
  expect(places(settled([panel('a', 0, 0), panel('b', 0, 0), panel('c', 1, 1)]))).toEqual([
    'a 0,0',
    'b 0,2',
    'c 1,4',
  ])
})

test('a new panel begins below all others, and its place is said in words', () => {
  const place = newPlace([panel('a', 0, 4)])
  expect(place.y).toBe(6)
  expect(positionText(place)).toBe('Row 7, columns 1 to 4')
  expect(inReadingOrder([panel('a', 0, 4), panel('b', 5, 0), panel('c', 0, 0)]).map(({ id }) => id)).toEqual([
    'c',
    'b',
    'a',
  ])
})
