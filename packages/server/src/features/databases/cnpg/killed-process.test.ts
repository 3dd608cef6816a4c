import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test, vi } from 'vitest'

import { startBeyProcess } from '../../../testing/database-chaos/bey-process.ts'
import { testDatabase } from '../../../testing/database.ts'
import { createGiven } from '../../../testing/given.ts'
import { clusterPath } from './cluster-object.ts'
import { importBody, playedCluster } from './testing/cnpg-app.ts'
import { type Body, processApi } from '../testing/process-api.ts'

const database = await testDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'bey-killed-'))
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
const played = await playedCluster()
const { operator, untilPhase } = played
const bey = await startBeyProcess({
  DATABASE_URL: database.url,
  BEY_DATA_DIR: dataDir,
  BEY_SECRET_KEY: randomBytes(32).toString('base64'),
})
afterAll(() => bey.stop())
const user = await createGiven(database).user({ role: 'ADMIN' })
const ask = processApi(bey, user)

const until = (work: () => Promise<unknown>, timeout = 120_000) => vi.waitFor(work, { timeout, interval: 50 })
const one = async (text: string, values: unknown[]): Promise<Body> =>
  (await database.ownerPool.query(text, values)).rows[0]
const drillOf = (id: string) =>
  one('select status, proof, failure, checks, cluster from database_restores where id = $1', [id])
const untilGone = (name: string) =>
  until(async () => expect(operator.read('shop', name)).rejects.toThrow('404'))
const policy = { schedule: null, retentionDays: 7, pitr: true, targetId: null, drillSchedule: null }

const cluster = (await ask('POST', '/api/kubernetes/import', importBody(played))).clusters[0]
await until(async () =>
  expect((await ask('GET', `/api/kubernetes/clusters/${cluster.id}`)).status).toBe('RUNNING'),
)
const plugin = { name: 'barman-cloud.cloudnative-pg.io', isWALArchiver: true, parameters: {} }
await operator.create('shop', 'orders', { plugins: [plugin] })
await untilPhase('shop', 'orders', 'Cluster in healthy state')
const adopted = { clusterId: cluster.id, namespace: 'shop', cluster: 'orders' }
const { id } = await ask('POST', '/api/databases/adopt', adopted)
await until(async () => expect((await ask('GET', `/api/databases/${id}`)).status).toBe('available'))
await ask('POST', `/api/databases/${id}/execute`, {
  statement: 'create table sentinels as select generate_series(1, 10) as n',
})

test('a process that is killed amid a backup leaves one Backup, which the next process follows to its end', async () => {
  operator.away(true)
  await ask('POST', `/api/databases/${id}/cluster-backups`)
  const backups = () => ask('GET', `/api/databases/${id}/cluster-backups`).then((body) => body.backups)
  await until(async () => expect(await backups()).toHaveLength(1))
  await bey.replace()
  operator.away(false)
  const run = () =>
    one('select status from workflow_runs where id = (select last_run_id from databases where id = $1)', [id])
  await until(async () => expect((await run()).status).toBe('completed'))
  expect(await backups()).toMatchObject([{ phase: 'completed' }])
}, 240_000)

const throwAway = (n: number) => `orders-drill-${n}`
const sleeping = { name: 'ten sentinels', sql: 'select count(*) = 10 from sentinels, pg_sleep(1)' }

test.each<[string, number, (drillId: string, name: string) => Promise<unknown>]>([
  ['before it has chosen a backup', 1, async () => undefined],
  ['while its Cluster is restored', 2, (_drillId, name) => until(() => operator.read('shop', name))],
  [
    'while what came back is checked',
    3,
    (drillId) => until(async () => expect((await drillOf(drillId)).status).toBe('validating')),
  ],
  [
    'while its Cluster is removed',
    4,
    (drillId) => until(async () => expect((await drillOf(drillId)).checks).toHaveLength(1)),
  ],
])(
  'a drill whose process is killed %s is taken over, says what was proven, and leaves no Cluster',
  async (_when, n, moment) => {
    await ask('PUT', `/api/databases/${id}/backup-policy`, { ...policy, checks: [sleeping] })
    const isHeld = n === 2
    if (isHeld) operator.hold(throwAway(n), 'Setting up primary')
    const drill = await ask('POST', `/api/databases/${id}/drill`)
    await moment(drill.id, throwAway(n))
    await bey.replace()
    if (isHeld) operator.letGo(throwAway(n))
    await until(async () => expect((await drillOf(drill.id)).proof).not.toBeNull())
    expect(await drillOf(drill.id)).toMatchObject({
      status: 'completed',
      proof: 'passed',
      failure: null,
      checks: [{ outcome: 'passed' }],
    })
    await untilGone(throwAway(n))
  },
  240_000,
)

test('a drill whose Cluster disappeared while no process ran could not run, and proves nothing', async () => {
  operator.hold(throwAway(5), 'Setting up primary')
  const drill = await ask('POST', `/api/databases/${id}/drill`)
  await until(() => operator.read('shop', throwAway(5)))
  await until(async () => expect((await drillOf(drill.id)).status).toBe('restoring'))
  await bey.replace(() => played.outside.call('DELETE', clusterPath('shop', throwAway(5))))
  await until(async () => expect((await drillOf(drill.id)).proof).not.toBeNull())
  const { status, proof, failure } = await drillOf(drill.id)
  expect({ status, proof }).toEqual({ status: 'failed', proof: 'could_not_run' })
  expect(failure).toMatch(/Cluster/)
}, 240_000)
