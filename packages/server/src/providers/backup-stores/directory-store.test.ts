import { chmodSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { directoryProblem } from './directory-problem.ts'
import { directoryStore } from './directory-store.ts'
import { removePartials } from './remove-partials.ts'
import { inChunks, keysOf, never } from './testing/stored-bytes.ts'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'

test('files are for the user of Bey alone, also where the directory did not exist', async () => {
  const root = join(temporaryDirectory(), 'not', 'there')
  await directoryStore(root, 'machine').put('a/b', inChunks(Buffer.from('x')), never)
  expect(statSync(join(root, 'a', 'b')).mode & 0o777).toBe(0o600)
  expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o700)
})

test('what a crash left half written is not listed and is removed; what others write now stays', async () => {
  const root = temporaryDirectory()
  mkdirSync(join(root, 'a'))
  const partial = (machine: string) => join(root, 'a', `.${machine}.0b5f.partial`)
  for (const machine of ['own', 'other', 'gone']) writeFileSync(partial(machine), 'half')
  writeFileSync(join(root, 'a', 'whole.partial'), 'an object of that name')
  const now = new Date()
  const longAgo = new Date(now.getTime() - 25 * 3_600_000)
  utimesSync(partial('gone'), longAgo, longAgo)
  expect(await keysOf(directoryStore(root, 'own'))).toEqual(['a/whole.partial'])

  expect(await removePartials(root, 'own', now)).toBe(2)
  expect(readdirSync(join(root, 'a')).toSorted()).toEqual(['.other.0b5f.partial', 'whole.partial'])
  expect(await removePartials(join(root, 'missing'), 'own', now)).toBe(0)
})

test('a place that is no directory is said', async () => {
  const file = join(temporaryDirectory(), 'file')
  writeFileSync(file, '')
  await expect(directoryStore(file, 'machine').check()).rejects.toThrow(
    `The directory ${file} is a file, or below one.`,
  )
})

test.skipIf(process.getuid?.() === 0)('a place that may not be written is said', async () => {
  const root = temporaryDirectory()
  chmodSync(root, 0o500)
  await expect(directoryStore(root, 'machine').check()).rejects.toThrow(
    `The directory ${root} may not be used by the user under whom Bey runs.`,
  )
})

test('a full disk is said; what a source failed with is not blamed on the directory', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  expect(directoryProblem(full, '/backups', 'a')).toMatchObject({
    kind: 'full',
    message: 'The disk of /backups is full. Free space there, or keep backups elsewhere.',
  })
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  expect(directoryProblem(reset, '/backups', 'a')).toBe(reset)
})
