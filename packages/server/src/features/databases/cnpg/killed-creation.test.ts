import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test, vi } from 'vitest'

import { startBeyProcess } from '../../../testing/database-chaos/bey-process.ts'
import { testDatabase } from '../../../testing/database.ts'
import { createGiven } from '../../../testing/given.ts'
import { type Body, processApi } from '../testing/process-api.ts'
import { importBody, playedCluster } from './testing/cnpg-app.ts'

const database = await testDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'bey-cluster-creation-killed-'))
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
const played = await playedCluster()
const { operator, outside } = played
const bey = await startBeyProcess({
  DATABASE_URL: database.url,
  BEY_DATA_DIR: dataDir,
  BEY_SECRET_KEY: randomBytes(32).toString('base64'),
})
afterAll(() => bey.stop())
const ask = processApi(bey, await createGiven(database).user({ role: 'ADMIN' }))
const until = (work: () => Promise<unknown>) => vi.waitFor(work, { timeout: 90_000, interval: 10 })
const one = async (text: string, values: unknown[]): Promise<Body> =>
  (await database.ownerPool.query(text, values)).rows[0]

const imported = (await ask('POST', '/api/kubernetes/import', importBody(played))).clusters[0]
await until(async () =>
  expect((await ask('GET', `/api/kubernetes/clusters/${imported.id}`)).status).toBe('RUNNING'),
)
const target = await ask('POST', '/api/databases/backup-targets', {
  name: 'Frankfurt',
  endpoint: 'https://s3.example.com',
  region: 'eu-central-1',
  bucket: 'backups',
  accessKeyId: 'AKIA1',
  secretAccessKey: 'canary',
})
const backups = {
  schedule: '0 2 * * *',
  retentionDays: 14,
  targetId: target.id,
  pitr: true,
  drillSchedule: '0 3 * * *',
  checks: [],
  recoveryTimeMinutes: 9,
}

test.each(['backup_store', 'apply', 'extensions', 'schedule', 'first_backup'])(
  'a creation on a cluster whose process is killed at its step "%s" ends with all that was asked for, once',
  async (step) => {
    const name = `at-${step.replace('_', '-')}`
    const { id, lastRun } = await ask('POST', '/api/databases', {
      provider: 'cnpg',
      name,
      cluster: { clusterId: imported.id, namespace: 'shop', storage: '1Gi' },
      backups,
      extensions: ['citext'],
    })
    await until(async () =>
      expect(
        await one("select key from step_runs where run_id = $1 and key = $2 and status <> 'pending'", [
          lastRun.runId,
          step,
        ]),
      ).toEqual({ key: step }),
    )
    await bey.replace()
    const run = () => one('select status from workflow_runs where id = $1', [lastRun.runId])
    await until(async () => expect((await run()).status).toBe('completed'))

    expect((await ask('GET', `/api/databases/${id}`)).status).toBe('available')
    expect(await ask('GET', `/api/databases/${id}/backup-policy`)).toMatchObject({ ...backups, version: 1 })
    const found = await ask('GET', `/api/databases/${id}/cluster-backups`)
    expect(found).toMatchObject({
      schedule: { cron: '0 2 * * *', drift: null },
      backups: [{ phase: 'completed' }],
    })
    expect(found.backups).toHaveLength(1)
    const { spec } = await operator.read('shop', name)
    expect(spec?.backup).toMatchObject({ retentionPolicy: '14d' })
    const secret = await outside.call('GET', `/api/v1/namespaces/shop/secrets/${name}-backup-store`)
    expect(secret).toMatchObject({ metadata: { labels: { 'bey.io/database': id } } })
    const read = await ask('POST', `/api/databases/${id}/query`, {
      statement: "select count(*) from pg_extension where extname = 'citext'",
    })
    expect(read.rows).toEqual([['1']])
  },
  240_000,
)
