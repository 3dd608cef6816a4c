import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, expect, test } from 'vitest'

import { testApp } from '../../../../testing/app.ts'

const app = await testApp()
const owner = await app.given.user()
const { organizationId } = owner
const member = await app.given.user({ role: 'MEMBER', organizationId })
const ask = (path: string, body: unknown, user = owner) =>
  app.ask('POST', path, { token: user.token, organizationId, body })
const testStep = (step: object, more: object = {}, user = owner) =>
  ask('/api/v1/workflows/test-step', { step: { key: 's', name: 'S', ...step }, ...more }, user)
const evaluate = (source: string, more: object = {}) =>
  ask('/api/v1/workflows/evaluate', { source, kind: 'expression', ...more })

const received: string[] = []
const server = createServer((request, response) => {
  received.push(request.headers.authorization ?? '')
  response.end(`You sent ${request.headers.authorization}`)
}).listen(0, '127.0.0.1')
afterAll(() => server.close())
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

const value = 'correct horse battery'
const secret = await ask('/api/secrets', { name: 'team/token', value })

test('a step that only computes is executed with sample values', async () => {
  const step = { type: 'transform', config: { values: { sum: '{{ inputs.a + steps.before.output.b }}' } } }
  const { body } = await testStep(step, { input: { a: 1 }, outputs: { before: { b: 2 } } })
  expect(body).toMatchObject({ status: 'succeeded', is_dry_run: false, output: { sum: 3 }, error: null })
})

test('a step with an effect is not executed unless that is asked for', async () => {
  const { body } = await testStep({ type: 'http', config: { url: url() } })
  expect(body).toMatchObject({ status: 'succeeded', is_dry_run: true, output: { url: url() } })
  expect(received).toEqual([])
})

test('a secret reaches the other side, its use is recorded, and its value is shown nowhere', async () => {
  const config = { url: url(), headers: { authorization: 'Bearer {{ secrets.team/token }}' } }
  const { body, text } = await testStep({ type: 'http', config }, { is_real: true })
  expect(received).toEqual([`Bearer ${value}`])
  expect(body).toMatchObject({ status: 'succeeded', output: { body: 'You sent Bearer •••' } })
  expect(text).not.toContain(value)
  const usage = await app.ask('GET', `/api/secrets/${secret.body.id}/usage`, {
    token: owner.token,
    organizationId,
  })
  expect(usage.body.uses).toMatchObject([{ type: 'workflow', name: 'Step s', lastVersion: 1 }])
  const { rows } = await app.database.ownerPool.query<{ action: string }>(
    `select action from audit_entries where via in ('workflow', 'api') and action in ('secret.use', 'workflow.test_step')
     order by action`,
  )
  expect(rows.map(({ action }) => action)).toEqual(['secret.use', 'workflow.test_step'])
})

test('anyone who holds no use of a secret cannot use it, and a grant of use suffices', async () => {
  const step = {
    type: 'http',
    config: { url: url(), headers: { authorization: '{{ secrets.team/token }}' } },
  }
  const setGrants = (grants: object[]) =>
    app.ask('PUT', `/api/secrets/${secret.body.id}/grants`, {
      token: owner.token,
      organizationId,
      body: { grants },
    })
  await setGrants([])
  const refused = await testStep(step, { is_real: true }, member)
  expect(refused.body).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('You may not use the secret "team/token"') },
  })
  await setGrants([{ subjectType: 'user', subjectId: String(member.id), access: 'use' }])
  expect((await testStep(step, { is_real: true }, member)).body.status).toBe('succeeded')
})

test('a secret that does not exist, or has no such field or version, fails the step by its name', async () => {
  const of = (source: string) =>
    testStep({ type: 'http', config: { url: url(), body: source } }, { is_real: true })
  expect((await of('{{ secrets.none }}')).body.error.message).toBe(
    'There is no secret "none" in this organization.',
  )
  expect((await of('{{ secrets.team/token#user }}')).body.error.message).toContain('has no field "user"')
  expect((await of('{{ secrets.team/token@9 }}')).body.error.message).toContain('has no version 9')
})

test('a condition that is false skips, an error fails with a sentence, and a step that is none is refused', async () => {
  const type = 'transform'
  expect((await testStep({ type, when: 'false' })).body.status).toBe('skipped')
  const failed = await testStep({ type, config: { values: { a: '{{ inputs.none }}' } } })
  expect(failed.body).toMatchObject({
    status: 'failed',
    error: { message: 'values.a: There is no "none", in "inputs.none".' },
  })
  expect((await testStep({ type: 'nothing' })).body.detail).toBe('step.type: There is no type "nothing".')
  expect((await testStep({ type, timeout_ms: -1 })).body.errors[0].path).toBe('step.timeout_ms')
})

test('of a loop the first item is tested, and of a wait only its config', async () => {
  const loop = {
    type: 'transform',
    foreach: { items: 'inputs.list' },
    config: { values: { x: '{{ item }}' } },
  }
  expect((await testStep(loop, { input: { list: ['a', 'b'] } })).body.output).toEqual({ x: 'a' })
  const wait = await testStep({ type: 'wait', config: { duration_ms: 3_600_000 } })
  expect(wait.body).toMatchObject({ status: 'succeeded', is_dry_run: true })
})

test('who may not do what a type does cannot test it', async () => {
  const step = { type: 'cluster.delete', config: { cluster: 'prod' } }
  expect((await testStep(step, { is_real: true }, member)).status).toBe(403)
})

test('an expression and a template are evaluated over samples or a run, and secrets stay dots', async () => {
  expect((await evaluate('inputs.a * 2', { input: { a: 4 } })).body).toEqual({ value: 8, error: null })
  const template = { kind: 'template', input: { a: 4 } }
  expect((await evaluate('a={{ inputs.a }} {{ secrets.team/token }}', template)).body.value).toBe('a=4 •••')
  expect((await evaluate('inputs.')).body.error).toMatch(/^Expected/)
  const { body } = await evaluate('inputs.a', { run_id: '00000000-0000-7000-8000-000000000000' })
  expect(body.code).toBe('not_found')
})
