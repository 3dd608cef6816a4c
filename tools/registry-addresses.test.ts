import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withAddresses, withLock } from './registry-addresses.mjs'

const pinned = { version: '1.2.3', integrity: 'sha512-x' }

test('each package of the lock file gets its address in the registry, and nothing else changes', () => {
  const lock = {
    packages: {
      '': { version: '0.1.0' },
      'packages/server': { version: '0.1.0' },
      'node_modules/@bey/server': { resolved: 'packages/server', link: true },
      'node_modules/zod': pinned,
      'node_modules/ajv/node_modules/@scope/name': pinned,
      'node_modules/alias': { ...pinned, name: 'real' },
    },
  }
  const { packages } = withAddresses(lock, 'https://packages.example/npm/')
  expect(packages).toEqual({
    ...lock.packages,
    'node_modules/zod': { ...pinned, resolved: 'https://packages.example/npm/zod/-/zod-1.2.3.tgz' },
    'node_modules/ajv/node_modules/@scope/name': {
      ...pinned,
      resolved: 'https://packages.example/npm/@scope/name/-/name-1.2.3.tgz',
    },
    'node_modules/alias': {
      ...pinned,
      name: 'real',
      resolved: 'https://packages.example/npm/real/-/real-1.2.3.tgz',
    },
  })
})

test('the lock file with addresses is gone afterwards, also where the install failed', async () => {
  const root = mkdtempSync(join(tmpdir(), 'bey-lock-'))
  const path = join(root, 'npm-shrinkwrap.json')
  const failing = withLock(root, { packages: {} }, async () => {
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ packages: {} })
    throw new Error('no network')
  })
  await expect(failing).rejects.toThrow('no network')
  expect(existsSync(path)).toBe(false)
})
