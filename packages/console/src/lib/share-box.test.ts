// @vitest-environment node
import { expect, test } from 'vitest'
import { isShareKey, openShare, sealShare } from './share-box.ts'

test('a text comes back by its key, and each box has a key and bytes of its own', async () => {
  const text = { name: 'shop/db', value: 'canary – ключ\n2' }
  const [one, other] = await Promise.all([sealShare(text), sealShare(text)])
  expect(isShareKey(one.key)).toBe(true)
  expect(await openShare(one.ciphertext, one.key)).toEqual(text)
  expect(one.ciphertext).not.toBe(other.ciphertext)
  expect(atob(one.ciphertext)).not.toContain('canary')
})

test('another key, a short one and a changed ciphertext open nothing', async () => {
  const [one, other] = await Promise.all([sealShare({ value: 'a' }), sealShare({ value: 'b' })])
  const changed = (one.ciphertext.startsWith('A') ? 'B' : 'A') + one.ciphertext.slice(1)
  for (const [ciphertext, key] of [
    [one.ciphertext, other.key],
    [one.ciphertext, one.key.slice(0, 20)],
    [changed, one.key],
    ['@', one.key],
  ] as const) {
    await expect(openShare(ciphertext, key)).rejects.toThrow('Was the whole link copied?')
  }
})
