import { expect, test } from 'vitest'
import { compareVersions } from './versions.ts'

test('stable versions come before beta before alpha, higher ones first, and other names last', () => {
  const versions = [
    'foo1',
    'v1alpha2',
    'v1',
    'v11beta2',
    'v10',
    'v2',
    'bar',
    'v1beta1',
    'v3beta1',
    'v12alpha1',
  ]
  expect(versions.toSorted(compareVersions)).toEqual([
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v3beta1',
    'v1beta1',
    'v12alpha1',
    'v1alpha2',
    'bar',
    'foo1',
  ])
})
