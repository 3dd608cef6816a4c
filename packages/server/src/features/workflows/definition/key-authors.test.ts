import { beforeEach, expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { soonMs } from '../../../testing/soon.ts'

const app = await testApp()
const owner = await app.given.user()
const { organizationId } = owner
const key = await app.given.apiKey(owner, {
  name: 'ci',
  permissions: ['workflows.read', 'workflows.create', 'workflows.update', 'workflows.execute'],
})
const ask = (method: string, path: string, body?: unknown, token = owner.token) =>
  app.ask(method, path, { token, organizationId, body })

const missing = 'The API key "ci", which saved version 2 of "outer'
const permission = 'was not given the permission secrets.update'

/** What the key may not do: it rotates the secret. */
const rotate = { key: 'rotate', name: 'Rotate', type: 'secret.rotate', config: { secret: 'api-token' } }
const harmless = { key: 'none', name: 'None', type: 'transform' }
const sub = (workflow: string, more: object = {}) => ({
  key: 'sub',
  name: 'Sub',
  type: 'subworkflow',
  config: { workflow, ...more },
})
await ask('POST', '/api/secrets', { name: 'api-token', value: 'the-first-value', type: 'opaque' })

let made = 0
let inner = ''
let outer = ''
let outerName = ''
beforeEach(async () => {
  made += 1
  inner = await created(`inner-${made}`, rotate)
  outerName = `outer-${made}`
  outer = await created(outerName, harmless)
})

async function created(name: string, ...steps: object[]): Promise<string> {
  const reply = await ask('POST', '/api/v1/workflows', { name, steps })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.workflow.id
}

const save = (token: string, id: string, name: string, ...steps: object[]) =>
  ask('PUT', `/api/v1/workflows/${id}`, { name, steps }, token)

/** A webhook of a person, and how to send to it. */
async function personsTrigger(id: string) {
  const settings = { type: 'webhook', authentication: 'token' }
  const { body } = await ask('POST', `/api/v1/workflows/${id}/triggers`, { name: 'hook', settings })
  const path = `/api/v1/workflows/${id}/triggers/${body.trigger.id}`
  return { path, fire: () => app.ask('POST', body.trigger.hook_path, { token: body.secret, body: {} }) }
}

async function endOf(id: string, runId: string) {
  const { body, text } = await vi.waitUntil(
    async () => {
      const reply = await ask('GET', `/api/v1/workflows/${id}/runs/${runId}`)
      return reply.body.run.finished_at !== null && reply
    },
    { timeout: soonMs, interval: 20 },
  )
  // With the errors of its steps and of their iterations.
  return { status: body.run.status as string, errors: text.replaceAll('\\"', '"') }
}

/** How a run ends that a person starts, of the current version unless given. */
async function executed(id: string, body: object = {}, token = owner.token) {
  const { body: started, text } = await ask('POST', `/api/v1/workflows/${id}/execute`, body, token)
  expect(started.run, text).toBeDefined()
  return endOf(id, started.run.id)
}

const versionOfSecret = async () => {
  const { rows } = await app.database.ownerPool.query<{ version: number }>(
    `select current_version as version from secrets where name = 'api-token'`,
  )
  return rows[0]?.version ?? 0
}

test.each([
  ['a sub-workflow', () => sub(`inner-${made}`)],
  ['one by its id', () => sub(inner)],
  [
    'one that undoes a step',
    () => ({ ...harmless, compensate: { type: 'subworkflow', config: { workflow: inner } } }),
  ],
  ['one for each item', () => ({ ...sub(inner), foreach: { items: '[1, 2]' } })],
  [
    'an older version of one',
    async () => {
      await save(owner.token, inner, `inner-${made}`, harmless)
      return sub(inner, { version: 1 })
    },
  ],
  ['a sub-workflow within one', async () => sub(await created(`middle-${made}`, sub(inner)))],
])('a key does not save a step that its permissions do not cover: %s', async (_what, step) => {
  const reply = await save(key.token, outer, outerName, await step())
  expect(reply.status, reply.text).toBe(403)
  expect(reply.text).toContain(
    `It starts \\"inner-${made}\\" with the step \\"Rotate\\". The API key \\"ci\\" ${permission}`,
  )
  expect((await ask('GET', `/api/v1/workflows/${outer}`)).body.workflow.version).toBe(1)
})

test.each([
  ['named by an expression', async () => sub(`{{ 'inner-' + '${made}' }}`), () => undefined],
  [
    'named by the item of a loop',
    async () => ({ ...sub('{{ item }}'), foreach: { items: `['${inner}']` } }),
    () => undefined,
  ],
  ['that is not waited for', async () => sub(`{{ '${inner}' }}`, { wait: false }), () => undefined],
  ['that did not exist', async () => sub(`later-${made}`), () => created(`later-${made}`, rotate)],
  [
    'that was changed since',
    async () => sub(await created(`changed-${made}`, harmless)),
    async () => {
      const { body } = await ask('GET', `/api/v1/workflows?search=changed-${made}`)
      await save(owner.token, body.workflows[0].id, `changed-${made}`, rotate)
    },
  ],
  [
    'within one of a person',
    async () =>
      sub(await created(`open-${made}`, { ...sub('{{ inputs.workflow }}') }), {
        input: { workflow: `inner-${made}` },
      }),
    () => undefined,
  ],
])(
  'runs of a version that a key saved are bounded by it, whoever starts them: a sub-workflow %s',
  async (_what, step, later) => {
    const { fire } = await personsTrigger(outer)
    const before = await versionOfSecret()
    const written = await save(key.token, outer, outerName, await step())
    expect(written.status, written.text).toBe(200)
    expect(written.body.version.api_key).toEqual({ id: key.id, name: 'ci' })
    await later()
    const fired = await fire()
    expect(fired.status, fired.text).toBeLessThan(300)
    for (const run of [await endOf(outer, fired.body.run_id), await executed(outer)]) {
      expect(run).toMatchObject({ status: 'failed' })
      expect(run.errors).toContain(missing)
      expect(run.errors).toContain(permission)
    }
    expect(await versionOfSecret()).toBe(before)
  },
)

test('what a key saved stays bounded by it until a person saves it again', async () => {
  const steps = [sub(`{{ 'inner-${made}' }}`)]
  await save(key.token, outer, outerName, ...steps)
  const first = await ask('POST', `/api/v1/workflows/${outer}/execute`, {})
  expect((await endOf(outer, first.body.run.id)).errors).toContain(missing)
  const retry = (version: string) =>
    ask('POST', `/api/v1/workflows/${outer}/runs/${first.body.run.id}/retry`, { mode: 'from_start', version })
  const again = await retry('latest')
  expect((await endOf(outer, again.body.run.id)).errors).toContain(missing)
  // The key that saves the same again changes nothing.
  expect((await save(key.token, outer, outerName, ...steps)).body.version.version).toBe(2)

  const before = await versionOfSecret()
  const taken = await save(owner.token, outer, outerName, ...steps)
  expect(taken.body.version).toMatchObject({ version: 3, api_key: null })
  expect(await executed(outer)).toMatchObject({ status: 'completed' })
  expect(await versionOfSecret()).toBe(before + 1)
  expect((await save(key.token, outer, outerName, ...steps)).body.version).toMatchObject({
    version: 3,
    api_key: null,
  })

  // A run of the version of the key is bounded also now.
  for (const run of [
    await executed(outer, { version: 2 }),
    await endOf(outer, (await retry('pinned')).body.run.id),
  ]) {
    expect(run.errors).toContain(missing)
  }
  expect(await versionOfSecret()).toBe(before + 1)
})

test('a key that was revoked bounds what it saved as before, and one that is gone allows nothing', async () => {
  const { fire } = await personsTrigger(outer)
  const fired = async () => endOf(outer, (await fire()).body.run_id)
  const former = await app.given.apiKey(owner, { name: 'former' })
  const saved = await save(former.token, outer, outerName, rotate)
  expect(saved.status, saved.text).toBe(200)
  const { ownerPool } = app.database
  await ownerPool.query('update api_keys set revoked_at = now() where id = $1', [former.id])
  expect(await fired()).toMatchObject({ status: 'completed' })

  await ownerPool.query(`update api_keys set permissions = '{workflows.update}' where id = $1`, [former.id])
  expect((await fired()).errors).toContain(`The API key "former", which saved version 2 of "${outerName}"`)
  const refused = await ask('POST', `/api/v1/workflows/${outer}/execute`, {})
  expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining(permission)])
  await ownerPool.query('delete from api_keys where id = $1', [former.id])
  expect((await fired()).errors).toContain(`The API key that saved version 2 of "${outerName}" is gone.`)
  const { body } = await ask('GET', `/api/v1/workflows/${outer}/versions`)
  expect(body.versions[0].api_key).toEqual({ id: former.id, name: null })
})

