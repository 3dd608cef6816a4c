import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test, vi } from 'vitest'

import { startBeyProcess } from '../../testing/database-chaos/bey-process.ts'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { query } from './testing/database-api.ts'
import { type Body, processApi } from './testing/process-api.ts'

const database = await testDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'bey-creation-killed-'))
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
const bey = await startBeyProcess({
  DATABASE_URL: database.url,
  BEY_DATA_DIR: dataDir,
  BEY_SECRET_KEY: randomBytes(32).toString('base64'),
})
afterAll(() => bey.stop())
const ask = processApi(bey, await createGiven(database).user({ role: 'ADMIN' }))
const until = (work: () => Promise<unknown>) => vi.waitFor(work, { timeout: 60_000, interval: 10 })
const one = async (text: string, values: unknown[]): Promise<Body> =>
  (await database.ownerPool.query(text, values)).rows[0]

const backups = {
  schedule: '0 2 * * *',
  retentionDays: 14,
  targetId: null,
  pitr: true,
  drillSchedule: '0 3 * * *',
  checks: [],
  recoveryTimeMinutes: 9,
}

test.each(['configure', 'first_backup'])(
  'a creation whose process is killed at its step "%s" ends with all that was asked for',
  async (step) => {
    const { id, lastRun } = await ask('POST', '/api/databases', {
      provider: 'embedded',
      name: `at-${step.replace('_', '-')}`,
      backups,
      allowList: [{ cidr: '10.20.0.0/16' }],
      parameters: { max_connections: '31' },
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

    const { status, endpoint, credential } = await ask('GET', `/api/databases/${id}`)
    expect(status).toBe('available')
    const policy = await ask('GET', `/api/databases/${id}/backup-policy`)
    expect(policy).toMatchObject({ ...backups, version: 1 })
    const made = await ask('GET', `/api/databases/${id}/backups`)
    expect(made.backups).toMatchObject([{ status: 'completed' }])
    const { dir } = await one('select dir from databases where id = $1', [id])
    expect(await readFile(join(dir, 'postgres', 'pg_hba.conf'), 'utf8')).toContain('10.20.0.0/16')
    const { value } = await ask('POST', `/api/secrets/${credential.id}/reveal`, { reason: 'Test' })
    expect(
      await query(
        endpoint,
        value,
        "select current_setting('max_connections') as most, extname from pg_extension where extname = 'citext'",
      ),
    ).toEqual([{ most: '31', extname: 'citext' }])
  },
  240_000,
)
