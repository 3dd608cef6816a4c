// @vitest-environment node
import { expect, test } from 'vitest'
import { kubernetesName } from './kubernetes-name.ts'

test.each([
  ['orders/db-login', 'orders-db-login'],
  ['Shop.KEY_1', 'shop-key-1'],
  ['пароль', 'secret'],
  ['é', 'e'],
  [`${'a'.repeat(62)}//b`, 'a'.repeat(62)],
])('%s becomes %s', (name, expected) => {
  expect(kubernetesName(name)).toBe(expected)
})
