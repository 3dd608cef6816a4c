import type { StepRun } from '@bey/contract'
import { expect, test } from 'vitest'
import { guaranteeText, sharedGuarantee, stepFigures } from './run-text.ts'

const step = (part: Partial<StepRun>): StepRun => ({
  id: '1',
  key: 'join',
  name: 'Join nodes',
  type: 'cluster.provision',
  position: 0,
  status: 'running',
  guarantee: 'exactly_once',
  attempt: 1,
  progressPercent: 0,
  error: null,
  needs: [],
  parentKey: null,
  note: '',
  nextAt: null,
  startedAt: null,
  finishedAt: null,
  ...part,
})

test('a step that has not started shows no figure', () => {
  expect(stepFigures(step({}), 0)).toBe('')
})

test('a running step ticks, and a later attempt is counted', () => {
  const startedAt = '2026-11-21T06:00:00.000Z'
  expect(stepFigures(step({ startedAt, attempt: 2 }), Date.parse(startedAt) + 12_000)).toBe(
    'attempt 2 · 12 s',
  )
})

test('an unknown guarantee is shown in its own words', () => {
  expect(guaranteeText('exactly_once')).toBe('Takes effect exactly once')
  expect(guaranteeText('at_most_once')).toBe('at most once')
})

test('a guarantee that every step has is said once, one that differs is not', () => {
  expect(sharedGuarantee([step({}), step({})])).toBe('Every step takes effect exactly once.')
  expect(sharedGuarantee([step({}), step({ guarantee: 'at_least_once' })])).toBeUndefined()
  expect(sharedGuarantee([])).toBeUndefined()
})
