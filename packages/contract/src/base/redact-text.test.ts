import { expect, test } from 'vitest'
import { redactNamedText, redactText } from './redact-text.ts'
import { redactedTexts, secretNames } from '../testing/redact-cases.ts'

test.each(redactedTexts)('%s', (text, expected) => {
  expect(redactNamedText(text)).toBe(expected)
})

test.each(redactedTexts)('%s, once redacted, stays as it is', (text, expected) => {
  expect(redactNamedText(expected)).toBe(expected)
  expect(redactText(redactText(text))).toBe(redactText(text))
})

test.each(secretNames)('what stands beside %s is removed', (name) => {
  for (const text of [
    `${name}=hunter2`,
    `${name}: hunter2`,
    `{"${name}":"hunter2"}`,
    `[${name}=hunter2]]]`,
  ]) {
    const once = redactNamedText(text)
    expect(once).not.toContain('hunter2')
    expect(redactNamedText(once)).toBe(once)
  }
})

test.each([
  'Cannot read properties of undefined (reading "token")',
  'Unexpected token < in JSON at position 4',
  'A secret named "db" already exists.',
  'at SecretList (http://localhost/assets/secret-list-abc.js:1:20)',
])('%s stays as it is', (text) => {
  expect(redactNamedText(text)).toBe(text)
})

// A pattern that begins anew at each of them and looks to the end of the text would be at it for minutes.
test.each([
  'eyJaaaaaaaa-',
  'client-',
  'certificate-authority-',
  '-----BEGIN PRIVATE KEY-----',
  'eyJaaaaaaaa.',
  'a@',
])('a megabyte of "%s" is looked through before the test times out', (part) => {
  const text = part.repeat(Math.ceil(1_000_000 / part.length))
  expect(redactNamedText(text).length).toBeGreaterThan(0)
})
