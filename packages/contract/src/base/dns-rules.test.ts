import { expect, test } from 'vitest'
import { isDnsLabel } from './dns-rules.ts'

test('a title is a DNS label', () => {
  for (const good of ['a', 'prod-eu-1', '1a', 'a'.repeat(63)]) expect(isDnsLabel(good), good).toBe(true)
  for (const bad of ['', '-a', 'a-', 'A', 'a_b', 'a.b', 'a'.repeat(64), 'a b', 'ä'])
    expect(isDnsLabel(bad), bad).toBe(false)
})
