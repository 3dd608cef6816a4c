import type { StepRun } from '@bey/contract'
import { expect, test } from 'vitest'
import type { FoldedRow } from './fold-steps.ts'
import { foldDone, foldSpan, foldText } from './fold-steps.ts'
import { at, givenStep, startedAt } from './given-run.ts'

const none: ReadonlySet<string> = new Set()
const steps = (statusOf: (index: number) => StepRun['status'], count = 62) =>
  Array.from({ length: count }, (_, index) =>
    givenStep(`s${index}`, {
      status: statusOf(index),
      startedAt: at(index * 10),
      finishedAt: at(index * 10 + 8),
    }),
  )
const failing = steps((index) => (index === 22 ? 'failed' : index > 40 ? 'skipped' : 'succeeded'))
const shape = (rows: readonly FoldedRow[]) =>
  rows.map((row) => (row.fold ? `${foldText(row.fold)}${row.fold.isOpen ? ' (open)' : ''}` : row.step.key))

test('what is done is folded around what failed', () => {
  expect(shape(foldDone(failing, 's22', none))).toEqual(['22 steps done', 's22', '18 steps done, 21 skipped'])
})

test('a selected step is never inside a closed fold, and few steps between others are not folded', () => {
  expect(shape(foldDone(failing, 's19', none))).toEqual([
    '19 steps done',
    's19',
    's20',
    's21',
    's22',
    '18 steps done, 21 skipped',
  ])
})

test('an open fold lists its steps below it, and keeps its name while more steps get done', () => {
  const rows = foldDone(failing, 's22', new Set(['s0']))
  expect(rows).toHaveLength(1 + 22 + 1 + 1)
  expect(shape(rows).slice(0, 2)).toEqual(['22 steps done (open)', 's0'])
  const later = foldDone(
    steps((index) => (index < 30 ? 'succeeded' : 'running')),
    's30',
    new Set(['s0']),
  )
  expect(shape(later)[0]).toBe('30 steps done (open)')
})

test('a short run, and one in which all is done, is shown whole', () => {
  expect(foldDone(failing.slice(10, 30), undefined, none).every(({ step }) => step)).toBe(true)
  expect(
    foldDone(
      steps(() => 'succeeded'),
      undefined,
      none,
    ),
  ).toHaveLength(62)
})

test('a fold lasted from the beginning of its first step to the end of its last', () => {
  const [row] = foldDone(failing, 's22', none)
  expect(row?.fold && foldSpan(row.fold)).toEqual({ from: startedAt, to: startedAt + 218_000 })
  expect(foldSpan({ id: 'a', isOpen: false, steps: [givenStep('a', { status: 'skipped' })] })).toBeUndefined()
})
