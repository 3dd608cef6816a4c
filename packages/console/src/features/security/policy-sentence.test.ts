import { expect, test } from 'vitest'
import { policySentence } from './policy-sentence.ts'

const open = { twoFactorFrom: null, allowsPassword: true, allowedDomains: [], allowedNetworks: [] }
const nowMs = Date.parse('2026-05-01T00:00:00Z')

test('the sentence says what nothing restricts', () => {
  expect(policySentence(open, nowMs)).toBe(
    'Members of any e-mail domain log in with a password, a passkey or a linked account, without needing a second factor, from anywhere.',
  )
})

test('the sentence says what is required, and that a later date does not hold yet', () => {
  const strict = {
    allowsPassword: false,
    allowedDomains: ['example.com'],
    allowedNetworks: ['10.0.0.0/8', '::1'],
  }
  expect(policySentence({ ...strict, twoFactorFrom: '2026-04-01T00:00:00Z' }, nowMs)).toBe(
    'Members of 1 e-mail domain log in with a passkey or a linked account, with a second factor, from 2 networks.',
  )
  expect(policySentence({ ...open, twoFactorFrom: '2026-06-01T00:00:00Z' }, nowMs)).toContain(
    'for now without needing a second factor',
  )
})