test('a personal key bounds what it saved by what its owner may do today', async () => {
  const member = await app.given.user({ organizationId, role: 'MEMBER' })
  const personal = await app.given.apiKey(member)
  await save(personal.token, outer, outerName, sub(`inner-${made}`))
  expect(await executed(outer)).toMatchObject({ status: 'completed' })
  await app.database.ownerPool.query(`update memberships set role = 'VIEWER' where user_id = $1`, [member.id])
  expect((await executed(outer)).errors).toContain('is bounded by the role VIEWER')
})

test('a key does not choose what a trigger of a person gives to its runs', async () => {
  const { path } = await personsTrigger(inner)
  const settings = { type: 'webhook', authentication: 'token' }
  const change = (body: object, token: string) => ask('PUT', path, { name: 'hook', ...body }, token)
  const refusal = 'was not made by the API key \\"ci\\", and its runs are not bounded by it.'
  const refused = await change({ settings: { ...settings, input: { workflow: inner } } }, key.token)
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(refusal)])
  const paused = await change({ settings, is_enabled: false }, key.token)
  expect(paused.body.trigger, paused.text).toMatchObject({ is_enabled: false })
  expect((await change({ settings, is_enabled: true }, owner.token)).status).toBe(200)
  // One whose secret the key learns is bounded by it from then on, and no other key takes it over.
  const rotated = await ask('POST', `${path}/rotate`, {}, key.token)
  expect(rotated.status, rotated.text).toBe(200)
  const before = await versionOfSecret()
  const { secret: token, trigger } = rotated.body
  const fired = await app.ask('POST', trigger.hook_path, { token, body: {} })
  expect((await endOf(inner, fired.body.run_id)).errors).toContain(
    `The API key "ci", which started this run, ${permission}`,
  )
  expect(await versionOfSecret()).toBe(before)
  const other = await app.given.apiKey(owner)
  expect((await ask('POST', `${path}/rotate`, {}, other.token)).status).toBe(403)
})

