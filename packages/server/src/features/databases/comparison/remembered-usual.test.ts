import { expect, test } from 'vitest'
import { fakeClock } from '../../../testing/clock.ts'
import type { DatabaseRow } from '../store.ts'
import { rememberUsual } from './remembered-usual.ts'

const hourMs = 3_600_000
const at = Date.UTC(2026, 2, 1, 12)
// Only what the function looks at.
const row = { id: 'a', engine: 'postgres' } as DatabaseRow
const asked = [{ row, metric: 'latency' as const }]

test('the weeks before are read once while the hours are the same, and again after a failure', async () => {
  let reads = 0
  let isAway = true
  const metrics = {
    read: () => {
      reads += 1
      return isAway ? Promise.reject(new Error('away')) : Promise.resolve([])
    },
  }
  const clock = fakeClock(new Date(at))
  const usualOf = rememberUsual(metrics, clock)
  const range = (fromMs: number) => ({ fromMs, toMs: fromMs + 2 * hourMs, stepMs: 60_000 })
  await expect(usualOf(1, asked, range(at + 60_000))).rejects.toThrow('away')
  isAway = false
  reads = 0
  await usualOf(1, asked, range(at + 60_000))
  expect(reads).toBe(4)
  await usualOf(1, asked, range(at + 120_000))
  expect(reads).toBe(4)
  // The hour begins, another hour, another organization, another metric.
  await usualOf(1, asked, range(at))
  await usualOf(1, asked, range(at + hourMs + 60_000))
  await usualOf(2, asked, range(at + 60_000))
  await usualOf(1, [{ row, metric: 'lag' }], range(at + 60_000))
  expect(reads).toBe(20)
  // In another order with one more: only that one is read.
  const other = { row: { id: 'b', engine: 'postgres' } as DatabaseRow, metric: 'latency' as const }
  expect(await usualOf(1, [other, ...asked], range(at + 60_000))).toHaveLength(2)
  expect(reads).toBe(24)
  clock.advance(2 * hourMs)
  await usualOf(1, asked, range(at + 60_000))
  expect(reads).toBe(28)
})
