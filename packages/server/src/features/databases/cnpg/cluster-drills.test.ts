import { expect, test, vi } from 'vitest'

import { databaseApi } from '../testing/database-api.ts'
import { cnpgApp } from './testing/cnpg-app.ts'

const { app, admin, outside, ask, until, lookNow, operator, clusterId, untilPhase } = await cnpgApp()
const plugins = [
  {
    name: 'barman-cloud.cloudnative-pg.io',
    isWALArchiver: true,
    parameters: { barmanObjectName: 'store' },
  },
]
const policy = { schedule: null, retentionDays: 7, pitr: true, targetId: null, drillSchedule: null }

type Drill = { id: string; proof: string | null }

/** A Cluster that was there before, managed here. */
async function managed(name: string, spec: object = {}): Promise<string> {
  await operator.create('shop', name, spec)
  await untilPhase('shop', name, 'Cluster in healthy state')
  const made = await ask('POST', '/api/databases/adopt', { clusterId, namespace: 'shop', cluster: name })
  expect(made.status, made.text).toBe(201)
  await until(made.body.id, { status: 'available' })
  return made.body.id
}

/** The same with rows and a Backup that is completed. */
async function backedUp(name: string): Promise<string> {
  const id = await managed(name, { plugins })
  const statement = 'create table sentinels as select generate_series(1, 10) as n'
  expect((await ask('POST', `/api/databases/${id}/execute`, { statement })).body.error).toBeNull()
  expect((await ask('POST', `/api/databases/${id}/cluster-backups`)).status).toBe(202)
  await vi.waitFor(
    async () => {
      const { backups } = (await ask('GET', `/api/databases/${id}/cluster-backups`)).body
      expect(backups).toMatchObject([{ phase: 'completed' }])
    },
    { timeout: 60_000, interval: 100 },
  )
  return id
}

const setChecks = (id: string, ...checks: { name: string; sql: string }[]) =>
  ask('PUT', `/api/databases/${id}/backup-policy`, { ...policy, checks })
const drills = async (id: string) =>
  (await ask('GET', `/api/databases/${id}/restores?kind=drill`)).body.restores
const ended = (id: string, drillId: string) =>
  vi.waitFor(
    async () => {
      const found = (await drills(id)).find((each: Drill) => each.id === drillId)
      expect(found.proof).not.toBeNull()
      return found
    },
    { timeout: 90_000, interval: 100 },
  )
const begin = async (id: string): Promise<string> => {
  const started = await ask('POST', `/api/databases/${id}/drill`)
  expect(started.status, started.text).toBe(202)
  return started.body.id
}
const drilled = async (id: string) => ended(id, await begin(id))
const ticks = async (id: string) =>
  (await ask('GET', `/api/databases/${id}`)).body.drills.map(({ proof }: Drill) => proof)
const untilGone = (name: string) =>
  vi.waitFor(async () => expect(operator.read('shop', name)).rejects.toThrow('404'), {
    timeout: 30_000,
    interval: 100,
  })
const untilThere = (name: string) =>
  vi.waitFor(() => operator.read('shop', name), { timeout: 30_000, interval: 20 })

