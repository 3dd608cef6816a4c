import { expect, test } from 'vitest'
import { isSecretName, secretWord } from './secret-names.ts'

test.each([
  'password',
  'dbPassword',
  'API_KEY',
  'x-api-key',
  'apiKey',
  'credit_card',
  'Set-Cookie',
  'userPwd',
])('the value of %s is secret, and its name is found in a text', (name) => {
  expect(isSecretName(name)).toBe(true)
  expect(new RegExp(secretWord, 'i').test(`and ${name}=x`)).toBe(true)
})

test.each(['tokenId', 'secret_name', 'token-count', 'title', 'key', 'card'])(
  'the value of %s is not',
  (name) => {
    expect(isSecretName(name)).toBe(false)
  },
)
