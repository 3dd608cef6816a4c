import type { SqlPlanNode } from '@bey/contract'
import { expect, test } from 'vitest'
import { axisValues, guessText, planSteps, wrongGuess } from './plan-steps.ts'

const node = (id: number, parentId: number | null, changes: Partial<SqlPlanNode> = {}): SqlPlanNode => ({
  id,
  parentId,
  depth: 0,
  type: 'Seq Scan',
  subject: null,
  conditions: [],
  expectedRows: 1,
  actualRows: null,
  loops: null,
  selfMs: null,
  selfCost: 0,
  blocksHit: null,
  blocksRead: null,
  ...changes,
})

test('each step stands behind those that it takes its rows from, and all of them make up the whole', () => {
  const nodes = [
    node(0, null, { selfMs: 1 }),
    node(1, 0, { selfMs: 5 }),
    node(2, 1, { selfMs: 150 }),
    node(3, 1, { selfMs: 20 }),
  ]
  const { steps, total } = planSteps({ nodes })
  expect(total).toBe(176)
  expect(steps.map(({ node: { id }, from, own }) => [id, from, own])).toEqual([
    [0, 175, 1],
    [1, 170, 5],
    [2, 0, 150],
    [3, 150, 20],
  ])
  expect(planSteps({ nodes: [node(0, null, { selfCost: 8 })] }).total).toBe(8)
})

test('a wrong guess is said from four times on, of the step that it was worst for', () => {
  expect(wrongGuess(node(0, null))).toBeUndefined()
  expect(wrongGuess(node(0, null, { actualRows: 3 }))).toBeUndefined()
  expect(wrongGuess(node(0, null, { actualRows: 0, expectedRows: 10 }))?.text).toBe('10 × fewer rows')
  const nodes = [
    node(0, null, { actualRows: 20, expectedRows: 4 }),
    node(1, 0, { actualRows: 8_214, expectedRows: 64, subject: 'orders' }),
  ]
  expect(guessText(nodes)).toBe('PostgreSQL expected 64 rows of orders and found 8,214.')
  expect(guessText([node(0, null)])).toBeUndefined()
})

test('the axis has round values', () => {
  expect(axisValues(1_840)).toEqual([0, 500, 1_000, 1_500])
  expect(axisValues(0.5)).toHaveLength(6)
  expect(axisValues(0)).toEqual([0])
})
