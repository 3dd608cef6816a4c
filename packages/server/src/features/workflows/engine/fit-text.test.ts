import { expect, test } from 'vitest'

import { fitText } from './fit-text.ts'

test.each([
  ['short', 'short'],
  ['a\0b', 'ab'],
])('%j stays readable', (text, expected) => {
  expect(fitText(text, 100)).toBe(expected)
})

test.each(['x'.repeat(5000), 'ß'.repeat(5000), '"'.repeat(5000), '\u0007'.repeat(5000), '😀'.repeat(5000)])(
  'a long text of %.2j is cut to fit a notification',
  (text) => {
    const cut = fitText(text, 1000)
    expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThanOrEqual(1000)
    expect(Buffer.byteLength(JSON.stringify(cut))).toBeGreaterThan(980)
    expect(cut.isWellFormed()).toBe(true)
  },
)
