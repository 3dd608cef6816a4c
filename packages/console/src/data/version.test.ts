// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { isMismatch } from './version.ts'

test('different deployments are a mismatch', () => {
  expect(isMismatch({ deploymentId: 'a' }, { deploymentId: 'b' })).toBe(true)
  expect(isMismatch({ deploymentId: 'a' }, { deploymentId: 'a' })).toBe(false)
})

test('what is not known is no mismatch', () => {
  expect(isMismatch(undefined, { deploymentId: 'b' })).toBe(false)
  expect(isMismatch({ deploymentId: 'a' }, undefined)).toBe(false)
  expect(isMismatch({ deploymentId: 'development' }, { deploymentId: 'b' })).toBe(false)
})
