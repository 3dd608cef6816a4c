import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAt, objectAt, textAt } from '../json.ts'
import { podsPath, testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

const core = '/api/v1/namespaces/default'

async function eventsOf(name: string): Promise<string[]> {
  const { body } = await sandbox.call('GET', `${core}/events?fieldSelector=involvedObject.name=${name}`)
  return listAt(body, 'items').map(
    (one) => `${textAt(one, 'source', 'component')} ${textAt(one, 'reason')}: ${textAt(one, 'message')}`,
  )
}

test('a claim tells how it waited for its pod and came to a volume', async () => {
  await sandbox.call('POST', `${core}/persistentvolumeclaims`, {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  })
  sandbox.clock.advance(60_000)
  await sandbox.call('POST', podsPath, {
    metadata: { name: 'user' },
    spec: {
      containers: [{ name: 'c', image: 'nginx' }],
      volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }],
    },
  })
  const bound = await sandbox.until(
    `${core}/persistentvolumeclaims/data`,
    (one) => textAt(one, 'status', 'phase') === 'Bound',
  )
  const volume = textAt(bound, 'spec', 'volumeName')
  const provisioner = textAt(bound, 'metadata', 'annotations', 'volume.kubernetes.io/storage-provisioner')
  expect(objectAt(bound, 'metadata', 'annotations')).toMatchObject({
    'pv.kubernetes.io/bind-completed': 'yes',
    'pv.kubernetes.io/bound-by-controller': 'yes',
    'volume.beta.kubernetes.io/storage-provisioner': provisioner,
  })
  expect(await eventsOf('data')).toEqual([
    'persistentvolume-controller WaitForFirstConsumer: waiting for first consumer to be created before binding',
    `${provisioner} Provisioning: External provisioner is provisioning volume for claim "default/data"`,
    expect.stringContaining(
      'persistentvolume-controller ExternalProvisioning: Waiting for a volume to be created',
    ),
    `${provisioner} ProvisioningSucceeded: Successfully provisioned volume ${volume}`,
  ])
})
