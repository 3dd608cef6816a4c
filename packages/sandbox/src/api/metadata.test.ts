import { expect, test } from 'vitest'
import { textAt } from '../json.ts'
import { testSandbox } from '../testing/test-sandbox.ts'

test('a finalizer has a name with a domain', async () => {
  const sandbox = await testSandbox({ nodes: [] })
  const create = (finalizer: string) =>
    sandbox.call('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', {
      metadata: { name: 'c', finalizers: [finalizer] },
    })
  expect(textAt((await create('plain')).body, 'message')).toBe(
    'ConfigMap "c" is invalid: metadata.finalizers[0]: Invalid value: "plain": name is neither a standard finalizer name nor is it fully qualified',
  )
  expect(textAt((await create('Bad Name/x')).body, 'message')).toContain(
    'metadata.finalizers: Invalid value: "Bad Name/x": prefix part a lowercase RFC 1123 subdomain',
  )
  expect((await create('example.com/x')).code).toBe(201)
  await sandbox.remove()
})
