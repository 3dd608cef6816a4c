import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Diagnosis } from '@bey/contract'
import { startSandbox } from '@bey/sandbox'
import { afterAll, expect, test } from 'vitest'
import { runningApp } from '../testing/running-app.ts'
import { sandboxCalls } from '../testing/sandbox-calls.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-diagnosis-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 100 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const { given, cluster, call } = await runningApp()
const viewer = await given.user({ role: 'VIEWER' })
const { organizationId, token } = viewer
const prod = await cluster(organizationId, {
  url: sandbox.url,
  caPem: sandbox.caPem,
  token: sandbox.adminToken,
  impersonate: true,
})
const kube = sandboxCalls(sandbox)

async function diagnose(address: string): Promise<Diagnosis | null> {
  const path = `/api/kubernetes/clusters/${prod.id}/diagnosis/${address}`
  const reply = await call('GET', path, { token, organizationId })
  expect(reply.status, reply.text).toBe(200)
  return (reply.json() as { diagnosis: Diagnosis | null }).diagnosis
}
const ruleOf = (address: string) => async () => (await diagnose(address))?.cause?.rule
const patience = { timeout: 60_000, interval: 100 }

type Container = Record<string, unknown>
async function deployment(name: string, container: Container, more: object = {}, annotations = {}) {
  await kube('POST', '/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name }, annotations },
        spec: { containers: [{ name: 'main', image: 'nginx:1.27', ...container }], ...more },
      },
    },
  })
}

test.each([
  ['crash-loop', 'payments', 'exit-code', 'logs'],
  ['bad-image', 'search', 'image-missing', 'set-image'],
  ['out-of-memory', 'recommender', 'out-of-memory', 'edit-yaml'],
  ['unschedulable', 'warehouse', 'no-room', 'edit-yaml'],
] as const)('of %s, the deployment %s is explained by %s', async (fault, name, rule, action) => {
  await kube('POST', '/sandbox/v1/faults', { id: fault, action: 'apply' })
  await expect.poll(ruleOf(`deployments.apps/chaos/${name}`), patience).toBe(rule)
  const found = await diagnose(`deployments.apps/chaos/${name}`)
  expect(found?.remedies[0]?.action?.id).toBe(action)
  expect(found?.remedies[0]?.command).toContain('kubectl ')
  expect(found?.symptom).toContain(`Deployment ${name}: `)
  const pod = found?.evidence.map(({ object }) => object).find((each) => each?.kind === 'Pod')
  expect(pod).toMatchObject({ kind: 'Pod', resource: 'pods', namespace: 'chaos' })
  // Its pod says the same.
  expect(await ruleOf(`pods/chaos/${pod?.name}`)()).toBe(rule)
  await kube('POST', '/sandbox/v1/faults', { id: fault, action: 'end' })
})

test('a volume that is nearly full degrades its claim, which is explained and can be expanded', async () => {
  await kube('POST', '/sandbox/v1/faults', { id: 'full-volume', action: 'apply' })
  const claim = 'persistentvolumeclaims/chaos/ledger'
  const object = `/api/kubernetes/clusters/${prod.id}/objects/${claim}`
  const usage = async () => {
    const reply = await call('GET', object, { token, organizationId })
    return (reply.json() as { usage: { measured: object | null } | null }).usage?.measured
  }
  await expect.poll(usage, patience).toMatchObject({ capacityBytes: 10 * 1024 ** 3 })
  await expect.poll(ruleOf(claim), patience).toBe('volume-full')
  expect(await diagnose(claim)).toMatchObject({
    symptom: expect.stringContaining('93% of its volume is used'),
    cause: { text: 'The data of its pods have nearly filled its volume.' },
    remedies: [{ action: { id: 'expand', object: { name: 'ledger' } } }, {}],
  })
  const overview = await call('GET', `/api/kubernetes/clusters/${prod.id}/overview`, {
    token,
    organizationId,
  })
  expect((overview.json() as { attention: { items: object[] } }).attention.items).toContainEqual(
    expect.objectContaining({ kind: 'PersistentVolumeClaim', name: 'ledger', namespace: 'chaos' }),
  )
  await kube('POST', '/sandbox/v1/faults', { id: 'full-volume', action: 'end' })
})

test('a crash shows the last lines of the log, and what it is not', async () => {
  await deployment('crashing', {}, {}, { 'sandbox.bey/behavior': 'crash' })
  await expect.poll(ruleOf('deployments.apps/default/crashing'), patience).toBe('exit-code')
  await expect
    .poll(async () => (await diagnose('deployments.apps/default/crashing'))?.evidence.map(({ kind }) => kind))
    .toContain('log')
  const found = await diagnose('deployments.apps/default/crashing')
  expect(found?.ruledOut).toContain('Its last run was not killed for its use of memory.')
})

test('a config map that is not there is named, with the way to create it', async () => {
  await deployment('configless', { envFrom: [{ configMapRef: { name: 'settings' } }] })
  // The kubelet tries again, and is under way meanwhile.
  await expect
    .poll(() => diagnose('deployments.apps/default/configless'), patience)
    .toMatchObject({
      cause: {
        rule: 'missing-reference',
        text: 'The config map "settings" that it needs does not exist in the namespace default.',
      },
      remedies: [
        {
          text: 'Create the config map "settings"',
          action: {
            id: 'create',
            object: { resource: 'configmaps', namespace: 'default', name: 'settings' },
          },
          command: 'kubectl create configmap settings -n default --from-literal=<key>=<value>',
        },
        {},
      ],
    })
})

