import { expect, test } from 'vitest'
import { at, givenRunDetail, givenStep, startedAt } from '../given-run.ts'
import { ganttOf } from './gantt.ts'
import { ganttWithin, panned, zoomed } from '../../../features/workflows/runs/gantt/gantt-window.ts'
import { ticksOf } from './ticks.ts'

const seconds = (ms: number) => (ms - startedAt) / 1_000
const piecesOf = (gantt: ReturnType<typeof ganttOf>, row: number) =>
  gantt.rows[row]?.pieces.map(({ kind, from, to }) => [kind, seconds(from), seconds(to)])

test('attempts, the waits between them and a change of process are pieces of one bar', () => {
  const attempt = { executorId: 'one', error: null, stepKey: 'smoke' }
  const detail = givenRunDetail({
    run: { status: 'failed', finishedAt: at(60) },
    steps: [givenStep('smoke', { status: 'timed_out', attempt: 3, startedAt: at(0), finishedAt: at(60) })],
    attempts: [
      { ...attempt, attempt: 1, status: 'interrupted', startedAt: at(0), finishedAt: at(5) },
      {
        ...attempt,
        attempt: 2,
        status: 'failed',
        startedAt: at(8),
        finishedAt: at(15),
        error: { message: '503' },
      },
      { ...attempt, attempt: 3, status: 'timed_out', startedAt: at(30), finishedAt: at(60) },
    ],
  })
  const gantt = ganttOf(detail, startedAt + 90_000)
  expect(piecesOf(gantt, 0)).toEqual([
    ['work', 0, 5],
    ['failed', 8, 15],
    ['retry_wait', 15, 30],
    ['failed', 30, 60],
  ])
  expect(gantt.rows[0]?.changes.map(seconds)).toEqual([8])
  expect(gantt.rows[0]?.attempts.map(({ text }) => text)).toEqual(['interrupted', 'failed: 503', 'timed out'])
  expect([gantt.now, seconds(gantt.end)]).toEqual([undefined, 60])
})

test('what took longer than nine of ten earlier runs is marked, and usual times stand beside', () => {
  const detail = givenRunDetail({
    run: { status: 'completed', finishedAt: at(96) },
    steps: [givenStep('start', { status: 'succeeded', startedAt: at(0), finishedAt: at(96) })],
    usual: { start: { medianMs: 74_000, p90Ms: 90_000 } },
  })
  const gantt = ganttOf(detail, startedAt + 200_000)
  expect(piecesOf(gantt, 0)).toEqual([
    ['work', 0, 90],
    ['over', 90, 96],
  ])
  expect(gantt.rows[0]).toMatchObject({ isSlow: true, tookMs: 96_000, usualMs: 74_000 })
})

test('a running step reaches to now and on to its expected end, where the next begins', () => {
  const detail = givenRunDetail({
    steps: [
      givenStep('join', { status: 'running', startedAt: at(0) }),
      givenStep('verify', { needs: ['join'] }),
      givenStep('tell', { status: 'skipped', note: 'not asked for', finishedAt: at(1) }),
    ],
    usual: { join: { medianMs: 20_000, p90Ms: 30_000 }, verify: { medianMs: 5_000, p90Ms: 6_000 } },
    estimate: { totalMs: 25_000, basedOn: 5 },
  })
  const gantt = ganttOf(detail, startedAt + 12_000)
  expect(piecesOf(gantt, 0)).toEqual([
    ['running', 0, 12],
    ['expected', 12, 20],
  ])
  expect(piecesOf(gantt, 1)).toEqual([['expected', 20, 25]])
  expect(piecesOf(gantt, 2)).toEqual([])
  expect([gantt.expectedEnd, gantt.end].map((ms) => seconds(ms ?? 0))).toEqual([25, 25])
})

test('waits for people and time are hatched whether they last or are over', () => {
  const detail = givenRunDetail({
    run: { status: 'waiting' },
    steps: [
      givenStep('pause', { type: 'wait', status: 'succeeded', startedAt: at(0), finishedAt: at(5) }),
      givenStep('approve', { type: 'approval', status: 'waiting', startedAt: at(5) }),
    ],
  })
  const gantt = ganttOf(detail, startedAt + 9_000)
  expect([piecesOf(gantt, 0), piecesOf(gantt, 1)]).toEqual([[['waiting', 0, 5]], [['waiting', 5, 9]]])
})

test('an axis has at most nine round ticks, whatever its span', () => {
  expect(ticksOf(0, 411_000).map(({ label }) => label)).toEqual([
    '0',
    '1 min',
    '2 min',
    '3 min',
    '4 min',
    '5 min',
    '6 min',
  ])
  expect(ticksOf(0, 900).map(({ label }) => label)).toEqual(['0', '0.2 s', '0.4 s', '0.6 s', '0.8 s'])
  for (const span of [1, 3_000, 90_000, 4e6, 9e7, 9e9, 9e11])
    expect(ticksOf(0, span).length).toBeLessThanOrEqual(30)
  expect(ticksOf(0, 90_000).map(({ label }) => label)).toContain('1 min 15 s')
})

test('zooming keeps the chosen step in the middle, moves within the run, and ends where all of it is shown', () => {
  const step = givenStep('last', { status: 'succeeded', startedAt: at(50), finishedAt: at(60) })
  const detail = givenRunDetail({ run: { status: 'completed', finishedAt: at(100) }, steps: [step] })
  const gantt = ganttOf(detail, startedAt)
  const focus = gantt.rows[0]?.pieces[0]
  const twice = zoomed(gantt, zoomed(gantt, undefined, 'in', focus), 'in', focus)
  expect(twice && [seconds(twice.from), seconds(twice.to)]).toEqual([42.5, 67.5])
  const shown = ganttWithin(gantt, twice)
  expect(shown.ticks.map(({ label }) => label)).toEqual(['45 s', '50 s', '55 s', '1 min', '1 min 5 s'])
  expect(seconds(shown.origin)).toBe(0)
  const later = twice && panned(gantt, { from: twice.from + 30_000, to: twice.to + 30_000 }, 1)
  expect(later && [seconds(later.from), seconds(later.to)]).toEqual([75, 100])
  expect(zoomed(gantt, zoomed(gantt, twice, 'out', focus), 'out', focus)).toBeUndefined()
})
