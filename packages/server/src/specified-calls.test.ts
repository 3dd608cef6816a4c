import { expect, test } from 'vitest'

import { testApp } from './testing/app.ts'

const app = await testApp()
const { token, organizationId } = await app.given.user()
const ask = (method: string, path: string, body?: unknown) =>
  app.ask(method, path, { token, organizationId, body })

const definition = (name: string) => ({
  name,
  input_schema: { type: 'object', properties: { region: { type: 'string' } } },
  steps: [{ key: 'a', name: 'A', type: 'transform' }],
})

test.each(['runs', 'execute'])('POST /%s starts a run with the input of its body', async (word) => {
  const { workflow } = (await ask('POST', '/api/v1/workflows', definition(`by ${word}`))).body
  const started = await ask('POST', `/api/v1/workflows/${workflow.id}/${word}`, { input: { region: word } })
  expect(started.status, started.text).toBeLessThan(300)
  const { runs } = (await ask('GET', `/api/v1/workflows/${workflow.id}/runs`)).body
  const read = await ask('GET', `/api/v1/workflows/${workflow.id}/runs/${runs[0].id}`)
  expect(read.body.run.input).toEqual({ region: word })
})

test('PUT of a workflow takes the body in snake_case, and GET answers it so', async () => {
  const { workflow } = (await ask('POST', '/api/v1/workflows', definition('cased'))).body
  const path = `/api/v1/workflows/${workflow.id}`
  const input_schema = { type: 'object', properties: { zone: { type: 'string' } } }
  expect((await ask('PUT', path, { ...definition('cased'), input_schema })).status).toBe(200)
  expect((await ask('GET', path)).body.workflow.input_schema).toMatchObject(input_schema)
})

test('DELETE of a secret leaves it in no list of secrets that are in use', async () => {
  const { id } = (await ask('POST', '/api/secrets', { name: 'gone', value: 'canary-gone' })).body
  const names = async () =>
    (await ask('GET', '/api/secrets')).body.secrets.map(({ name }: { name: string }) => name)
  expect(await names()).toEqual(['gone'])
  expect((await ask('DELETE', `/api/secrets/${id}`)).status).toBeLessThan(300)
  expect(await names()).toEqual([])
})
