import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@bey/sandbox'
import { afterAll, expect, test, vi } from 'vitest'
import type { GivenUser } from '../../../testing/given.ts'
import { runningApp } from '../../kubernetes/testing/running-app.ts'
import { soonMs } from '../../../testing/soon.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-syncs-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const { app, given, cluster, call } = await runningApp()
const owner = await given.user({ role: 'OWNER' })
const member = await given.user({ role: 'MEMBER', organizationId: owner.organizationId })
const connection = { url: sandbox.url, caPem: sandbox.caPem, token: sandbox.adminToken, impersonate: true }
const prod = await cluster(owner.organizationId, connection)

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a reply is its own claim
type Json = Record<string, any>
async function ask(method: string, path: string, body?: object, user: GivenUser = owner) {
  const reply = await call(method, `/api${path}`, {
    token: user.token,
    organizationId: user.organizationId,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  return { status: reply.status, text: reply.text, body: (reply.text ? reply.json() : {}) as Json }
}
/** What the cluster itself holds. */
const kube = (method: string, path: string, body?: object, contentType = 'application/json') =>
  call(method, `${sandbox.url}${path}`, {
    token: sandbox.adminToken,
    headers: { 'content-type': contentType },
    ...(body && { body: JSON.stringify(body) }),
  })
const secretPath = (name: string) => `/api/v1/namespaces/default/secrets/${name}`
const dataOf = async (name: string) => {
  const { data = {} } = (await kube('GET', secretPath(name))).json() as Json
  return Object.fromEntries(
    Object.entries(data as Record<string, string>).map(([key, text]) => [
      key,
      Buffer.from(text, 'base64').toString(),
    ]),
  )
}

let count = 0
async function stored(values: object = {}): Promise<string> {
  const name = `s-${(count += 1)}`
  const reply = await ask('POST', '/secrets', { name, type: 'password', value: 'canary-one', ...values })
  expect(reply.status, reply.text).toBe(201)
  return reply.body['id'] as string
}
async function kept(id: string, name: string, values: object = {}): Promise<string> {
  const body = { clusterId: prod.id, namespace: 'default', name, ...values }
  const reply = await ask('POST', `/secrets/${id}/syncs`, body)
  expect(reply.status, reply.text).toBe(201)
  return reply.body['id'] as string
}
const syncOf = async (id: string) => (await ask('GET', `/secrets/${id}/syncs`)).body['syncs'][0] as Json
const until = (claim: () => Promise<void>) => vi.waitFor(claim, { timeout: 60_000, interval: 50 })
const reaches = (id: string, state: object) =>
  until(async () => expect(await syncOf(id)).toMatchObject(state))
/** Looks at a copy now instead of within a minute. */
const look = (id: string, syncId: string) =>
  ask('POST', `/secrets/${id}/syncs/${syncId}/resolve`, { how: 'retry' })
const trail = async (id: string) =>
  (
    await app.database.ownerPool.query<{ action: string; outcome: string }>(
      `select action, outcome from audit_entries where target_id = $1 and action like 'secret.sync%' order by at, id`,
      [id],
    )
  ).rows.map(({ action, outcome }) => `${action.slice('secret.sync.'.length)} ${outcome}`)

test('a secret is kept in a cluster, a new value follows within 2 s, and no answer holds it', async () => {
  const id = await stored()
  await kept(id, 'follows', { labels: { team: 'web' } })
  await reaches(id, { state: 'synced', syncedVersion: 1, error: null })
  expect(await dataOf('follows')).toEqual({ password: 'canary-one' })
  const { metadata, type } = (await kube('GET', secretPath('follows'))).json() as Json
  expect(type).toBe('Opaque')
  expect(metadata.labels).toEqual({ team: 'web', 'app.kubernetes.io/managed-by': 'bey' })
  expect(metadata.managedFields[0]).toMatchObject({ manager: 'bey', operation: 'Apply' })
  const startedAt = Date.now()
  await ask('PUT', `/secrets/${id}`, { value: 'canary-two' })
  await until(async () => expect(await dataOf('follows')).toEqual({ password: 'canary-two' }))
  expect(Date.now() - startedAt).toBeLessThan(soonMs)
  await reaches(id, { syncedVersion: 2 })
  const reply = await ask('GET', `/secrets/${id}/syncs`)
  expect(reply.text).not.toContain('canary')
  expect((await ask('GET', `/secrets/${id}`)).body).toMatchObject({ usedByCount: 1 })
  const usage = (await ask('GET', `/secrets/${id}/usage`)).body
  expect(usage['uses']).toMatchObject([
    { type: 'cluster', detail: 'Secret default/follows', lastVersion: 2, onRotation: 'follows' },
  ])
  // Each write has its intent before it.
  expect(await trail(id)).toEqual([
    'create success',
    'write unknown',
    'write success',
    'write unknown',
    'write success',
  ])
})

test.each([
  ['certificate', 'kubernetes.io/tls', ['tls.crt', 'tls.key']],
  ['registry', 'kubernetes.io/dockerconfigjson', ['.dockerconfigjson']],
] as const)('a %s is written as %s', async (type, kubernetesType, keys) => {
  const value =
    type === 'registry'
      ? { server: 'registry.example.com', username: 'puller', password: 'canary' }
      : await certificate()
  const id = await stored({ type, value })
  await kept(id, `typed-${type}`)
  await reaches(id, { state: 'synced', kubernetesType })
  expect(Object.keys(await dataOf(`typed-${type}`)).toSorted()).toEqual(keys)
  if (type === 'registry') {
    const { '.dockerconfigjson': file = '' } = await dataOf('typed-registry')
    expect(JSON.parse(file)).toMatchObject({ auths: { 'registry.example.com': { username: 'puller' } } })
  }
})

test('what is changed in the cluster is shown, accepted or put right, and kept right where asked', async () => {
  const id = await stored()
  const syncId = await kept(id, 'drifts')
  await reaches(id, { state: 'synced' })
  const change = (text: string) =>
    kube(
      'PATCH',
      secretPath('drifts'),
      { data: { password: Buffer.from(text).toString('base64'), extra: 'eA==' } },
      'application/merge-patch+json',
    )
  await change('by hand')
  await look(id, syncId)
  const drift = [
    { path: 'data.password', kind: 'changed' },
    { path: 'data.extra', kind: 'added' },
  ]
  await reaches(id, { state: 'drifted', drift })
  expect(await dataOf('drifts')).toMatchObject({ password: 'by hand' })
  const act = (how: string) => ask('POST', `/secrets/${id}/syncs/${syncId}/resolve`, { how })
  expect((await act('accept')).status).toBe(200)
  await reaches(id, { state: 'synced', isDriftAccepted: true })
  await change('by hand again')
  await look(id, syncId)
  await reaches(id, { state: 'drifted', isDriftAccepted: false })
  await act('put_right')
  await reaches(id, { state: 'synced', drift: [] })
  expect(await dataOf('drifts')).toEqual({ password: 'canary-one' })
  expect((await act('accept')).status).toBe(409)

  await kube('DELETE', secretPath('drifts'))
  await look(id, syncId)
  await reaches(id, { state: 'drifted', drift: [{ path: 'Secret', kind: 'missing' }] })
  await ask('PUT', `/secrets/${id}/syncs/${syncId}`, { correctsDrift: true })
  await reaches(id, { state: 'synced', drift: [] })
  expect(await dataOf('drifts')).toEqual({ password: 'canary-one' })
})

test('a Secret that Bey did not make is not touched before it is taken over', async () => {
  await kube('POST', '/api/v1/namespaces/default/secrets', {
    metadata: { name: 'theirs' },
    data: { theirs: 'eA==' },
  })
  const id = await stored()
  const syncId = await kept(id, 'theirs')
  await reaches(id, { state: 'conflict' })
  const { summary, uses } = (await ask('GET', `/secrets/${id}/usage`)).body
  expect(uses).toMatchObject([{ onRotation: 'breaks' }])
  expect(summary).toContain('If you rotate it, 1 breaks')
  expect(await dataOf('theirs')).toEqual({ theirs: 'x' })
  const second = await ask('POST', `/secrets/${id}/syncs`, {
    clusterId: prod.id,
    namespace: 'default',
    name: 'theirs',
  })
  expect([second.status, second.body['code']]).toEqual([409, 'name_taken'])
  await ask('POST', `/secrets/${id}/syncs/${syncId}/resolve`, { how: 'take_over' })
  await reaches(id, { state: 'synced' })
  expect(await dataOf('theirs')).toEqual({ password: 'canary-one' })
})

test('workloads that use the Secret are restarted once for each new value, others are not', async () => {
  const deployment = (name: string, env: object[]) => ({
    metadata: { name },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'c', image: 'nginx', env }] },
      },
    },
  })
  const path = '/apis/apps/v1/namespaces/default/deployments'
  const from = { name: 'P', valueFrom: { secretKeyRef: { name: 'restarts', key: 'password' } } }
  await kube('POST', path, deployment('uses', [from]))
  await kube('POST', path, deployment('other', []))
  const restartedFor = async (name: string) => {
    const found = (await kube('GET', `${path}/${name}`)).json() as Json
    return found['spec'].template.metadata.annotations?.['bey.dev/restarted-for'] as string | undefined
  }
  const id = await stored()
  const syncId = await kept(id, 'restarts', { restarts: true })
  await reaches(id, { state: 'synced', syncedVersion: 1 })
  expect(await restartedFor('uses')).toBe(undefined)
  await ask('PUT', `/secrets/${id}`, { value: 'canary-two' })
  await until(async () => expect(await restartedFor('uses')).toBe(`${syncId}-2`))
  expect(await restartedFor('other')).toBe(undefined)
  await until(async () => expect(await trail(id)).toContain('restart success'))
})

