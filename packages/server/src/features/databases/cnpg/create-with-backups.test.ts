import { expect, test, vi } from 'vitest'

import { databaseApi } from '../testing/database-api.ts'
import { cnpgApp } from './testing/cnpg-app.ts'
import { clusterKindWithoutStore, cnpgKinds, objectStoreKind } from './testing/kinds.ts'

const { app, admin, ask, until, operator, outside, clusterId } = await cnpgApp()
const cluster = { clusterId, namespace: 'shop', instances: 1, storage: '2Gi' }
const secretAccessKey = 'canary-of-the-secret-access-key'
const bucket = {
  region: 'eu-central-1',
  bucket: 'backups',
  prefix: 'bey',
  accessKeyId: 'AKIA1',
  secretAccessKey,
}

async function target(name: string, endpoint: string): Promise<string> {
  const made = await ask('POST', '/api/databases/backup-targets', { ...bucket, name, endpoint })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}
const targetId = await target('Frankfurt', 'https://s3.example.com')
const policy = {
  schedule: '30 2 * * *',
  retentionDays: 14,
  targetId,
  pitr: true,
  drillSchedule: '12 3 * * *',
  checks: [{ name: 'answers', sql: 'select 1' }],
  recoveryTimeMinutes: 10,
}
const body = (name: string, more: object = {}) => ({
  provider: 'cnpg',
  name,
  cluster,
  backups: policy,
  ...more,
})

/** The run that creates a database, once it is over, with what it logged. */
async function creation(made: { lastRun: { workflowId: string; runId: string } }) {
  const path = `/api/v1/workflows/${made.lastRun.workflowId}/runs/${made.lastRun.runId}`
  const run = await vi.waitFor(
    async () => {
      const found = (await ask('GET', path)).body.run
      expect(['completed', 'failed']).toContain(found.status)
      return found
    },
    { timeout: 90_000, interval: 100 },
  )
  const { logs } = (await ask('GET', `${path}/logs`)).body
  return { run, lines: logs.map(({ message }: { message: string }) => message).join('\n') }
}
async function create(name: string, more: object = {}) {
  const made = await ask('POST', '/api/databases', body(name, more))
  expect(made.status, made.text).toBe(201)
  return made.body
}
type Read = { data: Record<string, string>; metadata: object; spec: { suspend?: boolean } }
const read = (path: string) => outside.call('GET', path) as unknown as Promise<Read>
const secretPath = (name: string) => `/api/v1/namespaces/shop/secrets/${name}-backup-store`
const storePath = (name: string) =>
  `/apis/barmancloud.cnpg.io/v1/namespaces/shop/objectstores/${name}-backup-store`
const schedulePath = (name: string) =>
  `/apis/postgresql.cnpg.io/v1/namespaces/shop/scheduledbackups/${name}-bey`

