import { expect, test } from 'vitest'
import { testSandbox } from '../testing/test-sandbox.ts'

const path = '/api/v1/namespaces/default/endpoints'

test('a client of Endpoints is warned where the cluster is new enough', async () => {
  const sandbox = await testSandbox({ nodes: [] })
  const { headers } = await sandbox.call('GET', path)
  expect(headers['warning']).toBe(
    '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"',
  )
  expect((await sandbox.call('GET', '/api/v1/services')).headers['warning']).toBeUndefined()
  await sandbox.remove()
})

test('an older cluster says nothing of Endpoints', async () => {
  const sandbox = await testSandbox({ nodes: [], kubernetesVersion: 'v1.32.2' })
  expect((await sandbox.call('GET', path)).headers['warning']).toBeUndefined()
  await sandbox.remove()
})
