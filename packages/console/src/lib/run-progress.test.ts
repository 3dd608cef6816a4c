// @vitest-environment node
import { expect, test } from 'vitest'
import { runProgress } from './run-progress.ts'

const steps = (...percents: number[]) => percents.map((progressPercent) => ({ progressPercent }))

test('the progress of a run is the mean of its steps', () => {
  expect(runProgress({ status: 'running' }, steps(100, 100, 40, 0))).toBe(60)
  expect(runProgress({ status: 'failed' }, steps(100, 50))).toBe(75)
})

test('a completed run is at 100, also with skipped steps; one without steps at 0', () => {
  expect(runProgress({ status: 'completed' }, steps(100, 0))).toBe(100)
  expect(runProgress({ status: 'queued' }, [])).toBe(0)
})
