import { expect, test } from 'vitest'
import {
  budgetGraceMs,
  budgetMoves,
  budgetStates,
  type BudgetStanding,
  type BudgetState,
  judgeBudget,
  pathTo,
} from './budget-states.ts'

const start: BudgetStanding = { state: 'ok', sinceMs: 0, month: '2026-11', reached: 0, liftedMonth: null }
const facts = { action: 'pause_new_runs', month: '2026-11', share: 0, nowMs: 0 } as const

const legal: [BudgetState, BudgetState][] = [
  ['ok', 'warning'],
  ['warning', 'ok'],
  ['warning', 'exceeded'],
  ['exceeded', 'ok'],
  ['exceeded', 'grace'],
  ['grace', 'ok'],
  ['grace', 'enforced'],
  ['enforced', 'ok'],
]

for (const from of budgetStates) {
  for (const to of budgetStates) {
    const isLegal = legal.some(([a, b]) => a === from && b === to)
    test(`${from} to ${to} is ${isLegal ? 'a move' : 'no move'}`, () => {
      expect(budgetMoves[from].includes(to)).toBe(isLegal)
    })
    test(`every step from ${from} to ${to} is a legal move`, () => {
      let last = from
      for (const next of pathTo(from, to)) {
        expect(budgetMoves[last]).toContain(next)
        last = next
      }
      expect(last).toBe(to)
    })
  }
}

test('each threshold is notified once a month, also where spend jumps over two', () => {
  const first = judgeBudget(start, { ...facts, share: 0.85 })
  expect(first.reached).toEqual([50, 80])
  expect(first.after).toMatchObject({ state: 'warning', reached: 80 })
  expect(judgeBudget(first.after, { ...facts, share: 0.9 }).reached).toEqual([])
  expect(judgeBudget(first.after, { ...facts, share: 1 }).reached).toEqual([100])
  const next = judgeBudget(first.after, { ...facts, month: '2026-12', share: 0.6 })
  expect(next).toMatchObject({ reached: [50], after: { state: 'ok', month: '2026-12' } })
})

test('a correction that lowers spend and a rise after it do not notify twice', () => {
  const over = judgeBudget(start, { ...facts, share: 1.1 }).after
  const back = judgeBudget(over, { ...facts, share: 0.7 })
  expect(back.after).toMatchObject({ state: 'ok', reached: 100 })
  expect(judgeBudget(back.after, { ...facts, share: 1.1 }).reached).toEqual([])
})

test('runs are paused when the grace of 24 hours is over, and not before', () => {
  const grace = judgeBudget(start, { ...facts, share: 1, nowMs: 1_000 })
  expect(grace.path).toEqual(['warning', 'exceeded', 'grace'])
  const almost = { ...facts, share: 1.2, nowMs: 1_000 + budgetGraceMs - 1 }
  expect(judgeBudget(grace.after, almost).after).toEqual(grace.after)
  const enforced = judgeBudget(grace.after, { ...almost, nowMs: 1_000 + budgetGraceMs })
  expect(enforced).toMatchObject({ path: ['enforced'], after: { state: 'enforced' } })
  expect(judgeBudget(enforced.after, { ...almost, nowMs: 1e12 }).after.state).toBe('enforced')
})

test('a new month ends the pause, and a clock that is set back does not begin it early', () => {
  const enforced: BudgetStanding = { ...start, state: 'enforced', reached: 100 }
  const next = { ...facts, month: '2026-12', share: 0.01 }
  expect(judgeBudget(enforced, next)).toMatchObject({ path: ['ok'], after: { state: 'ok', reached: 0 } })
  const grace: BudgetStanding = { ...start, state: 'grace', sinceMs: 5_000, reached: 100 }
  expect(judgeBudget(grace, { ...facts, share: 1, nowMs: 0 }).after.state).toBe('grace')
})

test('what an owner has lifted stays lifted for the month, and not for the next', () => {
  const lifted: BudgetStanding = { ...start, reached: 100, liftedMonth: '2026-11' }
  const again = judgeBudget(lifted, { ...facts, share: 1.3 })
  expect(again.after).toMatchObject({ state: 'exceeded', liftedMonth: '2026-11' })
  expect(judgeBudget(again.after, { ...facts, share: 1.3, nowMs: 1e12 }).after.state).toBe('exceeded')
  const next = judgeBudget(again.after, { ...facts, month: '2026-12', share: 1 })
  expect(next.after).toMatchObject({ state: 'grace', liftedMonth: null })
})

test('a budget that only notifies never pauses anything', () => {
  const after = judgeBudget(start, { ...facts, action: 'notify', share: 9, nowMs: 1e12 }).after
  expect(judgeBudget(after, { ...facts, action: 'notify', share: 9, nowMs: 2e12 }).after.state).toBe(
    'exceeded',
  )
})
