import { runMoves, runStatuses, stepMoves, stepStatuses } from '@bey/contract'
import { describe, expect, test } from 'vitest'

import { IllegalMove } from '../../platform/moves.ts'
import { moveRun, moveStep } from './moves.ts'

describe.each(runStatuses)('a run that is %s', (from) => {
  test.each(runStatuses)('goes to %s only if the table says so', (to) => {
    if (runMoves[from].includes(to)) expect(moveRun(from, to)).toBe(to)
    else expect(() => moveRun(from, to)).toThrow(IllegalMove)
  })
})

describe.each(stepStatuses)('a step that is %s', (from) => {
  test.each(stepStatuses)('goes to %s only if the table says so', (to) => {
    if (stepMoves[from].includes(to)) expect(moveStep(from, to)).toBe(to)
    else expect(() => moveStep(from, to)).toThrow(IllegalMove)
  })
})

test('each move of a path is checked', () => {
  expect(moveStep('pending', 'ready', 'running')).toBe('running')
  expect(() => moveStep('pending', 'running')).toThrow('A step cannot go from pending to running')
  expect(() => moveRun('running', 'cancelling', 'running')).toThrow(
    'A run cannot go from cancelling to running',
  )
})
