import { expect, test } from 'vitest'
import { dueText } from './due-text.ts'

test('a due time is shown in the zone of its schedule, and in the reader’s where that differs', () => {
  const at = new Date('2026-11-23T01:30:00Z')
  expect(dueText(at, 'Europe/Berlin', 'UTC')).toBe('Mon 23 Nov 2026, 02:30 (01:30 here)')
  expect(dueText(at, 'UTC', 'UTC')).toBe('Mon 23 Nov 2026, 01:30')
  expect(dueText(at, 'America/New_York', 'UTC')).toBe('Sun 22 Nov 2026, 20:30 (01:30 here)')
})
