import { expect, test } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { keepForTriggers } from '../triggers/event-rules.ts'
import { createPurgeOfDeleted } from './purge-deleted.ts'

const app = await testApp()
const owner = await app.given.user()
const { organizationId } = owner

const step = (key: string, more: object = {}) => ({ key, name: key, type: 'transform', ...more })
const definition = (name: string, more: object = {}) => ({ name, steps: [step('a'), step('b')], ...more })
const ask = (method: string, path: string, body?: unknown, token = owner.token) =>
  app.ask(method, `/api/v1/workflows${path}`, { token, organizationId, body })

async function created(name: string, more: object = {}): Promise<string> {
  const reply = await ask('POST', '', definition(name, more))
  expect(reply.status, reply.text).toBe(201)
  return reply.body.workflow.id
}

test('each save is a version of its own, and none changes what was saved before', async () => {
  const id = await created('deploy', { reason: 'first' })
  const next = await ask('PUT', `/${id}`, { ...definition('deploy v2'), reason: 'renamed', base_version: 1 })
  expect(next.body).toMatchObject({ workflow: { name: 'deploy v2', version: 2 }, version: { version: 2 } })
  const list = await ask('GET', `/${id}/versions`)
  expect(list.body.versions.map((row: { reason: string }) => row.reason)).toEqual(['renamed', 'first'])
  const first = await ask('GET', `/${id}/versions/1`)
  expect(first.body.definition).toMatchObject({ name: 'deploy', input_schema: { type: 'object' } })
  expect((await ask('GET', `/${id}/versions/latest`)).body.version.version).toBe(2)
  expect((await ask('GET', `/${id}/versions/3`)).status).toBe(404)
})

test('the fields of the input stay in the order in which they were written', async () => {
  const properties = { namespace: { type: 'string' }, replicas: { type: 'integer' }, app: { type: 'string' } }
  const id = await created('ordered', { input_schema: { type: 'object', properties } })
  const { definition: saved } = (await ask('GET', `/${id}/versions/1`)).body
  expect(Object.keys(saved.input_schema.properties)).toEqual(['namespace', 'replicas', 'app'])
  const { workflow } = (await ask('GET', `/${id}`)).body
  expect(Object.keys(workflow.input_schema.properties)).toEqual(['namespace', 'replicas', 'app'])
})

test('a save that changes nothing makes no version', async () => {
  const id = await created('same')
  const again = await ask('PUT', `/${id}`, definition('same'))
  expect(again.body.version.version).toBe(1)
})

test('of two people who save the same version, the second learns who was first', async () => {
  const id = await created('contested')
  const both = await Promise.all(
    ['one', 'two'].map((description) =>
      ask('PUT', `/${id}`, { ...definition('contested'), description, base_version: 1 }),
    ),
  )
  expect(new Set(both.map((reply) => reply.status))).toEqual(new Set([200, 409]))
  const refused = both.find((reply) => reply.status === 409)
  expect(refused?.body.detail).toContain('has saved version 2 meanwhile')
})

test('what is wrong is reported by step and field, on saving and before', async () => {
  const wrong = definition('wrong', {
    steps: [step('a', { needs: ['b'] }), step('b', { needs: ['a', 'gone'] }), step('a')],
  })
  const reply = await ask('POST', '', wrong)
  expect(reply.status).toBe(400)
  expect(reply.body.errors.map((error: { path: string }) => error.path)).toEqual([
    'steps[1].needs',
    'steps[2].key',
    'steps[1].needs',
  ])
  const checked = await ask('POST', '/validate', { definition: wrong })
  expect(checked.body.problems[0]).toEqual({
    path: 'steps[1].needs',
    step_key: 'b',
    message: 'There is no step "gone" to wait for.',
    severity: 'error',
  })
  expect(checked.body.problems[2].message).toContain('never begin')
})

