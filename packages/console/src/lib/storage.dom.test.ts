import { expect, test } from 'vitest'
import { createStorage, readJson, storageKeys } from './storage.ts'

test('specified keys are spelled as specified, the others carry our prefix', () => {
  const specified = ['bey-token', 'bey-userData', 'bey-organization-id', 'selectedOrganization', 'theme-mode']
  const look = ['animations-enabled', 'dense-mode', 'base-color', 'accent-color', 'contrast']
  const keys: string[] = Object.values(storageKeys)
  for (const key of [...specified, ...look]) expect(keys).toContain(key)
  for (const key of keys)
    expect(key.startsWith('bey-') || [...specified, ...look].includes(key), key).toBe(true)
  expect(new Set(keys).size).toBe(keys.length)
})

test('what has a name but no spelling in the specification has a key of its own', () => {
  expect(Object.keys(storageKeys)).toEqual(
    expect.arrayContaining([
      'lastImpersonatedUser',
      'versionInfo',
      'recentPaletteItems',
      'reactScan',
      'clickToComponent',
      'autoHide',
      'workflowDebugger',
      'annotationMode',
      'logLevel',
    ]),
  )
})

test('what was written is read again, and gone once removed', () => {
  const storage = createStorage(localStorage)
  storage.write('token', 'abc')
  expect(localStorage.getItem('bey-token')).toBe('abc')
  storage.remove('token')
  expect(storage.read('token')).toBeNull()
})

test('where storage is forbidden the page still remembers', () => {
  const storage = createStorage(undefined)
  storage.write('token', 'abc')
  expect(storage.read('token')).toBe('abc')
})

test('a full storage loses nothing of this visit', () => {
  const full: Storage = {
    length: 0,
    clear: () => undefined,
    key: () => null,
    getItem: () => null,
    removeItem: () => undefined,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  }
  const storage = createStorage(full)
  storage.write('user', '{}')
  expect(storage.read('user')).toBe('{}')
})

test('what is not JSON is nothing', () => {
  const storage = createStorage(undefined)
  expect(readJson(storage, 'user')).toBeUndefined()
  storage.write('user', '{broken')
  expect(readJson(storage, 'user')).toBeUndefined()
  storage.write('user', '[1]')
  expect(readJson(storage, 'user')).toEqual([1])
})