test('the activity of a secret lists each write to a cluster once, by its outcome', async () => {
  const id = await stored()
  await kept(id, 'once')
  await reaches(id, { state: 'synced' })
  const { entries } = (await ask('GET', `/secrets/${id}/activity`)).body
  const writes = entries.filter(({ action }: { action: string }) => action === 'secret.sync.write')
  expect(writes).toMatchObject([{ outcome: 'success' }])
})

test('removed, the copy is left without marks or deleted, and so it is when the secret is destroyed', async () => {
  const id = await stored()
  const remove = (syncId: string, what: string) =>
    ask('DELETE', `/secrets/${id}/syncs/${syncId}?secret=${what}`)
  const left = await kept(id, 'left')
  await reaches(id, { state: 'synced' })
  expect((await remove(left, 'leave')).status).toBe(204)
  await until(async () => expect(await syncOf(id)).toBe(undefined))
  const { metadata, data } = (await kube('GET', secretPath('left'))).json() as Json
  expect([metadata.annotations ?? {}, metadata.labels ?? {}]).toEqual([{}, {}])
  expect(Object.keys(data)).toEqual(['password'])
  const deleted = await kept(id, 'deleted')
  await reaches(id, { state: 'synced' })
  await remove(deleted, 'delete')
  await until(async () => expect((await kube('GET', secretPath('deleted'))).status).toBe(404))

  await kept(id, 'purged', { onRemoval: 'delete' })
  await reaches(id, { state: 'synced' })
  await ask('DELETE', `/secrets/${id}`)
  await app.database.ownerPool.query(`update secrets set purge_at = now() - interval '1 s' where id = $1`, [
    id,
  ])
  const { createPurge } = await import('../purge.ts')
  expect((await kube('GET', secretPath('purged'))).status).toBe(200)
  await createPurge({ database: app.database })(new Date())
  await until(async () => expect((await kube('GET', secretPath('purged'))).status).toBe(404))
  expect((await trail(id)).filter((entry) => entry.endsWith('failure'))).toEqual([])
})

