import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@bey/sandbox'
import { afterAll, expect, test, vi } from 'vitest'
import { runningApp } from '../../kubernetes/testing/running-app.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-workload-uses-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const { given, cluster, call } = await runningApp()
const { token, organizationId } = await given.user({ role: 'OWNER' })
const connection = { url: sandbox.url, caPem: sandbox.caPem, token: sandbox.adminToken, impersonate: true }
const prod = await cluster(organizationId, connection)

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a reply is its own claim
type Json = Record<string, any>
const json = (body: object | undefined) => ({
  headers: { 'content-type': 'application/json' },
  ...(body && { body: JSON.stringify(body) }),
})
async function ask(method: string, path: string, body?: object) {
  const reply = await call(method, `/api${path}`, { token, organizationId, ...(body && json(body)) })
  return { status: reply.status, text: reply.text, body: reply.json() as Json }
}
/** Writes to the cluster itself. */
const kube = (method: string, path: string, body: object) =>
  call(method, `${sandbox.url}${path}`, { token: sandbox.adminToken, ...json(body) })

/** A secret with a copy in the cluster that has come to this state; answers its id. */
async function kept(name: string, state: 'synced' | 'conflict'): Promise<string> {
  const made = await ask('POST', '/secrets', { name, type: 'password', value: 'canary-one' })
  expect(made.status, made.text).toBe(201)
  const id = made.body['id'] as string
  const sync = await ask('POST', `/secrets/${id}/syncs`, { clusterId: prod.id, namespace: 'default', name })
  expect(sync.status, sync.text).toBe(201)
  await vi.waitFor(
    async () => expect((await ask('GET', `/secrets/${id}/syncs`)).body['syncs']).toMatchObject([{ state }]),
    { timeout: 60_000, interval: 50 },
  )
  return id
}

test('the usage of a secret names the workloads that use its copies, and counts those that break', async () => {
  const path = '/apis/apps/v1/namespaces/default'
  const workload = (name: string, spec: object) => ({
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec },
    },
  })
  const image = { name: 'c', image: 'nginx' }
  const env = [{ name: 'P', valueFrom: { secretKeyRef: { name: 'used', key: 'password' } } }]
  const volumes = [{ name: 'v', secret: { secretName: 'used' } }]
  await kube('POST', `${path}/deployments`, workload('in-env', { containers: [{ ...image, env }] }))
  await kube('POST', `${path}/daemonsets`, workload('in-volume', { containers: [image], volumes }))
  await kube('POST', `${path}/deployments`, workload('beside', { containers: [image] }))
  const id = await kept('used', 'synced')
  const { uses, summary } = (await ask('GET', `/secrets/${id}/usage`)).body
  expect(uses).toMatchObject([
    { type: 'cluster', detail: 'Secret default/used', onRotation: 'follows' },
    {
      type: 'workload',
      id: `${prod.id}/deployments/default/in-env`,
      name: 'Deployment default/in-env',
      onRotation: 'breaks',
    },
    { type: 'workload', name: 'DaemonSet default/in-volume', onRotation: 'follows' },
  ])
  expect(summary).toContain('3 things use it; 1 person can read it, nobody has. If you rotate it, 1 breaks.')
  // A Secret of somebody else is not written, so whatever uses it keeps the value that it has.
  const data = { password: Buffer.from('theirs').toString('base64') }
  await kube('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'taken' }, data })
  const mounts = { ...volumes[0], secret: { secretName: 'taken' } }
  await kube('POST', `${path}/deployments`, workload('stuck', { containers: [image], volumes: [mounts] }))
  const other = await kept('taken', 'conflict')
  expect((await ask('GET', `/secrets/${other}/usage`)).body['summary']).toContain(
    '2 things use it; 1 person can read it, nobody has. If you rotate it, 2 break.',
  )
})