test('a database is made on a cluster with its store, schedule and extensions, and backed up before its run is completed', async () => {
  const hook = {
    name: 'all',
    url: 'http://127.0.0.1:1/hook',
    events: ['database.created', 'database.failed'],
  }
  expect((await ask('POST', '/api/webhooks', hook)).status).toBe(201)
  const made = await create('orders', { extensions: ['citext'] })
  const { id } = made
  const { run, lines } = await creation(made)
  expect(run, lines).toMatchObject({ status: 'completed' })
  expect(lines).not.toContain(secretAccessKey)
  const sent = await app.database.ownerPool.query<{ type: string }>(
    'select type from webhook_deliveries where payload::text like $1',
    [`%${id}%`],
  )
  expect(sent.rows).toEqual([{ type: 'database.created' }])
  const { spec } = await operator.read('shop', 'orders')
  const name = 'orders-backup-store'
  expect(spec?.backup).toMatchObject({
    retentionPolicy: '14d',
    barmanObjectStore: {
      destinationPath: `s3://backups/bey/cnpg/${admin.organizationId}/${id}/`,
      endpointURL: 'https://s3.example.com',
      s3Credentials: { secretAccessKey: { name, key: 'ACCESS_SECRET_KEY' } },
    },
  })
  const { data, metadata } = await read(secretPath('orders'))
  expect(Buffer.from(data['ACCESS_SECRET_KEY'] ?? '', 'base64').toString()).toBe(secretAccessKey)
  expect(metadata).toMatchObject({ labels: { 'bey.io/database': id } })
  expect(await read(schedulePath('orders'))).toMatchObject({
    spec: { schedule: '0 30 2 * * *', method: 'barmanObjectStore', suspend: false },
  })
  const path = `/api/databases/${id}`
  expect((await ask('GET', `${path}/cluster-backups`)).body).toMatchObject({
    schedule: { cron: '30 2 * * *', drift: null },
    store: `the store s3://backups/bey/cnpg/${admin.organizationId}/${id}/`,
    backups: [{ phase: 'completed', method: 'barmanObjectStore' }],
  })
  expect((await ask('GET', `${path}/backup-policy`)).body).toMatchObject({ ...policy, version: 1 })
  const asked = await ask('POST', `${path}/query`, {
    statement: "select count(*) from pg_extension where extname = 'citext'",
  })
  expect(asked.body.rows, asked.text).toEqual([['1']])

  // What the Cluster decides is not changed by the policy alone.
  const moved = await ask('PUT', `${path}/backup-policy`, { ...policy, retentionDays: 3 })
  expect([moved.status, moved.body.detail]).toEqual([
    409,
    expect.stringContaining('Change its specification'),
  ])
  expect((await ask('PUT', `${path}/backup-policy`, { ...policy, drillSchedule: null })).status).toBe(200)
  const used = await ask('DELETE', `/api/databases/backup-targets/${targetId}`)
  expect(used.status).toBe(409)

  expect((await ask('DELETE', path)).status).toBe(202)
  await expect.poll(async () => (await ask('GET', path)).status, { timeout: 60_000 }).toBe(404)
  await expect(read(secretPath('orders'))).rejects.toThrow('not found')
  const { body: targets } = await ask('GET', '/api/databases/backup-targets')
  expect(targets.targets).toMatchObject([{ name: 'Frankfurt', databases: 0 }])
}, 180_000)

test('the preview shows the objects with the key hidden, and what was refused at its field', async () => {
  const { provider: _provider, ...wish } = body('shown', { extensions: ['citext', 'vector'] })
  const shown = await ask('POST', '/api/databases/preview', wish)
  expect(shown.body.problem, shown.text).toBeNull()
  expect(shown.body.yaml).toContain('kind: Secret')
  expect(shown.body.yaml).toContain('the access key of the target Frankfurt')
  expect(shown.body.yaml).toContain('destinationPath: s3://backups/bey/cnpg/')
  expect(shown.body.yaml).toContain('create extension if not exists "vector"')
  expect(shown.text).not.toContain(secretAccessKey)

  const local = await target('Here', 'http://127.0.0.1:9000')
  const other = '0195e1a7-0000-7000-8000-000000000000'
  const refused = async (path: string, part: object, words: string) => {
    const reply = await ask('POST', '/api/databases', body('refused', part))
    expect(reply.status, reply.text).toBe(400)
    expect(reply.body.errors, reply.text).toMatchObject([{ path, message: expect.stringContaining(words) }])
  }
  const withPolicy = (part: object) => ({ backups: { ...policy, ...part } })
  await refused('backups.targetId', withPolicy({ targetId: null }), 'keeps backups in a bucket')
  await refused('backups.targetId', withPolicy({ targetId: other }), 'There is no such backup target')
  await refused('backups.targetId', withPolicy({ targetId: local }), 'another machine for each pod')
  await refused('backups.pitr', withPolicy({ pitr: false }), 'cannot be switched off')
  await refused('backups.schedule', withPolicy({ schedule: 'soon' }), 'is no schedule')
  await refused('backups.drillSchedule', withPolicy({ drillSchedule: '0 0 31 2 *' }), 'never comes')
  await refused('backups.retentionDays', withPolicy({ retentionDays: 0 }), '')
  await refused('extensions.1', { extensions: ['citext', 'file_fdw'] }, 'is not among the extensions')
  await refused('allowList', { allowList: [] }, 'decided where it runs')
  await refused('diskQuotaBytes', { diskQuotaBytes: 2 ** 31 }, 'set cluster.storage')
  await refused('parameters', { parameters: {} }, 'cluster.parameters')
  expect((await ask('GET', '/api/databases?search=refused')).body.total).toBe(0)
}, 60_000)

