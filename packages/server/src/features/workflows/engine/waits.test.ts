import { expect, test, vi } from 'vitest'

import { realClock } from '../../../platform/clock.ts'
import { createWaits } from './waits.ts'

const later = new Date(Date.now() + 600_000)

test('a step waits until all are woken', async () => {
  const onChange = vi.fn()
  const waits = createWaits(realClock, onChange)
  const waited = waits.wait('a', later, waits.wakes())
  expect(waits.count()).toBe(1)
  waits.wakeAll()
  await waited
  expect(waits.count()).toBe(0)
  expect(onChange).toHaveBeenCalledTimes(2)
})

test('a step that was woken between its look and its wait looks again at once', async () => {
  const waits = createWaits(realClock, () => undefined)
  const seen = waits.wakes()
  // What it waits for comes, and is told of, while it looks.
  waits.wakeAll()
  await waits.wait('a', later, seen)
  expect(waits.count()).toBe(0)
})
