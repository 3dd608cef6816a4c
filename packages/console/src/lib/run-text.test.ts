import type { StepRun } from '@bey/contract'
import { expect, test } from 'vitest'
import { guaranteeText, sharedGuarantee } from './run-text.ts'

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

test('an unknown guarantee is shown in its own words', () => {
  expect(guaranteeText('exactly_once')).toBe('Takes effect exactly once')
  expect(guaranteeText('at_most_once')).toBe('at most once')
})

test('a guarantee that every step has is said once, one that differs is not', () => {
  expect(sharedGuarantee([step({}), step({})])).toBe('Every step takes effect exactly once.')
  expect(sharedGuarantee([step({}), step({ guarantee: 'at_least_once' })])).toBeUndefined()
  expect(sharedGuarantee([])).toBeUndefined()
})
