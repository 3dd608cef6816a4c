import { X509Certificate } from 'node:crypto'
import { request } from 'node:https'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, listAt, numberAt, textAt, type JsonObject } from '../json.ts'
import {
  deployment,
  deploymentsPath,
  podsPath,
  testSandbox,
  type StillSandbox,
} from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

test('a replication controller keeps its pods, and scales', async () => {
  const path = '/api/v1/namespaces/default/replicationcontrollers'
  const template = {
    metadata: { labels: { app: 'old' } },
    spec: { containers: [{ name: 'a', image: 'nginx' }] },
  }
  const made = await sandbox.call('POST', path, {
    metadata: { name: 'old' },
    spec: { replicas: 2, template },
  })
  expect(at(made.body, 'spec', 'selector')).toEqual({ app: 'old' })
  await sandbox.until(`${path}/old`, (body) => numberAt(body, 'status', 'readyReplicas') === 2)
  const { body } = await sandbox.call('GET', `${podsPath}?labelSelector=app=old`)
  const [pod] = listAt(body, 'items')
  expect(listAt(pod, 'metadata', 'ownerReferences')).toMatchObject([
    { kind: 'ReplicationController', name: 'old' },
  ])
  await sandbox.call('DELETE', `${podsPath}/${textAt(pod, 'metadata', 'name')}`)
  await sandbox.call(
    'PATCH',
    `${path}/old/scale`,
    { spec: { replicas: 3 } },
    { 'content-type': 'application/merge-patch+json' },
  )
  await sandbox.until(`${path}/old`, (found) => numberAt(found, 'status', 'readyReplicas') === 3)
  await sandbox.call('DELETE', `${path}/old`, { propagationPolicy: 'Background' })
  await sandbox.until(`${podsPath}?labelSelector=app=old`, (found) => listAt(found, 'items').length === 0)
})

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests'

async function ask(name: string, usages: string[]): Promise<{ key: string; reply: JsonObject }> {
  const { Pkcs10CertificateRequestGenerator, PemConverter } = await import('@peculiar/x509')
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const csr = await Pkcs10CertificateRequestGenerator.create({
    name: `CN=${name}, O=auditors`,
    keys,
    signingAlgorithm: algorithm,
  })
  const key = PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
  const spec = {
    request: Buffer.from(csr.toString('pem')).toString('base64'),
    signerName: 'kubernetes.io/kube-apiserver-client',
    usages,
    // TLS goes by the time of the machine, not by the sandbox's, which may be years behind.
    expirationSeconds: 8 * 365 * 24 * 3600,
  }
  const { code, body } = await sandbox.call('POST', requests, { metadata: { name }, spec })
  expect(code).toBe(201)
  return { key, reply: body }
}

function decide(name: string, type: 'Approved' | 'Denied'): Promise<unknown> {
  const conditions = [{ type, status: 'True', reason: 'KubectlApprove', message: 'by hand' }]
  return sandbox.call(
    'PATCH',
    `${requests}/${name}/approval`,
    { status: { conditions } },
    { 'content-type': 'application/merge-patch+json' },
  )
}

test('an approved request gets a certificate of the cluster, and anyone who holds it is who it says', async () => {
  const { key, reply } = await ask('carla', ['client auth', 'digital signature'])
  expect(textAt(reply, 'spec', 'username')).toBe('kubernetes-admin')
  expect(textAt(reply, 'status', 'certificate')).toBeUndefined()
  await decide('carla', 'Approved')
  const done = await sandbox.until(
    `${requests}/carla`,
    (body) => textAt(body, 'status', 'certificate') !== undefined,
  )
  const cert = Buffer.from(textAt(done, 'status', 'certificate') ?? '', 'base64').toString()
  expect(new X509Certificate(cert).verify(new X509Certificate(sandbox.caPem).publicKey)).toBe(true)
  const answer = await new Promise<string>((resolve, fail) => {
    const sent = request(
      new URL('/api/v1/nodes', sandbox.url),
      { cert, key, ca: sandbox.caPem, agent: false },
      (response) => {
        let text = ''
        response.on('data', (part: Buffer) => (text += part.toString()))
        response.on('end', () => resolve(text))
      },
    )
    sent.on('error', fail)
    sent.end()
  })
  expect(answer).toContain('User \\"carla\\" cannot list resource \\"nodes\\"')
})

