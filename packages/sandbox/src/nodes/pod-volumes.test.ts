import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAt, textAt } from '../json.ts'
import { podsPath, testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

const core = '/api/v1/namespaces/default'
const claimsPath = `${core}/persistentvolumeclaims`

async function giveClaim(name: string, storageClassName?: string): Promise<void> {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  await sandbox.call('POST', claimsPath, {
    metadata: { name },
    spec: { ...spec, ...(storageClassName ? { storageClassName } : {}) },
  })
}

async function giveClass(name: string, provisioner: string, volumeBindingMode: string): Promise<void> {
  const path = '/apis/storage.k8s.io/v1/storageclasses'
  await sandbox.call('POST', path, { metadata: { name }, provisioner, volumeBindingMode })
}

async function givePod(name: string, volume: object): Promise<void> {
  const spec = { containers: [{ name: 'c', image: 'nginx' }], volumes: [{ name: 'd', ...volume }] }
  await sandbox.call('POST', podsPath, { metadata: { name }, spec })
}

async function reasons(name: string): Promise<string[]> {
  const { body } = await sandbox.call('GET', `${core}/events?fieldSelector=involvedObject.name=${name}`)
  return listAt(body, 'items').map((one) => `${textAt(one, 'reason')}: ${textAt(one, 'message')}`)
}

const isRunning = (body: unknown) => textAt(body, 'status', 'phase') === 'Running'

test('a pod has no node before the volume that waits for it is bound', async () => {
  await giveClaim('late')
  await givePod('late', { persistentVolumeClaim: { claimName: 'late' } })
  const claim = await sandbox.call('GET', `${claimsPath}/late`)
  const node = textAt(claim.body, 'metadata', 'annotations', 'volume.kubernetes.io/selected-node')
  expect(node).toMatch(/^test-/)
  expect(textAt(claim.body, 'status', 'phase')).toBe('Pending')
  const waiting = await sandbox.call('GET', `${podsPath}/late`)
  expect(textAt(waiting.body, 'spec', 'nodeName')).toBeUndefined()
  expect(textAt(waiting.body, 'status', 'phase')).toBe('Pending')
  expect(await reasons('late')).not.toContainEqual(expect.stringContaining('Scheduled'))
  const pod = await sandbox.until(`${podsPath}/late`, isRunning)
  expect(textAt(pod, 'spec', 'nodeName')).toBe(node)
  const bound = await sandbox.call('GET', `${claimsPath}/late`)
  expect(textAt(bound.body, 'status', 'phase')).toBe('Bound')
})

test('a second pod waits for the node of the first one, whose volume is being made', async () => {
  await giveClaim('both')
  const volume = { persistentVolumeClaim: { claimName: 'both' } }
  await givePod('both-1', volume)
  // The volume is on its way to a node that now has no room for the second pod to like it.
  await givePod('both-2', volume)
  const { body } = await sandbox.call('GET', `${claimsPath}/both`)
  const node = textAt(body, 'metadata', 'annotations', 'volume.kubernetes.io/selected-node')
  for (const name of ['both-1', 'both-2']) {
    const pod = await sandbox.until(`${podsPath}/${name}`, isRunning)
    expect(textAt(pod, 'spec', 'nodeName')).toBe(node)
  }
  const volumes = await sandbox.call('GET', '/api/v1/persistentvolumes')
  const own = listAt(volumes.body, 'items').filter(
    (one) => textAt(one, 'spec', 'claimRef', 'name') === 'both',
  )
  expect(own).toHaveLength(1)
  expect(JSON.stringify(own[0])).toContain(JSON.stringify([node]))
})

test('a claim that waits for no pod keeps its pod waiting until it is bound', async () => {
  await giveClass('now', 'rancher.io/local-path', 'Immediate')
  await giveClaim('now', 'now')
  await givePod('now', { persistentVolumeClaim: { claimName: 'now' } })
  expect(await reasons('now')).toContainEqual(
    expect.stringMatching(/^FailedScheduling: 0\/3 nodes .* unbound immediate PersistentVolumeClaims/),
  )
  await sandbox.until(`${podsPath}/now`, isRunning)
})

test('a pod follows its volume to the only node that has it', async () => {
  await giveClass('local', 'kubernetes.io/no-provisioner', 'WaitForFirstConsumer')
  await giveClaim('disk', 'local')
  await givePod('disk', { persistentVolumeClaim: { claimName: 'disk' } })
  expect(await reasons('disk')).toContainEqual(
    expect.stringMatching(/2 node\(s\) didn't find available persistent volumes to bind/),
  )
  const values = ['test-worker-2']
  const term = { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values }] }
  await sandbox.call('POST', '/api/v1/persistentvolumes', {
    metadata: { name: 'disk' },
    spec: {
      storageClassName: 'local',
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      local: { path: '/mnt/disk' },
      nodeAffinity: { required: { nodeSelectorTerms: [term] } },
    },
  })
  const pod = await sandbox.until(`${podsPath}/disk`, isRunning)
  expect(textAt(pod, 'spec', 'nodeName')).toBe('test-worker-2')
  await sandbox.call('DELETE', `${podsPath}/disk?gracePeriodSeconds=0`)
  await sandbox.call('PATCH', '/api/v1/nodes/test-worker-2', '{"spec":{"unschedulable":true}}', {
    'content-type': 'application/merge-patch+json',
  })
  await givePod('again', { persistentVolumeClaim: { claimName: 'disk' } })
  expect(await reasons('again')).toContainEqual(
    expect.stringMatching(/1 node\(s\) had volume node affinity conflict/),
  )
})

test('an ephemeral volume has a claim that comes and goes with its pod', async () => {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  await givePod('brief', { ephemeral: { volumeClaimTemplate: { spec } } })
  await sandbox.until(`${podsPath}/brief`, isRunning)
  const claim = await sandbox.call('GET', `${claimsPath}/brief-d`)
  expect(textAt(claim.body, 'status', 'phase')).toBe('Bound')
  await sandbox.call('DELETE', `${podsPath}/brief`)
  await sandbox.until(`${claimsPath}/brief-d`, (body) => body['code'] === 404)
})

test('a pod that goes before its volume comes gives its room back', async () => {
  await giveClaim('gone')
  await givePod('gone', { persistentVolumeClaim: { claimName: 'gone' } })
  await sandbox.call('DELETE', `${podsPath}/gone?gracePeriodSeconds=0`)
  await sandbox.until(`${claimsPath}/gone`, (body) => textAt(body, 'status', 'phase') === 'Bound')
  expect((await sandbox.call('GET', `${podsPath}/gone`)).code).toBe(404)
})
