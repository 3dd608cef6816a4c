import type { StepRun } from '@bey/contract'
import { expect, test } from 'vitest'
import { sharedGuarantee } from './run-text.ts'

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

test('a guarantee that every step has is said once, one that differs is not', () => {
  expect(sharedGuarantee([step({}), step({})])).toBe(
    'Each step: takes effect exactly once, also when the server dies while it is under way.',
  )
  expect(sharedGuarantee([step({}), step({ guarantee: 'at_least_once' })])).toBeUndefined()
  expect(sharedGuarantee([])).toBeUndefined()
})
