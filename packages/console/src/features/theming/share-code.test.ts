// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { presets } from '../../ui/theme/presets.ts'
import { readShareCode, shareCode } from './share-code.ts'

test('every preset comes back from its code as it was', () => {
  for (const source of Object.values(presets)) {
    expect(readShareCode(shareCode(source))).toEqual({ source })
  }
})

test('the ends of every bound come back too', () => {
  for (const source of [
    { base: [0, 0, 0], accent: [0, 0, 0], contrast: 0 },
    { base: [100, 150, 360], accent: [100, 150, 360], contrast: 100 },
    { base: [0.1, 149.9, 359.9], accent: [99.9, 0.1, 0.1], contrast: 33.3 },
  ] as const) {
    expect(readShareCode(shareCode(source))).toEqual({ source })
  }
})

test('a code is short, and how it is spaced or spelled does not matter', () => {
  const code = shareCode(presets.dark)
  expect(code).toMatch(/^bey1-[0-9a-z]{5}-[0-9a-z]{5}-[0-9a-z]{5}-[0-9a-z]{2}$/)
  expect(readShareCode(`  ${code.toUpperCase().replaceAll('-', ' ')}\n`)).toEqual({ source: presets.dark })
})

test('no single wrong character is taken for another theme', () => {
  const code = shareCode(presets.tailwind)
  for (let at = 5; at < code.length; at++) {
    if (code[at] === '-') continue
    for (const digit of '0123456789abcdefghijklmnopqrstuvwxyz') {
      if (digit === code[at]) continue
      const wrong = code.slice(0, at) + digit + code.slice(at + 1)
      expect(readShareCode(wrong), wrong).toHaveProperty('error')
    }
  }
})

describe('nonsense is refused with what is wrong', () => {
  test.each([
    ['', 'Paste the code of a theme first.'],
    ['#ff0000', 'This is not the code of a theme.'],
    ['{"themeMode":"dark"}', 'This is not the code of a theme.'],
    ['bey9-00000-00000-00000-00', 'made by another version of Bey'],
    [shareCode(presets.dark).slice(0, -1), 'incomplete or mistyped'],
    [`${shareCode(presets.dark)}0`, 'incomplete or mistyped'],
    ['bey1-zzzzz-zzzzz-zzzzz-zz', 'incomplete or mistyped'],
  ])('%s', (text, sentence) => {
    expect(readShareCode(text)).toEqual({ error: expect.stringContaining(sentence) })
  })
})
