import { expect, test } from 'vitest'
import { incidentsFirst } from './incidents-first.ts'

test('unread errors come first, each half in the order of time', () => {
  const rows = [
    { id: 1, level: 'warning', readAt: null },
    { id: 2, level: 'error', readAt: '2026-01-01T12:00:00Z' },
    { id: 3, level: 'error', readAt: null },
    { id: 4, level: 'success', readAt: null },
    { id: 5, level: 'error', readAt: null },
  ]
  expect(incidentsFirst(rows)?.map(({ id }) => id)).toEqual([3, 5, 1, 2, 4])
  expect(incidentsFirst(undefined)).toBeUndefined()
})
