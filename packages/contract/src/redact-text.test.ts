import { expect, test } from 'vitest'
import { redactNamedText } from './redact-text.ts'

test.each([
  ['Bearer abcdefgh12345678', 'Bearer [redacted]'],
  ['bey_session_abcdefghijklmnop1234', '[redacted]'],
  ['https://ada:hunter2@example.com/x', 'https://[redacted]@example.com/x'],
  ['/reset-password?token=abc&page=2', '/reset-password?token=[redacted]&page=2'],
  ['/callback?code=4%2F0Ab&state=xyz', '/callback?code=[redacted]&state=[redacted]'],
  ['password=hunter2 failed', 'password=[redacted] failed'],
  ['{"password":"hunter \\"2","name":"ada"}', '{"password":[redacted],"name":"ada"}'],
  ['{"dbPassword": "x"}', '{"dbPassword": [redacted]}'],
  ['API_KEY: sk-123', 'API_KEY: [redacted]'],
  ['client-certificate-data: LS0tLS1CRUdJTi', 'client-certificate-data: [redacted]'],
  ['client-key-data: LS0tLS1CRUdJTi==', 'client-key-data: [redacted]'],
  ['-----BEGIN CERTIFICATE-----\nMIIB', '[redacted]'],
  ['eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSM', '[redacted]'],
  ['session-eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSM!', 'session-[redacted]!'],
  ['a.eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSM', 'a.[redacted]'],
  [
    '-----BEGIN PRIVATE KEY-----\nlost\n-----BEGIN EC PRIVATE KEY-----\nMIIB\n-----END EC PRIVATE KEY-----.',
    '[redacted]',
  ],
])('%s', (text, expected) => {
  expect(redactNamedText(text)).toBe(expected)
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
