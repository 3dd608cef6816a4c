import { expect, test } from 'vitest'
import { at, givenRunDetail, givenStep, startedAt } from './given-run.ts'
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

test('a step that is uncertain was not repeated, and a process that died between steps repeated nothing', () => {
  const attempts = [
    {
      stepKey: 'call',
      attempt: 1,
      status: 'interrupted',
      executorId: 'a',
      startedAt: at(0),
      finishedAt: at(3),
      error: null,
    },
  ]
  const uncertain = givenRunDetail({ steps: [givenStep('call', { status: 'uncertain' })], attempts })
  expect(keptText(uncertain, recoveriesOf(uncertain))).toBe('Nothing was repeated.')
  const between = givenRunDetail({ steps: [givenStep('a', { status: 'succeeded', finishedAt: at(1) })] })
  expect(keptText(between, [])).toBe('1 finished step was kept; nothing was repeated.')
})
