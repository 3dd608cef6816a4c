import { expect, test } from 'vitest'

import { createMask, maskedText, maskJson } from './secret-mask.ts'

const secret = 'p@ss "wörd"/+1'
const mask = createMask([secret])

test.each([
  ['as it is', secret],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in base64url', Buffer.from(secret).toString('base64url')],
  ['URL-encoded', encodeURIComponent(secret)],
  ['URL-encoded as a form', new URLSearchParams({ v: secret }).toString().slice(2).replaceAll('%22', '%22')],
  ['within JSON', JSON.stringify({ v: secret })],
  ['within JSON within JSON', JSON.stringify(JSON.stringify({ v: secret }))],
  ['in hexadecimal', Buffer.from(secret).toString('hex')],
])('a value %s is masked', (_name, text) => {
  const shown = mask(`before ${text} after`)
  expect(shown).toContain(maskedText)
  expect(shown).toMatch(/^before .*after$/)
  expect(shown).not.toContain(secret.slice(0, 4))
})

test.each(['', 'a', 'ab', 'abc', 'user:'])(
  'base64 of a text in which it follows "%s" shows nothing of it',
  (before) => {
    const shown = mask(Buffer.from(`${before}${secret}!`).toString('base64'))
    expect(shown).toContain(maskedText)
    expect(Buffer.from(shown.replaceAll(maskedText, ''), 'base64').toString('utf8')).not.toContain('wörd')
  },
)

test('every line of a key is masked by itself', () => {
  const key = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqh\nkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n'
  expect(createMask([key])('the line kiG9w0BAQEFAASC stood alone')).toBe(`the line ${maskedText} stood alone`)
})

test('the longer of two values is masked whole, and short ones are left alone', () => {
  const both = createMask(['token', 'token-long', 'abc'])
  expect(both('token-long token abc')).toBe(`${maskedText} ${maskedText} abc`)
})

test('JSON is masked in texts, names and numbers, and keeps its shape', () => {
  const digits = createMask(['12345678'])
  expect(maskJson({ a: [12345678, 'x12345678', null, true], '12345678': 1 }, digits)).toEqual({
    a: [maskedText, `x${maskedText}`, null, true],
    [maskedText]: 1,
  })
})

test('of a value that is cut at the end of a text nothing telling is left', () => {
  const long = createMask(['correct-horse-battery-staple'])
  expect(long('cut: correct-horse-ba')).toBe(`cut: ${maskedText}`)
  expect(long('correct-horse-ba is complete, and another value')).toBe(
    'correct-horse-ba is complete, and another value',
  )
  expect(long('only a few letters: correct')).toBe('only a few letters: correct')
})

test('values that overlap in a text are masked to the end of the last', () => {
  expect(createMask(['first-second', 'second-third'])('a first-second-third b')).toBe(`a ${maskedText} b`)
})
