import { expect, test } from 'vitest'
import { maxNameLength, nameError } from './name-rules.ts'

test.each([
  'Ada Lovelace',
  '  Ada  ',
  'Łukasz Żółć',
  '山田 太郎',
  'محمد',
  'שרה',
  'O’Brien & Söhne – №1',
  'Ops ❤️ 🚀',
  'é',
  '🚀'.repeat(maxNameLength),
])('%s is a name', (name) => {
  expect(nameError(name)).toBeUndefined()
})

test.each([
  ['a bell', 'Ada\u0007', 'U+0007'],
  ['a line break', 'Ada\nLovelace', 'U+000A'],
  ['a C1 control', 'Ada\u0085x', 'U+0085'],
  ['an override of direction', 'Ada \u202Eexe.fdp', 'U+202E'],
  ['an isolate', 'Ada\u2066x\u2069', 'U+2066'],
  ['a mark of direction', 'Ada\u200Fx', 'U+200F'],
  ['a zero-width space', 'Ad\u200Ba', 'U+200B'],
  ['a zero-width joiner', 'Ad\u200Da', 'U+200D'],
  ['a byte order mark', 'Ad\uFEFFa', 'U+FEFF'],
  ['a soft hyphen', 'Ad\u00ADa', 'U+00AD'],
  ['a line separator', 'Ad\u2028a', 'U+2028'],
  ['a Hangul filler alone', '\u3164', 'U+3164'],
  ['an empty Braille pattern', '\u2800', 'U+2800'],
  ['a tag', 'Ada\u{E0041}', 'U+E0041'],
  ['a variation selector', 'Ada\uFE00', 'U+FE00'],
  ['half a character', 'Ada\uD83D', 'U+D83D'],
])('%s is refused and named', (_what, name, code) => {
  expect(nameError(name)).toContain(code)
})

test('a name that is too long is refused, saying how long it is', () => {
  expect(nameError('x'.repeat(maxNameLength + 1))).toBe('Use at most 100 characters; this name has 101.')
})
