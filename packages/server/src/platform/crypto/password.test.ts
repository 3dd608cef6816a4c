import { setImmediate as turn } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { createPasswords } from './password.ts'

const cheap = { memoryKib: 1024, passes: 1 }
const passwords = createPasswords(cheap)

test('a password fits its own hash and no other does', async () => {
  const hash = await passwords.hash('correct horse 1!')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=1024,t=1,p=1\$/)
  expect(hash).not.toBe(await passwords.hash('correct horse 1!'))
  expect(await passwords.verify(hash, 'correct horse 1!')).toBe(true)
  expect(await passwords.verify(hash, 'correct horse 1')).toBe(false)
  expect(await passwords.verify(hash, '')).toBe(false)
})

test('for somebody unknown or without a password as much work is done, in vain', async () => {
  const slow = createPasswords({ memoryKib: 32_768, passes: 3 })
  const hash = await slow.hash('x')
  await slow.verify(undefined, 'x')
  // Counted in time of the processor, which other processes of a busy machine do not lengthen.
  const work = async (of: string | null | undefined) => {
    const before = process.cpuUsage()
    expect(await slow.verify(of, 'wrong')).toBe(false)
    return process.cpuUsage(before).user
  }
  const known = await work(hash)
  for (const unknown of [await work(undefined), await work(null)]) {
    expect(unknown / known).toBeGreaterThan(0.2)
  }
})

test('256 characters are a password, 257 are refused before anything is computed', async () => {
  const long = 'é'.repeat(256)
  expect(await passwords.verify(await passwords.hash(long), long)).toBe(true)
  const refused = { code: 'invalid_request', errors: [{ path: 'password' }] }
  await expect(passwords.hash(`${long}x`)).rejects.toMatchObject(refused)
  await expect(passwords.verify(undefined, `${long}x`)).rejects.toMatchObject(refused)
})

test('more than may wait are refused as unavailable, the others are answered', async () => {
  const narrow = createPasswords({ ...cheap, maxConcurrent: 1, maxWaiting: 3 })
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => narrow.hash('x')))
  const refused = outcomes.filter((each) => each.status === 'rejected')
  expect(refused).toHaveLength(6)
  expect(refused[0]?.reason).toMatchObject({ code: 'unavailable' })
  await expect(narrow.hash('x')).resolves.toContain('argon2id')
})

test('the event loop turns while hashes are computed', async () => {
  const slow = createPasswords({ memoryKib: 65_536, passes: 3 })
  let isDone = false
  let turns = 0
  const hashing = slow.hash('x').then(() => (isDone = true))
  while (!isDone) {
    await turn()
    turns += 1
  }
  await hashing
  expect(turns).toBeGreaterThan(50)
})

test('a hash made with other parameters is outdated', async () => {
  const hash = await passwords.hash('x')
  expect(passwords.isOutdated(hash)).toBe(false)
  expect(createPasswords({ memoryKib: 2048, passes: 1 }).isOutdated(hash)).toBe(true)
})

test('a hash that fails gives its place back', async () => {
  const narrow = createPasswords({ ...cheap, maxConcurrent: 1 })
  await expect(narrow.verify('no hash', 'x')).rejects.toThrow()
  await expect(narrow.hash('x')).resolves.toContain('argon2id')
})
