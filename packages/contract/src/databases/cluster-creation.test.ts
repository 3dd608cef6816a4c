import { expect, test } from 'vitest'
import { clusterExtensionProblem, clusterExtensions, clusterTargetProblem } from './cluster-creation.ts'

test.each([
  [null, false],
  ['https://s3.example.com', false],
  ['http://10.0.0.7:9000', false],
  ['http://localhost:9000', true],
  ['http://127.0.0.1:9000', true],
  ['http://127.9.9.9', true],
  ['http://[::1]:9000', true],
])('a target at %s is refused for pods: %s', (endpoint, isRefused) => {
  expect(clusterTargetProblem({ name: 'Here', endpoint }) !== undefined).toBe(isRefused)
})

test('an extension of the list is taken, and any other one is refused by name', () => {
  for (const { name } of clusterExtensions) expect(clusterExtensionProblem(name)).toBeUndefined()
  expect(clusterExtensionProblem('x"; drop table y; --')).toContain('is not among the extensions')
})
