import { expect, test } from 'vitest'

import { createMask, maskedText, maskJson, maxMaskedChars, TooMuchToMask } from './mask.ts'

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
  expect(long('correct-horse-ba and more')).toBe(`${maskedText} and more`)
  expect(long('only a few letters: correct')).toBe('only a few letters: correct')
})

test.each([
  ['its beginning', `unexpected token: 'correct-h…' at 1`],
  ['its beginning with three dots', `Unexpected token 'c', "correct-ho"... is not valid JSON`],
  ['its end', `..."y-staple" is not valid JSON`],
  ['a passage of it', `..."rect-horse-bat"... is not valid JSON`],
  ['a few characters of it', `near "corr…"`],
])('of a value of which a message quotes %s nothing is left', (_name, message) => {
  const shown = createMask(['correct-horse-battery-staple'])(message)
  expect(shown).toContain(maskedText)
  expect(shown).not.toMatch(/corr|rect|aple|orse/)
})

const encoders: [string, (text: string) => string][] = [
  ['base64 without padding', (text) => Buffer.from(text).toString('base64').replace(/=+$/, '')],
  ['base64 for addresses', (text) => Buffer.from(text).toString('base64url')],
  ['base64 in an address', (text) => encodeURIComponent(Buffer.from(text).toString('base64'))],
  ['upper-case hexadecimal', (text) => Buffer.from(text).toString('hex').toUpperCase()],
  ['percent twice', (text) => encodeURIComponent(encodeURIComponent(text))],
  ['percent of a form', (text) => new URLSearchParams({ v: text }).toString()],
  [
    'JSON in ASCII',
    (text) =>
      JSON.stringify(text).replaceAll(
        /[^ -~]/g,
        (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
  ],
  ['JSON in JSON', (text) => JSON.stringify(JSON.stringify({ text }))],
  [
    'HTML',
    (text) =>
      text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&#39;'),
  ],
  ['a shell word', (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`],
  ['a shell word in double quotes', (text) => `"${text.replaceAll(/["\\$`]/g, String.raw`\$&`)}"`],
  ['SQL', (text) => `'${text.replaceAll("'", "''")}'`],
]
const leafValues = [
  'p@ss \'wörd\' "x"/+1<&>',
  'plainpassword',
  'a$b`c\\d',
  'päßw',
  'l1ne\nl2ne\nand the third',
]

test.each(encoders)('a leaf in %s is masked', (_name, encode) => {
  for (const leaf of leafValues) {
    const shown = createMask([JSON.stringify({ outer: [{ member: leaf }] })])(`> ${encode(leaf)} <`)
    expect(shown).toMatch(/^> .{0,16}•••.{0,16} <$/)
  }
})

test('short members of a structured value stay readable, and the value as a whole does not', () => {
  const value = JSON.stringify({ kind: 'ab', apiVersion: 'v1', token: 'tok-8f2a', pin: 12 })
  const structured = createMask([value])
  expect(structured('apiVersion and token are names')).toBe('apiVersion and token are names')
  expect(structured(`got ${value}!`)).toBe(`got ${maskedText}!`)
  expect(structured('a token: tok-8f2a')).toBe(`a token: ${maskedText}`)
})

test('a mask of values that are too long is refused', () => {
  expect(() => createMask(['x'.repeat(maxMaskedChars + 1)])).toThrow(TooMuchToMask)
})

test('the time that a mask takes grows with the text, also where text and values repeat themselves', () => {
  const periodic = createMask([
    'ab'.repeat(30_000),
    JSON.stringify(Array.from({ length: 5_000 }, () => 'abab')),
  ])
  /** CPU time of this process: others may need the machine meanwhile. */
  const time = (length: number) => {
    const text = 'ab'.repeat(length / 2)
    return Math.min(
      ...Array.from({ length: 5 }, () => {
        const before = process.cpuUsage()
        periodic(text)
        const { user, system } = process.cpuUsage(before)
        return user + system
      }),
    )
  }
  time(50_000)
  // Sixteen times the text: about as many times the time, and 256 times were it to grow with the square.
  expect(time(800_000) / time(50_000)).toBeLessThan(90)
})

test('values that overlap in a text are masked to the end of the last', () => {
  expect(createMask(['first-second', 'second-third'])('a first-second-third b')).toBe(`a ${maskedText} b`)
})
