import { expect, test } from 'vitest'
import { at, givenRunDetail, givenStep, startedAt } from '../../../entities/runs/given-run.ts'
import { keptText, recoveriesOf } from './recoveries.ts'

test('a recovery says which process died, which went on and when, and what was kept', () => {
  const detail = givenRunDetail({
    steps: [
      givenStep('check', { status: 'succeeded', finishedAt: at(5) }),
      givenStep('plan', { status: 'succeeded', finishedAt: at(9) }),
      givenStep('backup', { status: 'running', attempt: 2 }),
    ],
    attempts: [
      {
        stepKey: 'backup',
        attempt: 1,
        status: 'interrupted',
        executorId: 'a',
        startedAt: at(10),
        finishedAt: at(33),
        error: null,
      },
      {
        stepKey: 'backup',
        attempt: 2,
        status: 'running',
        executorId: 'b',
        startedAt: at(36),
        finishedAt: null,
        error: null,
      },
    ],
  })
  const recoveries = recoveriesOf(detail)
  expect(recoveries).toEqual([
    { stepKey: 'backup', from: 'a', to: 'b', lostAt: startedAt + 33_000, wentOnAt: startedAt + 36_000 },
  ])
  expect(keptText(detail, recoveries)).toBe('2 finished steps were kept; Backup began again.')
})

const interrupted = {
  stepKey: 'call',
  attempt: 1,
  status: 'interrupted',
  executorId: 'a',
  startedAt: at(0),
  finishedAt: at(3),
  error: null,
}

test('of an uncertain step is said what is known and what is not', () => {
  const steps = [
    givenStep('check', { status: 'succeeded', finishedAt: at(2) }),
    givenStep('call', { status: 'uncertain' }),
    // Another branch, which went on meanwhile.
    givenStep('report', { status: 'succeeded', finishedAt: at(60) }),
  ]
  const detail = givenRunDetail({ steps, attempts: [interrupted] })
  expect(keptText(detail, recoveriesOf(detail))).toBe(
    '1 finished step was kept; whether Call happened is not known.',
  )
})

test('a step that a person settled was not repeated', () => {
  const detail = givenRunDetail({
    steps: [givenStep('call', { status: 'succeeded', finishedAt: at(90) })],
    attempts: [interrupted],
  })
  expect(keptText(detail, recoveriesOf(detail))).toBe('Nothing was repeated.')
})

test('only steps that ended before are counted; where no time is recorded, none is', () => {
  const next = { ...interrupted, attempt: 2, status: 'succeeded', executorId: 'b', startedAt: at(600) }
  const steps = [
    givenStep('check', { status: 'succeeded', finishedAt: at(2) }),
    givenStep('call', { status: 'succeeded', attempt: 2, finishedAt: at(601) }),
    givenStep('last', { status: 'succeeded', finishedAt: at(602) }),
  ]
  const detail = givenRunDetail({ steps, attempts: [interrupted, next] })
  expect(keptText(detail, recoveriesOf(detail))).toBe('1 finished step was kept; Call began again.')
  expect(keptText(givenRunDetail({ steps }), [])).toBe('Finished steps were kept; nothing was repeated.')
})
