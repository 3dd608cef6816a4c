import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@bey/sandbox'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runningApp } from '../testing/running-app.ts'
import { sandboxCalls } from '../testing/sandbox-calls.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-config-users-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const { given, cluster, call } = await runningApp()
const admin = await given.user({ role: 'ADMIN' })
const prod = await cluster(admin.organizationId, {
  url: sandbox.url,
  caPem: sandbox.caPem,
  token: sandbox.adminToken,
  impersonate: true,
})
const kube = sandboxCalls(sandbox)
const at = '/api/v1/namespaces/default'

type Row = { name: string; users: { total: number; first: { kind: string; name: string }[] } | null }

async function rows(resource: string, query = ''): Promise<Row[]> {
  const path = `/api/kubernetes/clusters/${prod.id}/objects/${resource}?namespace=default${query}`
  const reply = await call('GET', path, { token: admin.token, organizationId: admin.organizationId })
  return (reply.json() as unknown as { objects: Row[] }).objects
}

/** Users of a config map or secret as "name Kind, …"; "?" while they are not known. */
async function usersOf(resource: string, name: string): Promise<string> {
  const row = (await rows(resource)).find((each) => each.name === name)
  if (!row?.users) return '?'
  const { total, first } = row.users
  const shown = first.map((each) => `${each.name} ${each.kind}`)
  return [...shown, ...(total > first.length ? [`${total - first.length} more`] : [])].join(', ')
}

const container = (more: object) => ({ name: 'c', image: 'nginx', ...more })
const template = (name: string, spec: object) => ({ metadata: { labels: { app: name } }, spec })
const envFrom = (ref: object) => [container({ envFrom: [ref] })]

beforeAll(async () => {
  for (const name of ['used', 'left', 'old', 'shared', 'nightly'])
    await kube('POST', `${at}/configmaps`, { metadata: { name }, data: { x: '1' } })
  for (const [name, type] of [
    ['login', 'Opaque'],
    ['unread', 'Opaque'],
    ['edge', 'kubernetes.io/tls'],
    ['pull', 'kubernetes.io/dockerconfigjson'],
    ['sh.helm.release.v1.web.v1', 'helm.sh/release.v1'],
  ] as const)
    await kube('POST', `${at}/secrets`, { metadata: { name }, type, stringData: stringData[type] })
  const deployment = (name: string, replicas: number, spec: object) =>
    kube('POST', '/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name },
      spec: { replicas, selector: { matchLabels: { app: name } }, template: template(name, spec) },
    })
  await deployment('web', 2, {
    containers: envFrom({ configMapRef: { name: 'used' } }),
    volumes: [{ name: 'v', secret: { secretName: 'login' } }],
  })
  // Nothing of it runs; it needs its settings all the same.
  await deployment('asleep', 0, { containers: envFrom({ configMapRef: { name: 'shared' } }) })
  await deployment('awake', 1, { containers: envFrom({ configMapRef: { name: 'shared' } }) })
  await kube('POST', '/apis/batch/v1/namespaces/default/cronjobs', {
    metadata: { name: 'report' },
    spec: {
      schedule: '0 3 * * *',
      jobTemplate: {
        spec: {
          template: {
            spec: { restartPolicy: 'Never', containers: envFrom({ configMapRef: { name: 'nightly' } }) },
          },
        },
      },
    },
  })
  await kube('POST', '/apis/networking.k8s.io/v1/namespaces/default/ingresses', {
    metadata: { name: 'shop' },
    spec: {
      tls: [{ hosts: ['shop.example'], secretName: 'edge' }],
      defaultBackend: { service: { name: 'web', port: { number: 80 } } },
    },
  })
})

const merge = 'application/merge-patch+json'
const stringData = {
  Opaque: { password: 'x' },
  'kubernetes.io/tls': { 'tls.crt': 'x', 'tls.key': 'x' },
  'kubernetes.io/dockerconfigjson': { '.dockerconfigjson': '{"auths":{}}' },
  'helm.sh/release.v1': { release: 'x' },
}

test('what names a config map is its workload, also one that runs nothing now, and not each of its pods', async () => {
  await vi.waitFor(async () => expect(await usersOf('configmaps', 'used')).toBe('web Deployment'), 20_000)
  expect(await usersOf('configmaps', 'shared')).toBe('asleep Deployment, awake Deployment')
  expect(await usersOf('configmaps', 'nightly')).toBe('report CronJob')
  expect(await usersOf('configmaps', 'left')).toBe('')
  // Every pod has it, and nothing names it.
  expect(await usersOf('configmaps', 'kube-root-ca.crt')).toBe('?')
})

test('what names a secret is a workload or an ingress; of what Kubernetes or Helm use nothing is said', async () => {
  await vi.waitFor(async () => expect(await usersOf('secrets', 'edge')).toBe('shop Ingress'), 20_000)
  expect(await usersOf('secrets', 'login')).toBe('web Deployment')
  expect(await usersOf('secrets', 'unread')).toBe('')
  expect(await usersOf('secrets', 'pull')).toBe('?')
  expect(await usersOf('secrets', 'sh.helm.release.v1.web.v1')).toBe('?')
})

test('a revision to which a deployment can be rolled back still uses its settings', async () => {
  const web = '/apis/apps/v1/namespaces/default/deployments/web'
  const change = (name: string) =>
    kube(
      'PATCH',
      web,
      { spec: { template: { spec: { containers: envFrom({ configMapRef: { name } }) } } } },
      merge,
    )
  await change('old')
  await vi.waitFor(async () => expect(await usersOf('configmaps', 'old')).toBe('web Deployment'), 20_000)
  await change('used')
  await vi.waitFor(
    async () => expect(await usersOf('configmaps', 'old')).toMatch(/^web-\w+ ReplicaSet$/),
    20_000,
  )
})

test('what nothing names comes first by its users, and what is not known last', async () => {
  const names = (await rows('configmaps', '&sort=users')).map(({ name }) => name)
  expect(names[0]).toBe('left')
  expect(names.at(-1)).toBe('kube-root-ca.crt')
  const most = await rows('configmaps', '&sort=users&order=desc')
  expect(most[0]?.users?.total).toBeGreaterThan(1)
  expect(most.at(-1)?.users).toBeNull()
})

test('while the cluster does not answer nothing is said to be unused', async () => {
  await sandbox.stop()
  await vi.waitFor(async () => expect(await usersOf('configmaps', 'left')).toBe('?'), 30_000)
})
