import { expect, test } from 'vitest'
import { readyText, readyTime } from './ready-text.ts'

test('without a creation that was measured no time is said', () => {
  expect(readyTime(null)).toBeUndefined()
  expect(readyText(null)).toBe('Nothing is created until you press the button.')
})

test('a measured time is rounded up, with what it is based on', () => {
  expect(readyTime({ medianMs: 3_100, basedOn: 1 })).toBe('4 s')
  expect(readyText({ medianMs: 3_100, basedOn: 1 })).toContain(
    'about 4 s after you press the button, as measured in the last creation.',
  )
  expect(readyText({ medianMs: 3_100, basedOn: 7 })).toContain('in the last 7 creations.')
})
