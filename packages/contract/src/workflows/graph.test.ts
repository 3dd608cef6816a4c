import { expect, test } from 'vitest'
import { ancestorsOf, findCycle, needsOf } from './graph.ts'

test('a step without needs waits for the one before it, and an empty list for nothing', () => {
  const steps = [{ key: 'a' }, { key: 'b' }, { key: 'c', needs: [] }]
  expect(steps.map((_, index) => needsOf(steps, index))).toEqual([[], ['a'], []])
})

test('a cycle is named in its order', () => {
  const steps = [
    { key: 'a', needs: ['c'] },
    { key: 'b', needs: ['a'] },
    { key: 'c', needs: ['b', 'gone'] },
    { key: 'd', needs: ['d'] },
  ]
  expect(findCycle(steps)).toEqual(['b', 'c', 'a'])
  expect(findCycle(steps.slice(3))).toEqual(['d'])
  expect(findCycle([{ key: 'a' }, { key: 'b' }, { key: 'c', needs: ['a', 'b'] }])).toBeUndefined()
})

test('five thousand steps in a row have no cycle, and all before the last are its ancestors', () => {
  const steps = Array.from({ length: 5_000 }, (_, index) => ({ key: `s${index}` }))
  expect(findCycle(steps)).toBeUndefined()
  expect(ancestorsOf(steps, 's4999').size).toBe(4_999)
})