test('a definition of any shape gets problems as its answer', async () => {
  const shapes = [
    [{}, 'name'],
    [{ name: 'x', steps: 'all' }, 'steps'],
    [{ name: 'x', steps: [{ key: 'A b', name: 'x', type: 't' }] }, 'steps[0].key'],
    [{ name: 'x', steps: [step('a', { timeout_ms: -1 })] }, 'steps[0].timeout_ms'],
    [{ name: 'x', steps: [step('a', { colour: 'red' })] }, 'steps[0]'],
    [{ name: 'x', steps: [] }, 'steps'],
    [{ name: 'x', steps: [step('a')], input_schema: { type: 'array' } }, 'input_schema.type'],
    [{ name: 'x', steps: Array.from({ length: 5_001 }, (_, index) => step(`s${index}`)) }, 'steps'],
  ] as const
  for (const [shape, path] of shapes) {
    const reply = await ask('POST', '/validate', { definition: shape })
    expect(reply.status).toBe(200)
    expect(
      reply.body.problems.map((problem: { path: string }) => problem.path),
      JSON.stringify(shape).slice(0, 80),
    ).toContain(path)
  }
})

test('a state moves only as its table says, and what is archived leaves the list', async () => {
  const id = await created('stateful', { state: 'draft' })
  expect((await ask('POST', `/${id}/state`, { state: 'paused' })).body.detail).toBe(
    'The workflow is draft. From there it can become active or archived, but not paused.',
  )
  for (const state of ['active', 'paused', 'archived']) {
    expect((await ask('POST', `/${id}/state`, { state })).body.workflow.state).toBe(state)
  }
  const listed = async (query: string) =>
    (await ask('GET', `?search=stateful${query}`)).body.workflows.map((row: { id: string }) => row.id)
  expect(await listed('')).toEqual([])
  expect(await listed('&state=archived')).toEqual([id])
})

test('a workflow with a run under way is not deleted, and one without is, with its runs', async () => {
  const id = await created('busy')
  const run = await app.given.run({
    organizationId,
    workflowId: id,
    status: 'running',
    startedAt: new Date(),
  })
  expect((await ask('DELETE', `/${id}`)).body.detail).toContain('has not ended')
  await app.database.ownerPool.query(
    "update workflow_runs set status = 'completed', finished_at = now() where id = $1",
    [run.id],
  )
  expect((await ask('DELETE', `/${id}?permanent=true`)).body).toEqual({ purge_at: null, deleted_runs: 1 })
  expect((await ask('GET', `/${id}`)).status).toBe(404)
})

async function withTriggerAndRun(name: string) {
  const id = await created(name)
  const run = await app.given.run({
    organizationId,
    workflowId: id,
    status: 'completed',
    finishedAt: new Date(),
  })
  const settings = { type: 'event', event: 'CLUSTER_HEALTH_UPDATE' }
  await ask('POST', `/${id}/triggers`, { name: 'On trouble', settings })
  const fire = () =>
    app.database.withTenant(organizationId, (db) =>
      keepForTriggers(db, [{ organizationId, type: 'CLUSTER_HEALTH_UPDATE', data: { clusterId: 1 } }]),
    )
  const arrivals = async () => {
    const { rows } = await app.database.ownerPool.query(
      'select 1 from trigger_events e join workflow_triggers t on t.id = e.trigger_id where t.workflow_id = $1',
      [id],
    )
    return rows.length
  }
  return { id, run, fire, arrivals }
}

