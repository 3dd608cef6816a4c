import { expect, test } from 'vitest'
import { podEntry } from './entries.ts'
import { createSharedValues } from './shared-values.ts'

test('equal keys have one value, however many there were before', () => {
  const valueOf = createSharedValues((key: string) => ({ key }))
  expect(valueOf('a')).toBe(valueOf('a'))
  const before = valueOf('a')
  for (let index = 0; index < 20_000; index += 1) valueOf(`b${index}`)
  expect(valueOf('a')).toEqual(before)
  expect(valueOf('a')).toBe(valueOf('a'))
})

test('pods with equal labels keep one copy of them', () => {
  const pod = (name: string, app: string) => podEntry({ metadata: { name, labels: { app, tier: 'web' } } })
  expect(pod('a', 'shop').labels).toBe(pod('b', 'shop').labels)
  expect(pod('c', 'blog').labels).toEqual({ app: 'blog', tier: 'web' })
})
