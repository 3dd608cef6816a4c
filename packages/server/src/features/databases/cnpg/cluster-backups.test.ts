import { expect, test } from 'vitest'

import { fakePgDump } from '../../../testing/fake-pg-dump.ts'
import { recoveryOf } from './backup-objects.ts'
import { cnpgApp } from './testing/cnpg-app.ts'

const program = fakePgDump('18.4', "printf 'PGDMP of a pod'")
const { app, outside, admin, ask, until, operator, clusterId, untilPhase } = await cnpgApp({
  hostPrograms: { pg_dump: program.file },
})
const plugins = [
  {
    name: 'barman-cloud.cloudnative-pg.io',
    isWALArchiver: true,
    parameters: { barmanObjectName: 'store' },
  },
]

/** A Cluster that was there before, managed here. */
async function managed(name: string, spec: object = {}): Promise<string> {
  await operator.create('shop', name, spec)
  await untilPhase('shop', name, 'Cluster in healthy state')
  const made = await ask('POST', '/api/databases/adopt', { clusterId, namespace: 'shop', cluster: name })
  expect(made.status, made.text).toBe(201)
  await until(made.body.id, { status: 'available' })
  return made.body.id
}

const lastRun = async (id: string) => {
  const { lastRun: run } = (await ask('GET', `/api/databases/${id}`)).body
  return (await ask('GET', `/api/v1/workflows/${run.workflowId}/runs/${run.runId}`)).body.run
}
const backUp = async (id: string) => {
  const reply = await ask('POST', `/api/databases/${id}/cluster-backups`)
  expect(reply.status, reply.text).toBe(202)
  const over = (status: string) => ['completed', 'failed'].includes(status)
  await expect.poll(async () => over((await lastRun(id)).status), { timeout: 60_000 }).toBe(true)
  return lastRun(id)
}
const listed = async (id: string) => (await ask('GET', `/api/databases/${id}/cluster-backups`)).body

test('rows come back in a new Cluster after they were dropped, and the source stays as it is', async () => {
  const id = await managed('orders', { plugins })
  const path = `/api/databases/${id}`
  const execute = async (statement: string) => {
    const { body, text } = await ask('POST', `${path}/execute`, { statement })
    expect(body.error, text).toBeNull()
  }
  await execute('create table sentinels as select generate_series(1, 10) as n')
  expect(await listed(id)).toMatchObject({
    method: 'plugin',
    store: 'the store of the plugin barman-cloud.cloudnative-pg.io',
    backups: [],
  })
  expect((await backUp(id)).status).toBe('completed')
  const { backups } = await listed(id)
  expect(backups).toMatchObject([{ phase: 'completed', method: 'plugin', restoreRefusal: null, error: null }])
  await execute('drop table sentinels')

  const made = await ask('POST', `${path}/cluster-restore`, { name: 'orders-back', backup: backups[0].name })
  expect(made.status, made.text).toBe(201)
  await until(made.body.id, { status: 'available' })
  const { spec } = await operator.read('shop', 'orders-back')
  expect(spec).toMatchObject({
    bootstrap: { recovery: { source: 'orders', recoveryTarget: { backupID: backups[0].name } } },
    externalClusters: [{ name: 'orders', plugin: { parameters: { serverName: 'orders' } } }],
  })
  // It names no store of its own, so that it does not write over the archive of the other.
  expect(spec?.plugins).toBeUndefined()
  const count = 'select count(*) from sentinels'
  const read = await ask('POST', `/api/databases/${made.body.id}/query`, { statement: count })
  expect(read.body.rows, read.text).toEqual([['10']])
  const gone = await ask('POST', `${path}/query`, { statement: count })
  expect(gone.body.error.code).toBe('42P01')
  const again = await ask('POST', `${path}/cluster-restore`, { name: 'orders-back', backup: backups[0].name })
  expect(again.status).toBe(409)
  const other = await ask('POST', `${path}/cluster-restore`, { name: 'other', backup: 'nothing' })
  expect([other.status, other.body.code]).toEqual([404, 'not_found'])
}, 180_000)

test('a backup that fails says why and is never restored from; a Cluster without a store is refused', async () => {
  const id = await managed('broken', { plugins })
  operator.failBackups('broken', 'the bucket is away')
  const run = await backUp(id)
  expect(run).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('the bucket is away') },
  })
  const { backups } = await listed(id)
  expect(backups).toMatchObject([
    { phase: 'failed', error: 'the bucket is away', restoreRefusal: 'It failed.' },
  ])
  const refused = await ask('POST', `/api/databases/${id}/cluster-restore`, {
    name: 'never',
    backup: backups[0].name,
  })
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('It failed.')])

  const bare = await managed('bare')
  expect(await listed(bare)).toMatchObject({ store: null, method: null })
  expect(await backUp(bare)).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('names no store and no plugin') },
  })
}, 120_000)

