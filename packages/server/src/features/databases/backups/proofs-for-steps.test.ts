import { expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi } from '../testing/database-api.ts'

const app = await testApp()
const user = await app.given.user({ role: 'MEMBER' })
const { ask, embedded } = databaseApi(app, user)
const orders = await embedded('orders')
const path = `/api/databases/${orders.id}`

/** Saves steps as a workflow, starts it, and answers how its run ended. */
async function run(name: string, ...types: string[]) {
  const steps = types.map((type) => ({
    key: type.replace('.', '_'),
    name: type,
    type,
    config: { database: name },
  }))
  const outputs = Object.fromEntries(steps.map(({ key }) => [key, `{{ steps.${key}.output }}`]))
  const body = { name: `prove-${name}-${types.length}`, state: 'active', steps, outputs }
  const created = await ask('POST', '/api/v1/workflows', body)
  expect(created.status, created.text).toBe(201)
  const at = `/api/v1/workflows/${created.body.workflow.id}`
  const started = await ask('POST', `${at}/execute`, {})
  expect(started.status, started.text).toBe(202)
  return vi.waitFor(
    async () => {
      const { body: found } = await ask('GET', `${at}/runs/${started.body.run.id}`)
      expect(['completed', 'failed']).toContain(found.run.status)
      return found.run
    },
    { timeout: 90_000, interval: 200 },
  )
}

test('a workflow backs a database up and proves that it can be restored, each by a run of its own', async () => {
  const ended = await run('orders', 'database.backup', 'database.drill')
  expect(ended).toMatchObject({
    status: 'completed',
    output: {
      database_backup: { consistent_at: expect.any(String), stored_bytes: expect.any(Number) },
      database_drill: { recovery_ms: expect.any(Number), lost_ms: expect.any(Number) },
    },
  })
  const { database_backup: backup, database_drill: drill } = ended.output
  const { body } = await ask('GET', `${path}/backups/${backup['backup']}`)
  expect(body).toMatchObject({ status: 'verified', createdBy: { name: user.name } })
  expect(body.run.runId).toBe(backup['run'])
  const { restores } = (await ask('GET', `${path}/restores?kind=drill`)).body
  expect(restores).toMatchObject([{ id: drill['drill'], proof: 'passed' }])
}, 120_000)

test('a drill that fails its checks fails the step with the check', async () => {
  const checks = [{ name: 'never', sql: 'select false' }]
  const policy = { schedule: null, retentionDays: 7, pitr: true, targetId: null, drillSchedule: null, checks }
  await ask('PUT', `${path}/backup-policy`, policy)
  const failed = await run('orders', 'database.drill')
  expect(failed.error.message).toContain('The drill failed: The check "never" failed: It answered false.')
}, 120_000)
