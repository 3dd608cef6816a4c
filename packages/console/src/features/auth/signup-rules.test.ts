// @vitest-environment node
import { expect, test } from 'vitest'
import { canSignUp } from './signup-rules.ts'

const complete = {
  name: 'Ada Lovelace',
  organizationName: 'Analytical Engines',
  email: 'ada@example.com',
  password: 'engine-1!',
  confirmation: 'engine-1!',
}

test('a complete form may be sent', () => {
  expect(canSignUp(complete)).toBe(true)
})

test('each missing or broken part refuses it', () => {
  const broken = [
    { name: '  ' },
    { organizationName: '' },
    { name: 'x'.repeat(101) },
    { organizationName: 'Engines\u202E' },
    { email: 'ada@example' },
    { email: 'ada lovelace@example.com' },
    { password: 'engine!x', confirmation: 'engine!x' },
    { password: 'engine12', confirmation: 'engine12' },
    { password: 'eng-1!', confirmation: 'eng-1!' },
    { confirmation: 'engine-1?' },
  ]
  for (const part of broken) expect(canSignUp({ ...complete, ...part }), JSON.stringify(part)).toBe(false)
})
