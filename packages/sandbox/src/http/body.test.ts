import { afterAll, beforeAll, expect, test } from 'vitest'
import { textAt } from '../json.ts'
import { testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox({ nodes: [] })
})
afterAll(() => sandbox.remove())

const maps = '/api/v1/namespaces/default/configmaps'

test.each([
  [
    'application/yaml',
    'POST',
    'kind: a: b',
    /yaml: line 1: mapping values are not allowed in this context \(6b69/,
  ],
  ['application/json-patch+json', 'PATCH', '[{', /^error decoding patch: unexpected end of JSON input$/],
  ['application/merge-patch+json', 'PATCH', '{a', /^error decoding patch: invalid character 'a' looking for/],
  ['application/strategic-merge-patch+json', 'PATCH', '', /^unexpected end of JSON input$/],
  [
    'application/apply-patch+yaml',
    'PATCH',
    'a: [',
    /^error decoding YAML: error converting YAML to JSON: yaml:/,
  ],
])('a broken body of %s', async (type, method, body, message) => {
  await sandbox.call('POST', maps, { metadata: { name: 'broken' } })
  const path = method === 'POST' ? maps : `${maps}/broken`
  const reply = await sandbox.call(method, `${path}?fieldManager=me`, body, { 'content-type': type })
  expect(reply.code).toBe(400)
  expect(textAt(reply.body, 'message')).toMatch(message)
})