test('what cannot be done says why and is tried again; a cluster that is gone takes its copies along', async () => {
  const id = await stored()
  await kept(id, 'nowhere', { namespace: 'nowhere' })
  await reaches(id, {
    state: 'failed',
    error: 'The namespace "nowhere" does not exist in this cluster. Create it first.',
  })
  await kube('POST', '/api/v1/namespaces', { metadata: { name: 'nowhere' } })
  await reaches(id, { state: 'synced', error: null })

  const gone = await cluster(owner.organizationId, { ...connection, url: 'https://127.0.0.1:1' })
  const other = await stored()
  const body = { clusterId: gone.id, namespace: 'default', name: 'far' }
  await ask('POST', `/secrets/${other}/syncs`, body)
  await reaches(other, { state: 'failed', error: 'The cluster does not answer: the connection was refused.' })
  await app.database.ownerPool.query(
    `update clusters set status = 'DELETED', deleted_at = now() where id = $1`,
    [gone.id],
  )
  await ask('PUT', `/secrets/${other}`, { value: 'canary-next' })
  await until(async () => expect(await syncOf(other)).toBe(undefined))
})

test('what a server that died had written is found by the next, and not written again', async () => {
  const id = await stored()
  await kept(id, 'begun')
  await reaches(id, { state: 'synced', syncedVersion: 1 })
  await ask('PUT', `/secrets/${id}`, { value: 'canary-two' })
  await reaches(id, { syncedVersion: 2 })
  const before = await trail(id)
  // As it is left between the write to the cluster and the note of it, once the claim is over.
  await app.database.ownerPool.query(
    `update secret_syncs set synced_version = 1, claim = gen_random_uuid(), next_at = now() where secret_id = $1`,
    [id],
  )
  await reaches(id, { state: 'synced', syncedVersion: 2 })
  expect(await trail(id)).toEqual(before)
})