test('a schedule is a ScheduledBackup in the cluster, and what somebody changes of it there is shown and put right', async () => {
  const id = await managed('nightly', { plugins })
  const path = `/api/databases/${id}/cluster-backups/schedule`
  const object = '/apis/postgresql.cnpg.io/v1/namespaces/shop/scheduledbackups/nightly-bey'
  const set = async (schedule: string | null) => {
    const reply = await ask('PUT', path, { schedule })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body).toEqual({ cron: schedule, drift: null })
  }
  const drift = async () => (await listed(id)).schedule.drift
  await set('30 2 * * *')
  const uid = (await operator.read('shop', 'nightly')).metadata?.uid
  expect(await outside.call('GET', object)).toMatchObject({
    metadata: { ownerReferences: [{ kind: 'Cluster', name: 'nightly', uid }] },
    spec: {
      cluster: { name: 'nightly' },
      schedule: '0 30 2 * * *',
      method: 'plugin',
      pluginConfiguration: { name: 'barman-cloud.cloudnative-pg.io' },
    },
  })
  expect(await listed(id)).toMatchObject({
    schedule: { cron: '30 2 * * *', drift: null },
    schedules: [{ name: 'nightly-bey', schedule: '0 30 2 * * *', isSuspended: false }],
  })

  const change = (spec: object) => outside.call('PATCH', object, { spec }, 'application/merge-patch+json')
  await change({ suspend: true })
  expect(await drift()).toContain('is suspended in the cluster')
  await set('30 2 * * *')
  await change({ schedule: '0 0 5 * * *' })
  expect(await drift()).toContain('says "0 0 5 * * *" in the cluster instead of "0 30 2 * * *"')
  await set('30 2 * * *')
  expect(await drift()).toBeNull()
  await outside.call('DELETE', object)
  expect(await drift()).toContain('is gone from the cluster')
  await set('0 4 * * 0')
  await set(null)
  await expect(outside.call('GET', object)).rejects.toThrow('not found')

  const wrong = await ask('PUT', path, { schedule: 'soon' })
  expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_request'])
  const bare = await managed('unbacked')
  const refused = await ask('PUT', `/api/databases/${bare}/cluster-backups/schedule`, {
    schedule: '0 2 * * *',
  })
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('names no store')])
}, 120_000)

test('a restore names a Backup of a store or of volumes, and the store itself for a moment', () => {
  const store = { destinationPath: 's3://backups/' }
  const native = { metadata: { name: 'orders' }, spec: { backup: { barmanObjectStore: store } } }
  const targetTime = '2026-03-01T12:00:00.000Z'
  const backup = { metadata: { name: 'one' }, spec: { method: 'barmanObjectStore' } }
  expect(recoveryOf(native, backup, targetTime)).toEqual({
    bootstrap: { backup: { name: 'one' }, recoveryTarget: { targetTime } },
    externalClusters: [],
  })
  expect(recoveryOf(native, undefined, targetTime)).toEqual({
    bootstrap: { source: 'orders', recoveryTarget: { targetTime } },
    externalClusters: [{ name: 'orders', barmanObjectStore: { serverName: 'orders', ...store } }],
  })
  const snapshots = { metadata: { name: 'orders' }, spec: { backup: { volumeSnapshot: {} } } }
  expect(recoveryOf(snapshots, undefined, targetTime)).toMatchObject({ refusal: expect.any(String) })
})

test('a dump is made in the pod of the primary in the name of who asks, and breaks off where it fails there', async () => {
  const id = await managed('dumped')
  const path = `/api/databases/${id}/dump`
  expect((await ask('GET', path)).body).toEqual({
    refusal: null,
    program: { place: 'pod', name: 'dumped-1', version: null },
  })
  const download = () =>
    fetch(`${app.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${admin.token}`,
        'x-organization-id': String(admin.organizationId),
      },
    })
  const reply = await download()
  expect([reply.status, await reply.text()]).toEqual([200, 'PGDMP of a pod'])
  expect(program.lastRun().args).toContain("--username=postgres --no-password --dbname=dbname='dumped_app'")

  program.write({ version: '18.4', script: 'head -c 200000 /dev/zero; echo "error: it broke" >&2; exit 1' })
  const broken = await download()
  await expect(broken.arrayBuffer()).rejects.toThrow()
  program.write({ version: '18.4', script: 'echo "error: it broke" >&2; exit 1' })
  const refused = await ask('POST', path)
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    'The dump of "dumped" failed: pg_dump failed in the pod "dumped-1": error: it broke.',
  ])
}, 120_000)