test('a drill restores the newest Backup into a Cluster of its own, asks the checks, and leaves nothing', async () => {
  const id = await backedUp('orders')
  await setChecks(id, { name: 'ten sentinels', sql: 'select count(*) = 10 from sentinels' })
  const drillId = await begin(id)
  const { metadata, spec } = await untilThere('orders-drill-1')
  expect(metadata?.labels).toMatchObject({ 'bey.io/drill-of': id, 'bey.io/database': drillId })
  expect(spec).toMatchObject({ instances: 1, bootstrap: { recovery: { source: 'orders' } } })
  // It names no store, so that it does not write over the archive of its source.
  expect(spec?.plugins).toBeUndefined()
  // Nobody is offered to manage it.
  const { clusters } = (await ask('GET', '/api/databases/clusters')).body
  expect(clusters[0].found.map(({ name }: { name: string }) => name)).not.toContain('orders-drill-1')

  const drill = await ended(id, drillId)
  expect(drill).toMatchObject({
    status: 'completed',
    proof: 'passed',
    failure: null,
    checks: [{ name: 'ten sentinels', outcome: 'passed' }],
  })
  expect(drill.durations.restoreMs).toBeGreaterThan(0)
  expect(drill.durations.replayMs).toBeGreaterThanOrEqual(0)
  expect(drill.lostMs).toBeGreaterThanOrEqual(0)
  expect(Date.parse(drill.reachedAt)).toBeLessThanOrEqual(Date.now())
  expect(await ticks(id)).toEqual(['passed'])
  await untilGone('orders-drill-1')

  await setChecks(id, { name: 'a million', sql: 'select count(*) > 999999 from sentinels' })
  const red = await drilled(id)
  expect(red).toMatchObject({ proof: 'failed', checks: [{ outcome: 'failed' }] })
  expect(red.failure).toContain('The check "a million" failed: It answered false.')
  expect(await ticks(id)).toEqual(['passed', 'failed'])
  await untilGone('orders-drill-2')
  await vi.waitFor(
    async () => {
      await lookNow()
      expect((await ask('GET', `/api/databases/${id}`)).body.health).toMatchObject({ reason: 'DrillFailed' })
    },
    { timeout: 30_000, interval: 100 },
  )
}, 180_000)

test.each([
  ['without a store', {}, 'names no store and no plugin for backups'],
  ['without a backup', { plugins }, 'No Backup of it is completed. Back it up first.'],
])('a drill of a Cluster %s could not run, says why, and proves nothing', async (what, spec, words) => {
  const id = await managed(what.replace('without a ', 'no-'), spec)
  const drill = await drilled(id)
  expect(drill).toMatchObject({
    status: 'failed',
    proof: 'could_not_run',
    failure: expect.stringContaining(words),
  })
  expect(await ticks(id)).toEqual(['could_not_run'])
})

test('a drill that the cluster gives no room could not run; one whose restore ends with an error failed', async () => {
  const id = await backedUp('stuck')
  operator.hold('stuck-drill-1', 'Unable to create required cluster objects', 'exceeded quota')
  const first = await begin(id)
  await untilThere('stuck-drill-1')
  // It would be waited for 2 min: whoever cannot wait cancels, and the Cluster goes nevertheless.
  const { run } = (await drills(id))[0]
  await ask('POST', `/api/v1/workflows/${run.workflowId}/runs/${run.runId}/cancel`)
  expect(await ended(id, first)).toMatchObject({ proof: 'could_not_run', status: 'cancelled' })
  await vi.waitFor(
    async () => {
      await lookNow()
      await expect(operator.read('shop', 'stuck-drill-1')).rejects.toThrow('404')
    },
    { timeout: 30_000, interval: 100 },
  )

  operator.hold('stuck-drill-2', 'Setting up primary')
  const second = await begin(id)
  await untilThere('stuck-drill-2')
  await outside.call('POST', '/api/v1/namespaces/shop/pods', {
    metadata: {
      name: 'stuck-drill-2-1-full-recovery-x',
      labels: { 'cnpg.io/cluster': 'stuck-drill-2' },
    },
    spec: { containers: [{ name: 'full-recovery', image: 'postgres' }], restartPolicy: 'Never' },
  })
  await outside.call(
    'PATCH',
    '/api/v1/namespaces/shop/pods/stuck-drill-2-1-full-recovery-x/status',
    {
      status: {
        phase: 'Failed',
        containerStatuses: [
          {
            name: 'full-recovery',
            state: { terminated: { exitCode: 1, message: 'the backup is not in the store' } },
          },
        ],
      },
    },
    'application/merge-patch+json',
  )
  const failed = await ended(id, second)
  expect(failed).toMatchObject({ proof: 'failed', status: 'failed' })
  expect(failed.failure).toContain('ended with an error: the backup is not in the store.')
  await untilGone('stuck-drill-2')
}, 180_000)