test.each([
  ['a namespace that is none', { namespace: 'A b' }, 400],
  ['a key that the type has not', { keys: { a: 'username' } }, 400],
  ['a cluster of nobody', { clusterId: 999_999 }, 404],
])('%s is refused', async (_name, values, status) => {
  const id = await stored()
  const body = { clusterId: prod.id, namespace: 'default', name: 'refused', ...values }
  expect((await ask('POST', `/secrets/${id}/syncs`, body)).status).toBe(status)
})

test('a member who does not manage the secret keeps it nowhere', async () => {
  const id = await stored()
  const body = { clusterId: prod.id, namespace: 'default', name: 'refused' }
  expect((await ask('POST', `/secrets/${id}/syncs`, body, member)).status).toBe(403)
})

async function certificate() {
  const { createAuthority, createLeaf } = await import('../../../platform/certificate/certificate.ts')
  const leaf = await createLeaf(await createAuthority(new Date()), ['shop.example.com'], new Date())
  return { certificate: leaf.certificatePem, privateKey: leaf.keyPem }
}

/** A workload that reads a Secret into its environment. */
const deployment = (name: string, secret: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'default' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          {
            name: 'app',
            image: 'nginx:1.27',
            env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: secret, key: 'password' } } }],
          },
        ],
      },
    },
  },
})
const workload = async (name: string) =>
  (await kube('GET', `/apis/apps/v1/namespaces/default/deployments/${name}`)).json() as Json

async function runEnds({ workflowId, runId }: Json): Promise<Json> {
  const path = `/v1/workflows/${workflowId}/runs/${runId}`
  const read = async () => (await ask('GET', path)).body['run'] as Json
  await until(async () => expect(['completed', 'failed']).toContain((await read())['status']))
  return read()
}

test('a rotation as a run writes the copies, restarts what uses them and waits until it runs', async () => {
  const id = await stored()
  await kept(id, 'rotated')
  await reaches(id, { state: 'synced' })
  await kube('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('reader', 'rotated'))
  await until(async () =>
    expect((await workload('reader'))['status']).toMatchObject({ availableReplicas: 1 }),
  )
  const reply = await ask('POST', `/secrets/${id}/rotate-and-restart`, { reason: 'Leaked' })
  expect(reply.status, reply.text).toBe(202)
  const again = await ask('POST', `/secrets/${id}/rotate`, { reason: 'At the same time' })
  const run = await runEnds(reply.body)
  expect(again.status).toBe(409)
  expect(run).toMatchObject({ status: 'completed', subject: { type: 'secret', id } })
  expect(await syncOf(id)).toMatchObject({ syncedVersion: 2 })
  const { metadata, status } = await workload('reader')
  expect(metadata).toMatchObject({ generation: 2 })
  expect(status).toMatchObject({ updatedReplicas: 1, availableReplicas: 1 })
  expect(JSON.stringify(run)).not.toContain('canary')
})

test('where a copy cannot be written, the run restores the old value and says so', async () => {
  const id = await stored()
  await kept(id, 'frozen')
  await reaches(id, { state: 'synced' })
  await kube('PATCH', secretPath('frozen'), { immutable: true }, 'application/merge-patch+json')
  const reply = await ask('POST', `/secrets/${id}/rotate-and-restart`, { reason: 'Leaked' })
  const run = await runEnds(reply.body)
  expect(run['status']).toBe('failed')
  expect(run['error']['message']).toContain('The value of version 1 is current again, as version 3.')
  expect(await dataOf('frozen')).toEqual({ password: 'canary-one' })
  const { body } = await ask('GET', `/secrets/${id}`)
  expect(body).toMatchObject({ currentVersion: 3 })
})
