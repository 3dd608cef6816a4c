import { afterAll, beforeAll, expect, test } from 'vitest'
import { textAt } from '../json.ts'
import { podsPath, testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

const path = '/api/v1/namespaces/default/persistentvolumeclaims'
const classes = '/apis/storage.k8s.io/v1/storageclasses'
const merge = { 'content-type': 'application/merge-patch+json' }
const size = (storage: string) => ({ spec: { resources: { requests: { storage } } } })

async function boundClaim(name: string, own: object): Promise<void> {
  const spec = { accessModes: ['ReadWriteOnce'], ...size('1Gi').spec, ...own }
  await sandbox.call('POST', path, { metadata: { name }, spec })
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: name } }]
  const containers = [{ name: 'c', image: 'nginx' }]
  await sandbox.call('POST', podsPath, { metadata: { name }, spec: { containers, volumes } })
  await sandbox.until(`${path}/${name}`, (body) => textAt(body, 'status', 'phase') === 'Bound')
}

const grow = (name: string, to: string) => sandbox.call('PATCH', `${path}/${name}`, size(to), merge)

test('a claim of the default class grows', async () => {
  await boundClaim('standard', {})
  expect((await grow('standard', '2Gi')).code).toBe(200)
  await sandbox.until(`${path}/standard`, (body) => textAt(body, 'status', 'capacity', 'storage') === '2Gi')
})

test('a claim grows only once its class allows it', async () => {
  await sandbox.call('POST', classes, { metadata: { name: 'fixed' }, provisioner: 'rancher.io/local-path' })
  await boundClaim('fixed', { storageClassName: 'fixed' })
  const refused = await grow('fixed', '2Gi')
  expect([refused.code, textAt(refused.body, 'message')]).toEqual([
    403,
    'persistentvolumeclaims "fixed" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
  ])
  const other = { metadata: { labels: { a: 'b' } } }
  expect((await sandbox.call('PATCH', `${path}/fixed`, other, merge)).code).toBe(200)
  await sandbox.call('PATCH', `${classes}/fixed`, { allowVolumeExpansion: true }, merge)
  expect((await grow('fixed', '2Gi')).code).toBe(200)
})

test('a claim of a volume that nobody provisioned does not grow', async () => {
  await sandbox.call('POST', '/api/v1/persistentvolumes', {
    metadata: { name: 'static' },
    spec: { capacity: { storage: '5Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' } },
  })
  await boundClaim('static', { storageClassName: '' })
  expect((await grow('static', '2Gi')).code).toBe(403)
})
