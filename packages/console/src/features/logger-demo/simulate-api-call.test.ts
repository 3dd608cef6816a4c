import { expect, test, vi } from 'vitest'
import { simulateApiCall } from './simulate-api-call.ts'

test('a simulated call takes 1.5 s and fails three times in ten', async () => {
  vi.useFakeTimers()
  const outcomes: string[] = []
  for (let draw = 0; draw < 10; draw += 1) {
    void simulateApiCall(() => draw / 10).then(
      () => outcomes.push('succeeded'),
      (error: Error) => outcomes.push(error.message),
    )
  }
  await vi.advanceTimersByTimeAsync(1499)
  expect(outcomes).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(outcomes.filter((outcome) => outcome === 'succeeded')).toHaveLength(7)
  expect(outcomes.filter((outcome) => outcome === 'API call failed')).toHaveLength(3)
  vi.useRealTimers()
})
