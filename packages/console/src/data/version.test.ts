import { expect, test } from 'vitest'
import { completeVersion, isMismatch } from './version.ts'

test('different deployments are a mismatch', () => {
  expect(isMismatch({ deploymentId: 'a' }, { deploymentId: 'b' })).toBe(true)
  expect(isMismatch({ deploymentId: 'a' }, { deploymentId: 'a' })).toBe(false)
})

test('what is not known is no mismatch', () => {
  expect(isMismatch(undefined, { deploymentId: 'b' })).toBe(false)
  expect(isMismatch({ deploymentId: 'a' }, undefined)).toBe(false)
  expect(isMismatch({ deploymentId: 'development' }, { deploymentId: 'b' })).toBe(false)
})

test('a version file that lacks fields, or is none, is completed instead of breaking the page', () => {
  expect(completeVersion({ version: '1.2.3', gitCommit: 7 })).toMatchObject({
    version: '1.2.3',
    gitCommit: '',
  })
  for (const nonsense of [null, 'text', 7, []]) expect(completeVersion(nonsense).version).toBe('0.0.0-dev')
})