test('a deleted workflow keeps its runs, starts nothing, and is restored as it was', async () => {
  const { id, run, fire, arrivals } = await withTriggerAndRun('undone')
  const reply = await ask('DELETE', `/${id}`)
  expect(reply.body).toEqual({ purge_at: expect.any(String), deleted_runs: 0 })
  const days = (Date.parse(reply.body.purge_at) - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(7)
  await fire()
  expect(await arrivals()).toBe(0)
  expect((await ask('GET', `/${id}`)).body.workflow).toMatchObject({ purge_at: reply.body.purge_at })
  expect((await ask('GET', `/${id}/runs/${run.id}`)).status).toBe(200)
  const names = async (query: string) =>
    (await ask('GET', query)).body.workflows.map(({ name }: { name: string }) => name)
  expect(await names('?limit=200')).not.toContain('undone')
  expect(await names('?limit=200&state=archived')).toContain('undone')
  for (const [method, path, body] of [
    ['PUT', '', definition('undone')],
    ['POST', '/state', { state: 'active' }],
    ['POST', '/execute', {}],
    ['POST', '/triggers', { name: 'Other', settings: { type: 'schedule', cron: '0 * * * *' } }],
    ['DELETE', '', undefined],
  ] as const) {
    const refused = await ask(method, `/${id}${path}`, body)
    expect([method + path, refused.status, refused.body.detail]).toEqual([
      method + path,
      409,
      expect.stringMatching(/"undone" is deleted\. Restore it/),
    ])
  }
  // Its name is kept, so that restoring never fails.
  expect((await ask('POST', '', definition('undone'))).body.code).toBe('name_taken')
  const restored = await ask('POST', `/${id}/restore`)
  expect(restored.body.workflow).toMatchObject({ state: 'active', purge_at: null })
  expect((await ask('POST', `/${id}/restore`)).status).toBe(409)
  await fire()
  expect(await arrivals()).toBe(1)
  const { rows } = await app.database.ownerPool.query<{ action: string }>(
    'select action from audit_entries where target_id = $1 order by id',
    [id],
  )
  expect(rows.map(({ action }) => action)).toEqual(['workflow.create', 'workflow.delete', 'workflow.restore'])
})

test('seven days after its deletion a workflow is gone with its runs, and its name is free', async () => {
  const { id, run } = await withTriggerAndRun('gone')
  const kept = await withTriggerAndRun('still there')
  for (const each of [id, kept.id]) await ask('DELETE', `/${each}`)
  await app.database.ownerPool.query(
    "update workflows set deleted_at = now() - interval '7 days 1 minute' where id = $1",
    [id],
  )
  const count = (table: string, column: string, value: string) =>
    app.database.ownerPool
      .query(`select 1 from ${table} where ${column} = $1`, [value])
      .then(({ rows }) => rows.length)
  const forgotten: string[] = []
  const purge = createPurgeOfDeleted({
    database: app.database,
    forgetRuns: async (ids: string[]) => void forgotten.push(...ids),
  })
  await purge(new Date())
  expect(forgotten).toEqual([run.id])
  for (const [table, column] of [
    ['workflows', 'id'],
    ['workflow_runs', 'workflow_id'],
    ['workflow_versions', 'workflow_id'],
    ['workflow_triggers', 'workflow_id'],
  ] as const) {
    expect([table, await count(table, column, id)]).toEqual([table, 0])
    expect([table, await count(table, column, kept.id)]).toEqual([table, 1])
  }
  const { rows } = await app.database.ownerPool.query<{ actor_type: string }>(
    "select actor_type from audit_entries where target_id = $1 and action = 'workflow.purge'",
    [id],
  )
  expect(rows).toHaveLength(1)
  await created('gone')
})

test('a built-in workflow and a name that is taken are refused', async () => {
  await created('taken')
  expect((await ask('POST', '', definition('taken'))).body.code).toBe('name_taken')
  const builtIn = (await ask('GET', '?limit=200')).body.workflows.find(
    (row: { is_built_in: boolean }) => row.is_built_in,
  )
  const refused = await ask('PUT', `/${builtIn.id}`, definition('mine'))
  expect(refused.status).toBe(403)
  expect(refused.body.detail).toContain('is built in')
})

test('each change is in the audit trail with its reason', async () => {
  const id = await created('audited', { reason: 'because' })
  await ask('PUT', `/${id}`, { ...definition('audited'), description: 'new', reason: 'why not' })
  await ask('DELETE', `/${id}`)
  const { rows } = await app.database.ownerPool.query<{ action: string; diff: { reason?: string } }>(
    'select action, diff from audit_entries where target_id = $1 order by id',
    [id],
  )
  expect(rows.map((row) => [row.action, row.diff.reason])).toEqual([
    ['workflow.create', 'because'],
    ['workflow.update', 'why not'],
    ['workflow.delete', undefined],
  ])
})

test('what a definition names and the organization does not have is a warning of check, create and save', async () => {
  const steps = (workflow: string) => [
    { ...step('a'), type: 'subworkflow', config: { workflow } },
    { ...step('b'), type: 'secret.rotate', config: { secret: 'nothing' } },
    step('c', { config: { values: { x: '{{ steps.a.output.output.url }}' } } }),
  ]
  const warned = [
    ['steps[0].config.workflow', 'There is no workflow "inner" in this organization.'],
    ['steps[1].config.secret', 'There is no secret "nothing" in this organization.'],
  ]
  const outer = definition('outer', { steps: steps('inner') })
  const places = (problems: { path: string; message: string; severity: string }[]) =>
    problems.map(({ path, message }) => [path, message])
  expect(places((await ask('POST', '/validate', { definition: outer })).body.problems)).toEqual(warned)
  const reply = await ask('POST', '', outer)
  expect(reply.status, reply.text).toBe(201)
  expect(places(reply.body.warnings)).toEqual(warned)
  expect(reply.body.warnings[0].severity).toBe('warning')
  await created('inner', { outputs: { uri: '{{ steps.a.output }}' } })
  const saved = await ask('PUT', `/${reply.body.workflow.id}`, outer)
  expect(saved.status).toBe(400)
  expect(saved.body.errors).toEqual([
    {
      path: 'steps[2].config.values.x',
      message: 'There is no "url" in steps.a.output.output. Did you mean "uri"? (line 1, column 26)',
    },
  ])
  await created('other', { outputs: { url: '{{ steps.a.output }}' } })
  const next = await ask('PUT', `/${reply.body.workflow.id}`, definition('outer', { steps: steps('other') }))
  expect(places(next.body.warnings)).toEqual(warned.slice(1))
})

test('a name in camel case is no second name of a field: it is refused with the right one', async () => {
  const wrong = definition('camel', {
    inputSchema: { type: 'object' },
    steps: [step('a', { timeoutMs: 5, config: { values: { timeoutMs: 1 } } })],
  })
  const reply = await ask('POST', '', wrong)
  expect(reply.status).toBe(400)
  expect(reply.body.errors).toEqual([
    { path: 'steps.0.timeoutMs', message: 'There is no such field. Write "timeout_ms".' },
    { path: 'inputSchema', message: 'There is no such field. Write "input_schema".' },
  ])
  const id = await created('snake')
  expect((await ask('PUT', `/${id}`, { ...definition('snake'), inputSchema: {} })).status).toBe(400)
  const { problems } = (await ask('POST', '/validate', { definition: wrong })).body
  expect(problems).toMatchObject([
    { path: 'steps[0].timeoutMs', step_key: 'a' },
    {
      path: 'inputSchema',
      step_key: null,
      message: 'There is no field "inputSchema" here. Did you mean "input_schema"?',
    },
  ])
  expect((await ask('GET', '?sort=createdAt&limit=1')).status).toBe(200)
})

test('the definition that a version answers is saved as it is, and makes no version', async () => {
  const id = await created('round', {
    input_schema: { type: 'object', properties: { someName: { type: 'string' } } },
    steps: [
      step('a', { timeout_ms: 5_000, retry: { limit: 1 }, foreach: { items: '[1]' } }),
      step('b', { compensate: { type: 'transform', config: { values: { camelCase: 1 } } } }),
    ],
    outputs: { camelCase: '{{ inputs.someName }}' },
    queue_timeout_ms: 60_000,
    retention_days: 5,
  })
  const read = (await ask('GET', `/${id}/versions/latest`)).body
  const saved = await ask('PUT', `/${id}`, read.definition)
  expect(saved.status, saved.text).toBe(200)
  expect(saved.body.version.version).toBe(1)
})
