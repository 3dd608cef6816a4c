import { expect, test } from 'vitest'
import { secretTypes } from './rules.ts'
import { defaultSyncShape, syncShapeProblem } from './sync-rules.ts'

test.each(secretTypes)('what is written of a %s by default is what Kubernetes takes', (type) => {
  expect(syncShapeProblem(type, defaultSyncShape(type))).toBe(undefined)
})

test.each([
  ['password', 'Opaque', {}, 'Write at least one key.'],
  ['password', 'Opaque', { 'a b': 'value' }, '"a b" is no key'],
  ['password', 'Opaque', { a: 'username' }, 'has no "username". It has: value.'],
  ['certificate', 'kubernetes.io/tls', { 'tls.crt': 'certificate' }, 'asks for the key "tls.key"'],
] as const)('of a %s as %s the keys %j are refused', (type, kubernetesType, keys, problem) => {
  expect(syncShapeProblem(type, { kubernetesType, keys })).toContain(problem)
})
