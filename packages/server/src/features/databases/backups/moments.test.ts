import { expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi } from '../testing/database-api.ts'

const app = await testApp()
const user = await app.given.user({ role: 'ADMIN' })
const { ask, embedded } = databaseApi(app, user)
const catalog = await embedded('catalog')
const path = `/api/databases/${catalog.id}`

const execute = async (statement: string) => {
  const reply = await ask('POST', `${path}/execute`, { statement })
  expect(reply.status, reply.text).toBe(200)
  return reply.body.error
}

/** Runs a workflow of one statement. */
async function runStep(name: string, query: string) {
  const step = {
    key: 'drop',
    name: 'Drop',
    type: 'sql',
    config: { database: 'catalog', query, read_only: false },
  }
  const created = await ask('POST', '/api/v1/workflows', { name, state: 'active', steps: [step] })
  expect(created.status, created.text).toBe(201)
  const at = `/api/v1/workflows/${created.body.workflow.id}`
  const started = await ask('POST', `${at}/execute`, {})
  await vi.waitFor(
    async () => {
      const { body } = await ask('GET', `${at}/runs/${started.body.run.id}`)
      expect(['completed', 'failed'], JSON.stringify(body.run.error)).toContain(body.run.status)
    },
    { timeout: 30_000, interval: 100 },
  )
  return { workflowId: created.body.workflow.id, runId: started.body.run.id, workflowName: name }
}

test('statements that removed or rewrote data are listed with who did it, and without their values', async () => {
  await execute('create table prices as select n from generate_series(1, 5) n')
  await execute("create table people as select 'Ada'::text as name")
  await execute("delete from people where name = 'Ada'")
  expect(await execute('drop table nothing')).not.toBeNull()
  const run = await runStep('migrate', 'drop table prices')
  await runStep('broken', 'drop table nothing')
  const { body } = await ask('GET', `${path}/moments`)
  expect(body.moments).toEqual([
    {
      at: expect.any(String),
      verb: 'drop_table',
      text: 'DROP TABLE prices',
      table: { schema: null, name: 'prices' },
      rows: null,
      by: null,
      run,
    },
    {
      at: expect.any(String),
      verb: 'delete',
      text: 'DELETE FROM people',
      table: { schema: null, name: 'people' },
      rows: 1,
      by: user.name,
      run: null,
    },
  ])
}, 60_000)

test('who may not restore sees none of them', async () => {
  const { token } = await app.given.user({ organizationId: user.organizationId, role: 'VIEWER' })
  const reply = await app.ask('GET', `${path}/moments`, { token, organizationId: user.organizationId })
  expect(reply.status).toBe(403)
})