test('approving takes the right to approve for the signer, by its name or for its whole domain', async () => {
  await ask('mallory', ['client auth'])
  const roles = '/apis/rbac.authorization.k8s.io/v1'
  const group = ['certificates.k8s.io']
  const write = {
    apiGroups: group,
    resources: ['certificatesigningrequests/approval'],
    verbs: ['patch', 'update'],
  }
  const role = (more: object[]) => ({ metadata: { name: 'approver' }, rules: [write, ...more] })
  await sandbox.call('POST', `${roles}/clusterroles`, role([]))
  await sandbox.call('POST', `${roles}/clusterrolebindings`, {
    metadata: { name: 'approver' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'approver' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }],
  })
  const approve = () =>
    sandbox.call(
      'PATCH',
      `${requests}/mallory/approval`,
      { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'x' }] } },
      { 'content-type': 'application/merge-patch+json', 'impersonate-user': 'ann' },
    )
  const refused = await approve()
  expect(refused.code).toBe(403)
  expect(textAt(refused.body, 'message')).toBe(
    'certificatesigningrequests.certificates.k8s.io "mallory" is forbidden: user not permitted to approve requests with signerName "kubernetes.io/kube-apiserver-client"',
  )
  const allow = { apiGroups: group, resources: ['signers'], verbs: ['approve'] }
  await sandbox.call(
    'PUT',
    `${roles}/clusterroles/approver`,
    role([{ ...allow, resourceNames: ['example.com/*'] }]),
  )
  expect((await approve()).code).toBe(403)
  await sandbox.call(
    'PUT',
    `${roles}/clusterroles/approver`,
    role([{ ...allow, resourceNames: ['kubernetes.io/*'] }]),
  )
  expect((await approve()).code).toBe(200)
})

test('a denied request gets none, and one for the wrong use fails', async () => {
  await ask('dora', ['client auth'])
  await decide('dora', 'Denied')
  await ask('emil', ['server auth'])
  await decide('emil', 'Approved')
  await sandbox.until(`${requests}/emil`, (body) =>
    JSON.stringify(body).includes('usages did not include client auth'),
  )
  sandbox.clock.advance(10_000)
  expect(at((await sandbox.call('GET', `${requests}/dora`)).body, 'status', 'certificate')).toBeUndefined()
})

test('every group that is served has its APIService, that of a custom kind too', async () => {
  const path = '/apis/apiregistration.k8s.io/v1/apiservices'
  const names = async () =>
    listAt((await sandbox.call('GET', path)).body, 'items').map((one) => textAt(one, 'metadata', 'name'))
  expect(await names()).toEqual(
    expect.arrayContaining(['v1.', 'v1.apps', 'v2.autoscaling', 'v1beta1.metrics.k8s.io']),
  )
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const definition = {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  }
  const all = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  await sandbox.call('POST', all, definition)
  expect(await names()).toContain('v1.example.com')
  await sandbox.call('DELETE', `${all}/things.example.com`)
  sandbox.clock.advance(1000)
  expect(await names()).not.toContain('v1.example.com')
})

test('an autoscaler says of each metric that it cannot get why not', async () => {
  await sandbox.call('POST', deploymentsPath, deployment('scaled'))
  const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers'
  const metric = { metric: { name: 'queue_length' }, target: { type: 'AverageValue', averageValue: '30' } }
  for (const [name, one] of Object.entries({
    external: { type: 'External', external: metric },
    pods: { type: 'Pods', pods: metric },
  })) {
    await sandbox.call('POST', path, {
      metadata: { name },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'scaled' },
        maxReplicas: 3,
        metrics: [one],
      },
    })
  }
  sandbox.clock.advance(60_000)
  const active = async (name: string) =>
    listAt((await sandbox.call('GET', `${path}/${name}`)).body, 'status', 'conditions').find(
      (one) => textAt(one, 'type') === 'ScalingActive',
    )
  expect(await active('external')).toMatchObject({ status: 'False', reason: 'FailedGetExternalMetric' })
  expect(await active('pods')).toMatchObject({ status: 'False', reason: 'FailedGetPodsMetric' })
})

test('what the cluster itself writes stands in managedFields under its name', async () => {
  await sandbox.call('POST', deploymentsPath, deployment('written', 1))
  await sandbox.until(`${deploymentsPath}/written`, (body) => numberAt(body, 'status', 'readyReplicas') === 1)
  const managers = (object: unknown) =>
    listAt(object, 'metadata', 'managedFields').map((one) =>
      [textAt(one, 'manager'), textAt(one, 'operation'), textAt(one, 'subresource')]
        .filter(Boolean)
        .join(' '),
    )
  const { body } = await sandbox.call('GET', `${deploymentsPath}/written`)
  expect(managers(body)).toEqual(
    expect.arrayContaining(['kube-controller-manager Update', 'kube-controller-manager Update status']),
  )
  const list = await sandbox.call('GET', `${podsPath}?labelSelector=app=written`)
  const [pod] = listAt(list.body, 'items')
  expect(managers(pod)).toEqual(['kube-controller-manager Update', 'kubelet Update status'])
  const [made, reported] = listAt(pod, 'metadata', 'managedFields')
  expect(at(made, 'fieldsV1', 'f:spec', 'f:containers', 'k:{"name":"main"}', 'f:image')).toEqual({})
  expect(at(reported, 'fieldsV1', 'f:status', 'f:conditions', 'k:{"type":"Ready"}')).toBeDefined()
  const scaled = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'written' },
    spec: { replicas: 1 },
  }
  const apply = { 'content-type': 'application/apply-patch+yaml' }
  const own = await sandbox.call('PATCH', `${deploymentsPath}/written?fieldManager=me`, scaled, apply)
  expect(own.code).toBe(200)
})
