import { afterAll, beforeAll, expect, test } from 'vitest'
import { textAt } from '../json.ts'
import { podsPath, testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

const bindingsPath = '/api/v1/namespaces/default/bindings'

async function givePod(name: string, more: object = {}): Promise<void> {
  const spec = { schedulerName: 'mine', containers: [{ name: 'c', image: 'nginx' }], ...more }
  await sandbox.call('POST', podsPath, { metadata: { name }, spec })
}

const binding = (name: string, node: string) => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name },
  target: { apiVersion: 'v1', kind: 'Node', name: node },
})

test.each([
  ['at-pod', `${podsPath}/at-pod/binding`],
  ['at-bindings', bindingsPath],
])('a scheduler of somebody else binds %s once', async (name, path) => {
  await givePod(name)
  const reply = await sandbox.call('POST', path, binding(name, 'test-worker-1'))
  expect([reply.code, textAt(reply.body, 'status')]).toEqual([201, 'Success'])
  await sandbox.until(`${podsPath}/${name}`, (body) => textAt(body, 'status', 'phase') === 'Running')
  const again = await sandbox.call('POST', path, binding(name, 'test-worker-2'))
  expect(again.code).toBe(409)
  expect(textAt(again.body, 'message')).toContain(`pod ${name} is already assigned to node "test-worker-1"`)
})

test('a pod that is held back by a gate, and one that is not there, are not bound', async () => {
  await givePod('gated', { schedulingGates: [{ name: 'wait' }] })
  const gated = await sandbox.call('POST', bindingsPath, binding('gated', 'test-worker-1'))
  expect(textAt(gated.body, 'message')).toContain('pod gated has non-empty .spec.schedulingGates')
  const gone = await sandbox.call('POST', bindingsPath, binding('gone', 'test-worker-1'))
  expect([gone.code, textAt(gone.body, 'message')]).toEqual([404, 'pods "gone" not found'])
})

test('a dry run binds nothing', async () => {
  await givePod('dry')
  const reply = await sandbox.call('POST', `${bindingsPath}?dryRun=All`, binding('dry', 'test-worker-1'))
  expect(reply.code).toBe(201)
  const { body } = await sandbox.call('GET', `${podsPath}/dry`)
  expect(textAt(body, 'spec', 'nodeName')).toBeUndefined()
})
