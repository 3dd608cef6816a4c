import { expect, test } from 'vitest'
import { decode } from './decode.ts'

test('empty lists and maps are forgotten where nobody requires them, and empty objects are kept', () => {
  const policy = {
    metadata: { name: 'a', labels: {}, annotations: {}, finalizers: [] },
    spec: { podSelector: { matchLabels: {} }, ingress: [], policyTypes: ['Ingress'] },
  }
  expect(decode('V1NetworkPolicy', policy).value).toEqual({
    metadata: { name: 'a' },
    spec: { podSelector: {}, policyTypes: ['Ingress'] },
  })
  const volumes = [{ name: 'v', emptyDir: {} }]
  const pod = { spec: { containers: [], initContainers: [], volumes } }
  expect(decode('V1Pod', pod).value).toEqual({ spec: { containers: [], volumes } })
  expect(decode('V1Role', { rules: [] }).value).toEqual({ rules: [] })
})
