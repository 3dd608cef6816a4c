import { expect, test } from 'vitest'
import { graphOf } from './collapse-steps.ts'

const step = (key: string, needs: string[] = [], type = 'http') => ({ key, type, needs })

test('each step of a small workflow is a node, and needs of unknown steps are left out', () => {
  const graph = graphOf([step('a'), step('b', ['a', 'missing']), step('c', ['a'])])
  expect(graph.isCollapsed).toBe(false)
  expect(graph.nodes.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(graph.edges).toEqual([
    { from: 'a', to: 'b' },
    { from: 'a', to: 'c' },
  ])
})

test('a chain of 5,000 steps of three types collapses to at most 300 nodes that hold every step once', () => {
  const types = ['http', 'script', 'wait']
  const steps = Array.from({ length: 5_000 }, (_, index) =>
    step(`s${index}`, index === 0 ? [] : [`s${index - 1}`], types[index % 3]),
  )
  const graph = graphOf(steps)
  expect(graph.isCollapsed).toBe(true)
  expect(graph.nodes.length).toBeLessThanOrEqual(300)
  expect(graph.nodes.flatMap(({ members }) => members).toSorted()).toEqual(
    steps.map(({ key }) => key).toSorted(),
  )
})

test('parallel steps of one type become one node between what they wait for and what waits for them', () => {
  const branches = Array.from({ length: 400 }, (_, index) => step(`b${index}`, ['first'], 'script'))
  const last = step(
    'last',
    branches.map(({ key }) => key),
  )
  const graph = graphOf([step('first'), ...branches, last])
  expect(graph.nodes.map(({ members }) => members.length)).toEqual([1, 400, 1])
  expect(graph.edges).toHaveLength(2)
})

test('a cycle neither hangs nor hides a step', () => {
  const graph = graphOf([step('a', ['c']), step('b', ['a']), step('c', ['b']), step('d')], 3)
  expect(graph.nodes.flatMap(({ members }) => members)).toHaveLength(4)
})
