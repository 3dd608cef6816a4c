import { expect, test } from 'vitest'
import { shownMoments } from './lock-moments.ts'

const minute = (time: string) => ({ at: `2026-01-15T${time}:07.000Z`, waiting: 1 })

test('the newest minute of each of the last five-minute steps is at hand, the others are listed', () => {
  const minutes = ['14:24', '14:23', '14:20', '14:12', '14:11', '13:40'].map(minute)
  const { near, others } = shownMoments(minutes)
  expect(near).toEqual(['14:24', '14:12', '13:40'].map(minute))
  expect(others).toEqual(['14:23', '14:20', '14:11'].map(minute))
  expect(shownMoments([])).toEqual({ near: [], others: [] })
})
