import { expect, test } from 'vitest'
import { isAcceptablePassword, passwordRules } from './password-rules.ts'

test('a password has at least 8 characters, a number and a special character', () => {
  expect(passwordRules.map((rule) => rule.label)).toEqual([
    'At least 8 characters',
    'Contains a number',
    'Contains a special character',
  ])
  expect(passwordRules.map((rule) => rule.holds('abcdefg'))).toEqual([false, false, false])
  expect(passwordRules.map((rule) => rule.holds('abcdefg1'))).toEqual([true, true, false])
  for (const special of '!@#$%^&*(),.?":{}|<>')
    expect(isAcceptablePassword(`abcdefg1${special}`), special).toBe(true)
  for (const other of '-_=+[];/~` ') expect(isAcceptablePassword(`abcdefg1${other}`), other).toBe(false)
})

test('a password over 256 characters is refused', () => {
  expect(isAcceptablePassword(`1!${'a'.repeat(254)}`)).toBe(true)
  expect(isAcceptablePassword(`1!${'a'.repeat(255)}`)).toBe(false)
})
