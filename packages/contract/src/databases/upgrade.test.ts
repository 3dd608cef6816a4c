import { expect, test } from 'vitest'
import { minorUpgrade } from './upgrade.ts'

test.each([
  ['18.4', '18.5', '18.5'],
  ['18.9', '18.10', '18.10'],
  ['18.5', '18.5', undefined],
  ['18.5', '18.4', undefined],
  ['17.9', '18.0', undefined],
  [null, '18.5', undefined],
  ['18beta1', '18.5', undefined],
])('a server of %s gets from a Bey with %s the upgrade %s', (running, brought, offered) => {
  expect(minorUpgrade(running, brought)).toBe(offered)
})
