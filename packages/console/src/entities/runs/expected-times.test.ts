import { expect, test } from 'vitest'
import { expectedSpans, timeLeft } from './expected-times.ts'
import { at, givenRunDetail, givenStep, startedAt } from './given-run.ts'

const now = startedAt + 60_000
const usual = {
  build: { medianMs: 30_000, p90Ms: 40_000 },
  backup: { medianMs: 90_000, p90Ms: 100_000 },
  deploy: { medianMs: 20_000, p90Ms: 30_000 },
}
const steps = [
  givenStep('build', { status: 'succeeded', startedAt: at(0), finishedAt: at(30) }),
  givenStep('backup', { status: 'running', startedAt: at(30), needs: ['build'] }),
  givenStep('deploy', { needs: ['build', 'backup'] }),
]

test('a step to come begins when the last of its needs will probably have ended', () => {
  const spans = expectedSpans({ steps, usual }, now)
  expect([...spans]).toEqual([
    ['backup', { from: startedAt + 30_000, to: startedAt + 120_000 }],
    ['deploy', { from: startedAt + 120_000, to: startedAt + 140_000 }],
  ])
})

test('a step behind one without a known duration has no expected time, and needs in a circle end', () => {
  const unknown = [givenStep('new'), givenStep('deploy', { needs: ['new'] })]
  expect(expectedSpans({ steps: unknown, usual }, now).size).toBe(0)
  const circle = [givenStep('build', { needs: ['deploy'] }), givenStep('deploy', { needs: ['build'] })]
  expect(expectedSpans({ steps: circle, usual }, now).size).toBe(0)
})

test('a chain of 5,000 steps is reckoned', () => {
  const chain = Array.from({ length: 5_000 }, (_, index) =>
    givenStep(`s${index}`, { needs: index === 4_999 ? [] : [`s${index + 1}`] }),
  )
  const all = Object.fromEntries(chain.map(({ key }) => [key, { medianMs: 1_000, p90Ms: 1_000 }]))
  expect(expectedSpans({ steps: chain, usual: all }, now).get('s0')?.to).toBe(now + 5_000_000)
})

test('time left is unknown without an estimate, along the steps where each is known, and overdue past the median', () => {
  const detail = givenRunDetail({ steps, usual })
  expect(timeLeft(detail, now)).toEqual({ kind: 'unknown' })
  const estimate = { totalMs: 100_000, basedOn: 7 }
  expect(timeLeft({ ...detail, estimate }, now)).toMatchObject({ kind: 'left', leftMs: 80_000 })
  const unknown = { ...detail, usual: {}, estimate }
  expect(timeLeft(unknown, now)).toMatchObject({ kind: 'left', leftMs: 40_000 })
  expect(timeLeft(unknown, startedAt + 130_000)).toEqual({ kind: 'overdue', overMs: 30_000 })
})