test('a drill of a person whom the cluster forbids it could not run, and says so', async () => {
  const id = await managed('guarded', { plugins })
  const member = databaseApi(
    app,
    await app.given.user({ organizationId: admin.organizationId, role: 'MEMBER' }),
  )
  const started = await member.ask('POST', `/api/databases/${id}/drill`)
  expect(started.status, started.text).toBe(202)
  expect(await ended(id, started.body.id)).toMatchObject({
    proof: 'could_not_run',
    failure: expect.stringContaining('forbidden'),
  })
})

test('one that is due begins by its schedule in the name of whoever set it', async () => {
  const id = await backedUp('nightly')
  const path = `/api/databases/${id}/backup-policy`
  const put = await ask('PUT', path, { ...policy, checks: [], drillSchedule: '0 3 * * *' })
  expect(put.body.nextDrillAt, put.text).toMatch(/T03:00:00\.000Z$/)
  const other = await ask('PUT', path, { ...policy, checks: [], schedule: '0 2 * * *' })
  expect([other.status, other.body.detail]).toEqual([409, expect.stringContaining('by a ScheduledBackup')])
  await app.database.ownerPool.query(
    'update database_backup_policies set next_drill_at = now() where database_id = $1',
    [id],
  )
  const drillId = await vi.waitFor(
    async () => {
      await lookNow()
      const [newest] = await drills(id)
      expect(newest.createdBy).toMatchObject({ type: 'system' })
      return newest.id as string
    },
    { timeout: 60_000, interval: 100 },
  )
  const second = await ask('POST', `/api/databases/${id}/drill`)
  expect([second.status, second.body.detail]).toEqual([409, expect.stringContaining('One is under way.')])
  expect(await ended(id, drillId)).toMatchObject({ proof: 'passed' })
  await untilGone('nightly-drill-1')

  // What a run that ended left is removed by the next look.
  await app.database.ownerPool.query(
    `update database_restores set cluster = jsonb_build_object('clusterId', $2::int, 'namespace', 'shop',
       'name', 'left-over', 'userId', (select drill_by from database_backup_policies where database_id = $1))
     where id = $3`,
    [id, clusterId, drillId],
  )
  await outside.call('POST', '/apis/postgresql.cnpg.io/v1/namespaces/shop/clusters', {
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'Cluster',
    metadata: { name: 'left-over', labels: { 'bey.io/database': drillId } },
    spec: { instances: 1, storage: { size: '1Gi' } },
  })
  await vi.waitFor(
    async () => {
      await lookNow()
      await expect(operator.read('shop', 'left-over')).rejects.toThrow('404')
    },
    { timeout: 30_000, interval: 100 },
  )
}, 180_000)

test('a step of a workflow proves a database on a cluster', async () => {
  const id = await backedUp('stepped')
  const steps = [{ key: 'prove', name: 'Prove', type: 'database.drill', config: { database: 'stepped' } }]
  const outputs = { proof: '{{ steps.prove.output }}' }
  const created = await ask('POST', '/api/v1/workflows', {
    name: 'prove-stepped',
    state: 'active',
    steps,
    outputs,
  })
  expect(created.status, created.text).toBe(201)
  const at = `/api/v1/workflows/${created.body.workflow.id}`
  const started = await ask('POST', `${at}/execute`, {})
  const run = await vi.waitFor(
    async () => {
      const { body } = await ask('GET', `${at}/runs/${started.body.run.id}`)
      expect(['completed', 'failed']).toContain(body.run.status)
      return body.run
    },
    { timeout: 90_000, interval: 200 },
  )
  expect(run).toMatchObject({ status: 'completed', output: { proof: { recovery_ms: expect.any(Number) } } })
  expect(await ticks(id)).toEqual(['passed'])
}, 120_000)
