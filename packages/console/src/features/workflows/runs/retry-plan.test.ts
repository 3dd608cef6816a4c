import { expect, test } from 'vitest'
import { givenStep } from '../../../entities/runs/given-run.ts'
import { retryWays } from './retry-plan.ts'

const steps = [
  givenStep('check', { status: 'succeeded' }),
  givenStep('approve', { status: 'succeeded', type: 'approval', needs: ['check'] }),
  givenStep('apply', { status: 'succeeded', needs: ['approve'] }),
  givenStep('smoke', { status: 'failed', needs: ['apply'] }),
  givenStep('tell', { status: 'skipped', needs: ['smoke'] }),
]

test('each way to retry says what it keeps or repeats', () => {
  const ways = retryWays({ steps }, 'apply')
  expect(ways.fromFailed).toEqual({ hint: 'Keeps 3 finished steps, repeats the other 2.' })
  expect(ways.fromStep).toMatchObject({ hint: 'Keeps 2 finished steps, repeats the other 3.' })
  expect(ways.fromStart).toEqual({ hint: 'Runs all 5 steps; asks for approval again.' })
})

test('what a rollback undid is repeated, and that is said', () => {
  const undone = [...steps, givenStep('apply!undo', { status: 'succeeded', name: 'Roll back' })]
  expect(retryWays({ steps: undone }, undefined).fromFailed.hint).toBe(
    'Repeats Apply first, which was undone. Keeps 2 finished steps, repeats the other 3.',
  )
  expect(retryWays({ steps: undone }, 'apply!undo').fromStep.step?.key).toBe('apply')
})

test('a way that is not to be had says why', () => {
  const done = [givenStep('check', { status: 'succeeded' })]
  const ways = retryWays({ steps: done }, 'gone')
  expect(ways.fromFailed.disabledReason).toBe('Every step succeeded.')
  expect(ways.fromStep.disabledReason).toBe('Choose a step on the page first.')
  expect(ways.fromStart.hint).toBe('Runs its step.')
})
