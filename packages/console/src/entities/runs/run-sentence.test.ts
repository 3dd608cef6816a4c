import { expect, test } from 'vitest'
import { at, givenRunDetail, givenStep, startedAt } from './given-run.ts'
import { doneText, runSentence, stepToShow } from './run-sentence.ts'

const now = startedAt + 192_000
const running = givenStep('backup', {
  name: 'Back up orders-pg',
  status: 'running',
  startedAt: at(0),
  progressPercent: 66,
})

test('a running run names the step under way, its progress and what is left', () => {
  const steps = [givenStep('check', { status: 'succeeded' }), running]
  const detail = givenRunDetail({ steps })
  expect(runSentence(detail, now)).toEqual({
    text: 'Step 2 of 2, Back up orders-pg, 66 %.',
    detail: 'An estimate appears after five completed runs.',
  })
  const estimate = { totalMs: 292_000, basedOn: 5 }
  expect(runSentence({ ...detail, estimate }, now).detail).toBe('About 1 min 40 s left.')
  expect(runSentence({ ...detail, estimate: { totalMs: 180_000, basedOn: 5 } }, now).detail).toBe(
    'Overdue: 12 s longer than usual.',
  )
})

test('several steps under way are named or counted', () => {
  const waiting = givenStep('approve', { name: 'Approve rollout', status: 'waiting', type: 'approval' })
  const two = givenRunDetail({ steps: [running, waiting] })
  expect(runSentence(two, now).text).toBe('Back up orders-pg and Approve rollout are under way.')
  const three = givenRunDetail({ steps: [running, waiting, givenStep('c', { status: 'running' })] })
  expect(runSentence(three, now).text).toBe('Back up orders-pg and 2 more steps are under way.')
})

test.each([
  [
    { status: 'waiting', waiting: { kind: 'approval', text: 'Waiting for one approval', until: null } },
    'Waiting at Call for 3 min 12 s.',
  ],
  [{ status: 'paused' }, 'Paused: no further step begins until it is resumed.'],
  [{ status: 'cancelling', cancelRequestedAt: at(180) }, 'Cancelling for 12 s.'],
  [{ status: 'needs_attention' }, 'Waiting for you: it is not known whether Call happened.'],
  [{ status: 'completed', finishedAt: at(90) }, 'Completed in 1 min 30 s.'],
  [
    { status: 'failed', finishedAt: at(9), error: { message: 'No answer.', stepKey: 'call' } },
    'Call failed: No answer.',
  ],
  [{ status: 'timed_out', finishedAt: at(9) }, 'Timed out.'],
  [{ status: 'cancelled', startedAt: null }, 'Cancelled.'],
  [{ status: 'queued', queuedAt: at(189) }, 'Queued for 3 s.'],
  [{ status: 'expired' }, 'Expired: it did not begin in time.'],
] as const)('%o reads: %s', (run, text) => {
  const status = run.status === 'needs_attention' ? 'uncertain' : 'waiting'
  const steps = [givenStep('call', { status, startedAt: at(0) })]
  expect(runSentence(givenRunDetail({ run, steps }), now).text).toBe(text)
})

test('a completed run is compared with the usual time', () => {
  const detail = givenRunDetail({
    run: { status: 'completed', finishedAt: at(90) },
    estimate: { totalMs: 60_000, basedOn: 9 },
  })
  expect(runSentence(detail, now).detail).toBe('30 s longer than usual.')
  expect(runSentence({ ...detail, estimate: { totalMs: 88_000, basedOn: 9 } }, now).detail).toBe(
    'As long as usual.',
  )
})

test('iterations are not counted, and the step to look at is the uncertain one, then the failed one', () => {
  const steps = [
    givenStep('a', { status: 'succeeded' }),
    givenStep('a[0]', { status: 'succeeded', parentKey: 'a' }),
    givenStep('b', { status: 'running' }),
    givenStep('c', { status: 'failed' }),
  ]
  expect(doneText(steps)).toBe('1 of 3 steps done')
  expect(stepToShow(steps)?.key).toBe('c')
  expect(stepToShow([...steps, givenStep('d', { status: 'uncertain' })])?.key).toBe('d')
  expect(stepToShow(steps.slice(0, 1))?.key).toBe('a')
  expect(stepToShow([])).toBeUndefined()
})
