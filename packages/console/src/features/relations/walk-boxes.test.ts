import { expect, test } from 'vitest'
import { nextBox } from './walk-boxes.ts'

const layout = new Map([
  ['pod', { x: 0, y: 0 }],
  ['near', { x: 100, y: 0 }],
  ['node', { x: 300, y: 40 }],
  ['below', { x: 0, y: 200 }],
])

test('an arrow key follows an edge even where another box is nearer', () => {
  expect(nextBox('pod', 'ArrowRight', layout, [{ from: 'pod', to: 'node' }])).toBe('node')
  expect(nextBox('pod', 'ArrowRight', layout, [])).toBe('near')
})

test('it leads back, down, and nowhere where nothing is', () => {
  expect(nextBox('node', 'ArrowLeft', layout, [{ from: 'pod', to: 'node' }])).toBe('pod')
  expect(nextBox('pod', 'ArrowDown', layout, [])).toBe('below')
  expect(nextBox('pod', 'ArrowLeft', layout, [])).toBeUndefined()
  expect(nextBox('pod', 'Enter', layout, [])).toBeUndefined()
})
