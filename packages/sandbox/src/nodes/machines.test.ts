import { expect, test } from 'vitest'
import { at, listAt, objectAt, textAt } from '../json.ts'
import { testSandbox } from '../testing/test-sandbox.ts'

test('nodes of a cluster and of groups with the longest names join under names that fit a label', async () => {
  const longest = 'long-'.repeat(13).slice(0, 62)
  const nodes = ['a', 'b'].map((end) => ({ name: `${longest}${end}`, count: 2, cpu: '2', memory: '4Gi' }))
  const sandbox = await testSandbox({ name: `${longest}x`, nodes })
  try {
    const { body } = await sandbox.call('GET', '/api/v1/nodes')
    const names = listAt(body, 'items').map((node) => textAt(node, 'metadata', 'name') ?? '')
    expect(new Set(names).size).toBe(4)
    for (const name of names) expect(name).toMatch(/^long-[a-z0-9-]{1,57}[12]$/)
    const labels = listAt(body, 'items').map((node) => objectAt(node, 'metadata', 'labels'))
    expect(labels.map((each) => at(each, 'kubernetes.io/hostname'))).toEqual(names)
  } finally {
    await sandbox.remove()
  }
})

test('a machine that comes up says so in the events of a real one, and enters itself for storage drivers', async () => {
  const sandbox = await testSandbox({ nodes: [{ name: 'worker', count: 1 }] })
  try {
    const { body } = await sandbox.call('GET', '/api/v1/namespaces/default/events')
    expect(listAt(body, 'items').map((one) => textAt(one, 'reason'))).toEqual(
      expect.arrayContaining([
        'Starting',
        'NodeHasSufficientMemory',
        'NodeHasNoDiskPressure',
        'NodeHasSufficientPID',
        'NodeAllocatableEnforced',
        'RegisteredNode',
        'NodeReady',
      ]),
    )
    const drivers = '/apis/storage.k8s.io/v1/csinodes/test-worker-1'
    expect((await sandbox.call('GET', drivers)).code).toBe(200)
    await sandbox.call('DELETE', '/api/v1/nodes/test-worker-1')
    await sandbox.until(drivers, (one) => one['code'] === 404)
  } finally {
    await sandbox.remove()
  }
})
