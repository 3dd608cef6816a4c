import { expect, test } from 'vitest'
import { ageText, sinceText } from './since-text.ts'

const now = new Date(2026, 0, 2, 12, 30, 0)
const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()

test('today has a time, another day its date', () => {
  expect(sinceText(ago(26 * 60_000), now)).toBe('12:04')
  expect(sinceText(ago(20 * 3_600_000), now)).not.toContain(':')
})

test.each([
  [5_000, 'a moment'],
  [4 * 60_000, '4 min'],
  [7 * 3_600_000, '7 h'],
  [3 * 86_400_000, '3 days'],
])('%i ms are "%s"', (ms, text) => expect(ageText(ago(ms), now)).toBe(text))
