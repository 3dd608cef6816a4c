import { expect, test } from 'vitest'
import { graphOf } from './collapse-steps.ts'
import { nextNode } from './walk-graph.ts'

const graph = graphOf([
  { key: 'a', type: 'http', needs: [] },
  { key: 'b', type: 'http', needs: ['a'] },
  { key: 'c', type: 'http', needs: ['a'] },
])
const layout = new Map([
  ['a', { x: 90, y: 0 }],
  ['b', { x: 0, y: 80 }],
  ['c', { x: 200, y: 80 }],
])
const go = (from: string, key: string) => nextNode(graph, layout, from, key, 'down')

test('arrows follow edges forward and backward, and step along a row', () => {
  expect(go('a', 'ArrowDown')).toBe('b')
  expect(go('c', 'ArrowUp')).toBe('a')
  expect(go('b', 'ArrowRight')).toBe('c')
  expect(go('c', 'ArrowLeft')).toBe('b')
})

test('an arrow without an edge, and any other key, leads nowhere', () => {
  expect(go('a', 'ArrowUp')).toBeUndefined()
  expect(go('b', 'ArrowLeft')).toBeUndefined()
  expect(go('a', 'Enter')).toBeUndefined()
})