test('a revision that brought the trouble is the cause, and rolling it back the first way out', async () => {
  await deployment('web', {})
  await expect
    .poll(async () => {
      const found = await kube('GET', '/apis/apps/v1/namespaces/default/deployments/web')
      return (found['status'] as { availableReplicas?: number }).availableReplicas
    }, patience)
    .toBe(1)
  await kube(
    'PATCH',
    '/apis/apps/v1/namespaces/default/deployments/web',
    {
      spec: {
        template: {
          metadata: { annotations: { 'sandbox.bey/behavior': 'crash' } },
          spec: { containers: [{ name: 'main', image: 'nginx:1.28' }] },
        },
      },
    },
    'application/strategic-merge-patch+json',
  )
  await expect.poll(ruleOf('deployments.apps/default/web'), patience).toBe('bad-revision')
  const found = await diagnose('deployments.apps/default/web')
  // What it broke comes first.
  expect(found?.cause?.text).toMatch(
    /^main exits with code \d+.*\. It began with revision 2, which changed the image from nginx:1\.27 to nginx:1\.28\.$/s,
  )
  expect(found?.remedies[0]).toMatchObject({
    text: 'Roll back to revision 1',
    action: { id: 'rollback', object: { resource: 'deployments.apps', name: 'web' } },
    command: 'kubectl rollout undo deployment/web -n default --to-revision=1',
  })
  expect(found?.evidence.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['exit', 'change']))
})

test('a used-up quota and a node selector that fits nowhere are found', async () => {
  await kube('POST', '/api/v1/namespaces', { metadata: { name: 'small' } })
  await kube('POST', '/api/v1/namespaces/small/resourcequotas', {
    metadata: { name: 'none' },
    spec: { hard: { pods: '0' } },
  })
  await kube('POST', '/apis/apps/v1/namespaces/small/deployments', {
    metadata: { name: 'full' },
    spec: {
      selector: { matchLabels: { app: 'full' } },
      template: {
        metadata: { labels: { app: 'full' } },
        spec: { containers: [{ name: 'c', image: 'nginx' }] },
      },
    },
  })
  await deployment('picky', {}, { nodeSelector: { disk: 'ssd' } })
  await expect.poll(ruleOf('deployments.apps/small/full'), patience).toBe('quota')
  await expect.poll(ruleOf('deployments.apps/default/picky'), patience).toBe('node-selector')
  expect((await diagnose('deployments.apps/default/picky'))?.cause?.text).toContain('disk=ssd')
})

test('an ingress without its service, and a claim without its class, are explained', async () => {
  await kube('POST', '/apis/networking.k8s.io/v1/namespaces/default/ingresses', {
    metadata: { name: 'shop' },
    spec: { defaultBackend: { service: { name: 'nowhere', port: { number: 80 } } } },
  })
  await kube('POST', '/api/v1/namespaces/default/persistentvolumeclaims', {
    metadata: { name: 'data' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'fast-and-absent',
      resources: { requests: { storage: '1Gi' } },
    },
  })
  expect((await diagnose('ingresses.networking.k8s.io/default/shop'))?.cause?.text).toBe(
    'The service "nowhere" that the ingress names does not exist.',
  )
  await deployment('writer', {}, { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] })
  await expect.poll(ruleOf('persistentvolumeclaims/default/data'), patience).toBe('claim-class-missing')
  await expect.poll(ruleOf('deployments.apps/default/writer'), patience).toBe('pod-claim-class-missing')
  const waiting = await diagnose('deployments.apps/default/writer')
  expect(waiting?.cause?.text).toContain('the storage class "fast-and-absent", which does not exist')
  expect(waiting?.remedies[0]?.action?.id).toBe('create')
  expect(waiting?.remedies[1]?.command).toBe('kubectl delete pvc data -n default')
})

test('a service without endpoints, an idle autoscaler and a dead webhook are explained on their pages', async () => {
  await kube('POST', '/api/v1/namespaces/default/services', {
    metadata: { name: 'lonely' },
    spec: { selector: { app: 'nobody' }, ports: [{ port: 80 }] },
  })
  await expect.poll(ruleOf('services/default/lonely'), patience).toBe('service-no-endpoints')
  expect((await diagnose('services/default/lonely'))?.cause?.text).toContain('app=nobody')

  await kube('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    metadata: { name: 'gate' },
    webhooks: [
      {
        name: 'gate.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { service: { namespace: 'default', name: 'lonely' } },
        rules: [
          { apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['widgets'] },
        ],
      },
    ],
  })
  const gate = 'validatingwebhookconfigurations.admissionregistration.k8s.io/-/gate'
  await expect.poll(ruleOf(gate), patience).toBe('webhook-unanswered')

  await kube('POST', '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
    metadata: { name: 'idle' },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'gone' }, maxReplicas: 3 },
  })
  const idle = 'horizontalpodautoscalers.autoscaling/default/idle'
  await expect.poll(ruleOf(idle), patience).toBe('scaling-inactive')
})

test('what is healthy needs no explanation', async () => {
  await deployment('fine', {})
  await expect
    .poll(
      async () => (await kube('GET', '/apis/apps/v1/namespaces/default/deployments/fine'))['status'],
      patience,
    )
    .toMatchObject({ availableReplicas: 1 })
  await expect.poll(() => diagnose('deployments.apps/default/fine'), patience).toBeNull()
  expect(await diagnose('configmaps/default/kube-root-ca.crt')).toBeNull()
})