test('whoever may not choose where backups are kept gives no key of a bucket away', async () => {
  const member = await app.given.user({ role: 'MEMBER', organizationId: admin.organizationId })
  const { ask: askAsMember } = databaseApi(app, { ...member, organizationId: admin.organizationId })
  const reply = await askAsMember('POST', '/api/databases', body('theirs'))
  expect([reply.status, reply.body.code]).toEqual([403, 'forbidden'])
  const managed = await askAsMember('POST', '/api/databases', {
    ...body('theirs', { backups: undefined }),
    extensions: ['citext'],
  })
  expect([managed.status, managed.body.code]).toEqual([403, 'forbidden'])
})

test('a first backup that fails leaves the database available, and its run says why', async () => {
  operator.failBackups('ledger', 'the bucket is away')
  const made = await create('ledger')
  const { run } = await creation(made)
  expect(run).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('the bucket is away') },
  })
  expect((await ask('GET', `/api/databases/${made.id}`)).body).toMatchObject({ status: 'available' })
  expect((await read(schedulePath('ledger'))).spec.suspend).toBe(false)
}, 120_000)

test('a secret of somebody else with the same name is left alone, and nothing is made', async () => {
  await outside.call('POST', '/api/v1/namespaces/shop/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'mine-backup-store' },
    stringData: { theirs: 'kept' },
  })
  const made = await create('mine')
  const failed = await until(made.id, { status: 'error' })
  expect(failed.reason).toContain('The Secret "mine-backup-store" exists already in the namespace "shop"')
  await expect(operator.read('shop', 'mine')).rejects.toThrow('404')
  expect((await ask('DELETE', `/api/databases/${made.id}`)).status).toBe(202)
  await expect
    .poll(async () => (await ask('GET', `/api/databases/${made.id}`)).status, { timeout: 60_000 })
    .toBe(404)
  expect(Object.keys((await read(secretPath('mine'))).data)).toEqual(['theirs'])
}, 120_000)

test('a database without a schedule has its store, and no backup yet', async () => {
  const made = await create('later', { backups: { ...policy, schedule: null, drillSchedule: null } })
  expect((await creation(made)).run).toMatchObject({ status: 'completed' })
  const { body: found } = await ask('GET', `/api/databases/${made.id}/cluster-backups`)
  expect(found).toMatchObject({
    method: 'barmanObjectStore',
    backups: [],
    schedule: { cron: null, drift: null },
  })
}, 120_000)

test('a version of CloudNativePG without a store of its own is refused before anything is made, with the way out', async () => {
  const kinds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/clusters.postgresql.cnpg.io'
  const serve = (kind: { spec: object } | undefined) =>
    outside.call('PATCH', kinds, { spec: kind?.spec }, 'application/merge-patch+json')
  await serve(clusterKindWithoutStore)
  const made = await create('newer')
  const failed = await until(made.id, { status: 'error' })
  expect(failed.reason).toContain('Install the plugin, then create the database again')
  await expect(operator.read('shop', 'newer')).rejects.toThrow('404')
  await serve(cnpgKinds[0])
  expect((await ask('POST', `/api/databases/${made.id}/provision`)).status).toBe(202)
  await until(made.id, { status: 'available' })
  expect((await operator.read('shop', 'newer')).spec?.backup?.barmanObjectStore).toBeDefined()
}, 120_000)

test('where the Barman Cloud plugin is installed, the store is one of the plugin', async () => {
  await outside.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', objectStoreKind)
  await vi.waitFor(() => read('/apis/barmancloud.cnpg.io/v1/namespaces/shop/objectstores'), {
    timeout: 30_000,
  })
  const made = await create('plugged')
  expect((await creation(made)).run).toMatchObject({ status: 'completed' })
  const { spec } = await operator.read('shop', 'plugged')
  expect(spec?.backup).toBeUndefined()
  expect(spec?.plugins).toEqual([
    {
      name: 'barman-cloud.cloudnative-pg.io',
      isWALArchiver: true,
      parameters: { barmanObjectName: 'plugged-backup-store' },
    },
  ])
  expect(await read(storePath('plugged'))).toMatchObject({
    spec: { retentionPolicy: '14d', configuration: { endpointURL: 'https://s3.example.com' } },
  })
  expect(await read(schedulePath('plugged'))).toMatchObject({ spec: { method: 'plugin' } })
  expect((await ask('DELETE', `/api/databases/${made.id}`)).status).toBe(202)
  await expect
    .poll(async () => (await ask('GET', `/api/databases/${made.id}`)).status, { timeout: 60_000 })
    .toBe(404)
  await expect(read(storePath('plugged'))).rejects.toThrow('not found')
}, 180_000)
