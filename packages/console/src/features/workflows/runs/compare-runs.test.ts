import { keptNote } from '@bey/contract'
import { expect, test } from 'vitest'
import { at, givenRunDetail, givenStep, startedAt } from '../../../entities/runs/given-run.ts'
import { comparedLines, compareRuns } from './compare-runs.ts'

const now = startedAt + 600_000
const done = (key: string, from: number, to: number, part = {}) =>
  givenStep(key, { status: 'succeeded', attempt: 1, startedAt: at(from), finishedAt: at(to), ...part })

const a = givenRunDetail({
  run: {
    version: 12,
    status: 'completed',
    finishedAt: at(60),
    input: { image: 'api:2.13.2', cluster: 'eu' },
  },
  steps: [
    done('check', 0, 10),
    done('smoke', 10, 18),
    done('tell', 18, 19),
    givenStep('warn', { status: 'skipped' }),
  ],
})
const b = givenRunDetail({
  run: { version: 13, status: 'failed', finishedAt: at(120), input: { image: 'api:2.14.0', cluster: 'eu' } },
  steps: [
    done('check', 0, 11),
    done('smoke', 11, 68, { status: 'failed', attempt: 2 }),
    done('undo', 68, 115),
    givenStep('warn', { status: 'skipped' }),
  ],
})

test('the sentence says where two runs part, and what was put in differently', () => {
  const { sentence, detail } = compareRuns(a, b, now)
  expect(sentence).toBe('Run B failed at Smoke, where run A succeeded.')
  expect(detail).toBe('Of what was put in, only workflow version and image differ.')
  expect(compareRuns(b, a, now).sentence).toBe('Run A failed at Smoke, where run B succeeded.')
  const same = compareRuns(a, { ...a, run: { ...a.run, finishedAt: at(90) } }, now)
  expect([same.sentence, same.detail]).toEqual([
    'Both runs are completed; run B took 30 s longer.',
    'What was put in is the same.',
  ])
})

test('steps are aligned by key, with the difference in words, and only what differs is marked', () => {
  const { steps, longestMs } = compareRuns(a, b, now)
  expect(steps.map(({ key, difference, isDifferent }) => [key, difference, isDifferent])).toEqual([
    ['check', '+1 s', false],
    ['smoke', '+49 s', true],
    ['tell', 'only in run A', true],
    ['warn', '—', false],
    ['undo', 'only in run B', true],
  ])
  expect(longestMs).toBe(57_000)
})

test('how much longer it took names the steps that it went to, and absent facts are left out', () => {
  const { facts } = compareRuns(a, b, now)
  const fact = (label: string) => facts.find((each) => each.label === label)
  expect(fact('Took')).toMatchObject({ difference: '+1 min 00 s, mostly Smoke and Undo', isDifferent: true })
  expect(fact('Input, cluster')).toMatchObject({ difference: 'the same', isDifferent: false })
  expect(fact('Error')).toBeUndefined()
})

test('lines that only one output has are marked in it', () => {
  expect(comparedLines('{\n "status": 200\n}', '{\n "status": 503,\n "took": 1\n}')).toEqual({
    a: [
      { text: '{', isOnly: false },
      { text: ' "status": 200', isOnly: true },
      { text: '}', isOnly: false },
    ],
    b: [
      { text: '{', isOnly: false },
      { text: ' "status": 503,', isOnly: true },
      { text: ' "took": 1', isOnly: true },
      { text: '}', isOnly: false },
    ],
  })
})

test('a step whose result was kept from the other run is marked as reused', () => {
  const retry = { ...b, steps: [done('check', 0, 10, { note: keptNote('a') }), done('smoke', 70, 80)] }
  const { steps } = compareRuns(a, retry, now)
  expect(steps.slice(0, 2).map(({ key, difference }) => [key, difference])).toEqual([
    ['check', 'reused in run B'],
    ['smoke', '+2 s'],
  ])
  expect(compareRuns(retry, a, now).steps[0]?.difference).toBe('reused in run A')
})
