import { expect, test } from 'vitest'
import { windowOf } from './change-window.ts'

const now = new Date('2026-01-01T12:00:00.000Z')

test('without a time in the address the last half hour is shown', () => {
  expect(windowOf({}, now)).toEqual({ from: '2026-01-01T11:30:00.000Z', to: '2026-01-01T12:00:00.000Z' })
  expect(windowOf({ period: '2h' }, now).from).toBe('2026-01-01T10:00:00.000Z')
  expect(windowOf({ period: 'for ever' }, now).from).toBe('2026-01-01T11:30:00.000Z')
})

test('a time in the address is shown as it is, unless it is none', () => {
  const from = '2025-12-31T10:00:00.000Z'
  expect(windowOf({ from, to: '2025-12-31T11:00:00.000Z' }, now)).toEqual({
    from,
    to: '2025-12-31T11:00:00.000Z',
  })
  for (const to of ['yesterday', '2025-12-31T09:00:00Z', '2026-02-01T00:00:00Z'])
    expect(windowOf({ from, to }, now).to).toBe(now.toISOString())
})