test('a key uses a secret in a step only where it was granted the use, or reveals secrets', async () => {
  const { body: secret } = await ask('POST', '/api/secrets', { name: `s-${outer}`, value: 'canary-value' })
  const config = { url: `http://127.0.0.1:9/{{ secrets.s-${outer} }}` }
  const step = { key: 'send', name: 'Send', type: 'http', config }
  const refusal = `The API key "ci" may not use the secret "s-${outer}". Grant the key the use of this secret`
  const tested = await ask('POST', '/api/v1/workflows/test-step', { step, is_real: true }, key.token)
  expect(tested.body.error.message).toContain(
    `The API key "ci", which saved this step, may not use the secret "s-${outer}"`,
  )
  const refused = await save(key.token, outer, outerName, step)
  expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining(refusal)])

  const grants = (subjects: object[]) => ask('PUT', `/api/secrets/${secret.id}/grants`, { grants: subjects })
  const granted = await grants([{ subjectType: 'api_key', subjectId: key.id, access: 'use' }])
  expect(granted.status, granted.text).toBe(200)
  expect((await save(key.token, outer, outerName, step)).status).toBe(200)
  expect((await executed(outer)).errors).not.toContain('may not use')
  await grants([])
  const { errors } = await executed(outer)
  expect(errors).toContain(
    `The API key "ci", which saved version 2 of "${outerName}", may not use the secret`,
  )
  // The key that starts what a person wrote needs no access to its secrets.
  await save(owner.token, outer, outerName, step)
  expect((await executed(outer, {}, key.token)).errors).not.toContain('may not use')
})
