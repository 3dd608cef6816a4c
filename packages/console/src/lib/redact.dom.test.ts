import { expect, test } from 'vitest'
import { harmlessNames, redactedTexts, secretNames } from '../../../contract/src/testing/redact-cases.ts'
import { redactText, redactValue } from './redact.ts'

const value = 'hunter2-Zx9'

function written(input: unknown): string {
  return typeof input === 'string' ? redactText(input) : (JSON.stringify(redactValue(input)) ?? '')
}

test.each(['password', 'token', 'secret', 'apiKey', 'credit_card'])('a %s is never written', (key) => {
  for (const spelling of [key, key.toUpperCase(), key.toLowerCase(), `x-${key}`, `new_${key}`]) {
    const object = { [spelling]: value, other: 'kept' }
    const places: unknown[] = [
      object,
      [object],
      { list: [{ deep: { deeper: object } }] },
      new Map([[spelling, value]]),
      new URLSearchParams(object),
      JSON.stringify(object),
      { body: JSON.stringify({ inner: JSON.stringify(object) }) },
      `POST failed with ${JSON.stringify(object)} as its body`,
      `escaped ${JSON.stringify(JSON.stringify(object))}`,
      `cut off: {"a":1,"${spelling}":"${value}`,
      `https://bey.example.com/reset?a=1&${spelling}=${value}&b=2#top`,
      `https://bey.example.com/#${spelling}=${value}`,
      new URL(`https://bey.example.com/?${spelling}=${value}`),
      `${spelling}: ${value} was refused`,
      new Error(`${spelling}=${value}`),
      new Error('outer', { cause: object }),
      Object.assign(new Error('with fields'), object),
    ]
    for (const place of places) {
      const text = written(place)
      expect(text, `${spelling} in ${String(place)}`).not.toContain(value)
      expect(text).toContain('[redacted]')
    }
  }
})

test('what error reports leave out, the log leaves out', () => {
  for (const text of [
    `Cookie: ${value}`,
    `Authorization: Bearer ${value}`,
    `db_passwd=${value}`,
    `-----BEGIN EC PRIVATE KEY-----\n${value}\n-----END EC PRIVATE KEY-----`,
  ])
    expect(redactText(text)).not.toContain(value)
  expect(redactValue({ private_key: value, signature: value })).toEqual({
    private_key: '[redacted]',
    signature: '[redacted]',
  })
})

test('a secret that is no text goes as a whole', () => {
  expect(redactValue({ secret: { a: value }, token: 12345, password: [value] })).toEqual({
    secret: '[redacted]',
    token: '[redacted]',
    password: '[redacted]',
  })
})

test('credentials are known by their looks as well', () => {
  for (const text of [
    `Authorization: Bearer ${value}${value}`,
    `bey_session_${'a1B2'.repeat(8)}`,
    `postgres://bey:${value}@db.internal/bey`,
  ]) {
    const clean = redactText(text)
    expect(clean).not.toContain(value)
    expect(clean).not.toContain('a1B2a1B2')
  }
})

test('what is no secret stays readable', () => {
  const harmless = {
    title: 'payments',
    tokenId: '0193',
    secretName: 'db',
    count: 3,
    list: [null, true],
    at: new Date(0),
  }
  expect(redactValue(harmless)).toEqual({ ...harmless, at: '1970-01-01T00:00:00.000Z' })
  expect(redactText('No token was sent; the secret stays')).toBe('No token was sent; the secret stays')
  expect(redactText('/secrets?status=failed&page=2')).toBe('/secrets?status=failed&page=2')
})

test('nothing that is handed over breaks the log', () => {
  const loop: Record<string, unknown> = {}
  loop['self'] = loop
  const thrower = {
    get broken() {
      throw new TypeError('no')
    },
  }
  const odd = [loop, thrower, document.body, () => 1, Symbol('s'), 10n, new Proxy({}, {}), Number.NaN]
  expect(() => JSON.stringify(redactValue(odd))).not.toThrow()
  expect(JSON.stringify(redactValue({ ...JSON.parse('{"__proto__":{"password":"x"}}') }))).not.toContain(
    '"x"',
  )
})

test('no text makes it slow', () => {
  const startedAt = performance.now()
  for (const text of ['a.'.repeat(40_000), '"password'.repeat(10_000), '"token":"\\'.repeat(5_000)])
    redactText(text)
  expect(performance.now() - startedAt).toBeLessThan(30_000)
})

test.each(secretNames)('a value called %s is never written, and what was redacted stays as it is', (name) => {
  expect(redactValue({ [name]: value })).toEqual({ [name]: '[redacted]' })
  const once = redactText(`[${name}=${value}]`)
  expect(once).not.toContain(value)
  expect(redactText(once)).toBe(once)
})

test.each(harmlessNames)('a value called %s is written', (name) => {
  expect(redactValue({ [name]: 'worth seeing' })).toEqual({ [name]: 'worth seeing' })
})

test.each(redactedTexts)('%s, once redacted, stays as it is', (text) => {
  const once = redactText(text)
  expect(redactText(once)).toBe(once)
})
