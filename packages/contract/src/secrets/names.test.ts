import { expect, test } from 'vitest'
import { isSecretName, secretWord } from './names.ts'
import { harmlessNames, secretNames } from '../testing/redact-cases.ts'

test.each(secretNames)('the value of %s is secret, and its name is found in a text', (name) => {
  expect(isSecretName(name)).toBe(true)
  expect(new RegExp(secretWord, 'i').test(`and ${name}=x`)).toBe(true)
})

test.each(harmlessNames)('the value of %s is not', (name) => {
  expect(isSecretName(name)).toBe(false)
})
