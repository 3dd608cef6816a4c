import { expect, test } from 'vitest'
import { isAcceptablePassword, isDnsLabel, isEmail, parseTalosEndpoints, passwordRules } from './rules.ts'

test('an email is something, an at-sign, something, a dot, something, without spaces', () => {
  for (const good of ['a@b.c', 'ada.lovelace+x@analytical.engines.org'])
    expect(isEmail(good), good).toBe(true)
  for (const bad of [
    '',
    'a',
    'a@b',
    '@b.c',
    'a@.',
    'a b@c.d',
    'a@b .c',
    'a@@b.c',
    'a\u200B@b.c',
    'a\u202E@b.c',
    `${'a'.repeat(251)}@b.c`,
  ])
    expect(isEmail(bad), bad).toBe(false)
})

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

test('a title is a DNS label', () => {
  for (const good of ['a', 'prod-eu-1', '1a', 'a'.repeat(63)]) expect(isDnsLabel(good), good).toBe(true)
  for (const bad of ['', '-a', 'a-', 'A', 'a_b', 'a.b', 'a'.repeat(64), 'a b', 'ä'])
    expect(isDnsLabel(bad), bad).toBe(false)
})

test('Talos endpoints are read from a list or a JSON string, and are empty if invalid', () => {
  expect(parseTalosEndpoints(['10.0.0.1', '10.0.0.2'])).toEqual(['10.0.0.1', '10.0.0.2'])
  expect(parseTalosEndpoints('["10.0.0.1"]')).toEqual(['10.0.0.1'])
  for (const bad of ['', 'nonsense', '{}', '"a"', null, undefined, 7, {}])
    expect(parseTalosEndpoints(bad)).toEqual([])
})
