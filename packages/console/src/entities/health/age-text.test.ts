import { expect, test } from 'vitest'
import { ageText } from './age-text.ts'

const now = new Date(2026, 0, 2, 12, 30, 0)
const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()

test.each([
  [5_000, 'a moment'],
  [4 * 60_000, '4 min'],
  [7 * 3_600_000, '7 h'],
  [3 * 86_400_000, '3 days'],
])('%i ms are "%s"', (ms, text) => expect(ageText(ago(ms), now)).toBe(text))
