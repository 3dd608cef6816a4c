import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAt, objectAt, textAt, type JsonObject } from '../json.ts'
import { testSandbox, type TestSandbox } from '../testing/test-sandbox.ts'

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await testSandbox({ nodes: [] })
})
afterAll(() => sandbox.remove())

const merge = { 'content-type': 'application/merge-patch+json' }

async function heldNamespace(name: string): Promise<string> {
  const path = `/api/v1/namespaces/${name}`
  await sandbox.call('POST', '/api/v1/namespaces', { metadata: { name } })
  const metadata = { name: 'held', finalizers: ['example.com/hold'] }
  await sandbox.call('POST', `${path}/configmaps`, { metadata })
  await sandbox.call('DELETE', path)
  return path
}

const conditions = (body: JsonObject) =>
  listAt(body, 'status', 'conditions').map((one) => `${textAt(one, 'type')} ${textAt(one, 'message')}`)

test('a namespace that something holds says in its conditions what it is', async () => {
  const path = await heldNamespace('held')
  const body = await sandbox.until(path, (one) => listAt(one, 'status', 'conditions').length > 0)
  expect(conditions(body)).toEqual([
    'NamespaceDeletionDiscoveryFailure All resources successfully discovered',
    'NamespaceDeletionGroupVersionParsingFailure All legacy kube types successfully parsed',
    'NamespaceDeletionContentFailure All content successfully deleted, may be waiting on finalization',
    'NamespaceContentRemaining Some resources are remaining: configmaps. has 1 resource instances',
    'NamespaceFinalizersRemaining Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
  ])
  expect(objectAt(body, 'metadata')).not.toHaveProperty('deletionGracePeriodSeconds')
  await sandbox.call('PATCH', `${path}/configmaps/held`, { metadata: { finalizers: null } }, merge)
  await sandbox.until(path, (one) => textAt(one, 'reason') === 'NotFound')
})

test('a label does not let go a namespace that still has something in it', async () => {
  const path = await heldNamespace('labelled')
  await sandbox.call('PATCH', path, { metadata: { labels: { a: 'b' } } }, merge)
  expect((await sandbox.call('GET', path)).code).toBe(200)
})

test('a namespace goes at once when its finalizer is taken away, whatever is left in it', async () => {
  const path = await heldNamespace('freed')
  const body = { metadata: { name: 'freed' }, spec: { finalizers: [] } }
  const reply = await sandbox.call('PUT', `${path}/finalize`, body)
  expect(reply.code).toBe(200)
  expect(objectAt(reply.body, 'spec')).toEqual({})
  expect((await sandbox.call('GET', path)).code).toBe(404)
})

test('an empty namespace waits for the finalizers of its own', async () => {
  const path = '/api/v1/namespaces/own'
  const metadata = { name: 'own', finalizers: ['example.com/hold'] }
  await sandbox.call('POST', '/api/v1/namespaces', { metadata })
  await sandbox.call('DELETE', path)
  const body = await sandbox.until(path, (one) => listAt(one, 'spec', 'finalizers').length === 0)
  expect(conditions(body)).toContain('NamespaceContentRemaining All content successfully removed')
  await sandbox.call('PATCH', path, { metadata: { finalizers: null } }, merge)
  expect((await sandbox.call('GET', path)).code).toBe(404)
})

test.each(['default', 'kube-system', 'kube-public'])('the namespace %s stays', async (name) => {
  const { code, body } = await sandbox.call('DELETE', `/api/v1/namespaces/${name}`)
  expect(code).toBe(403)
  expect(textAt(body, 'message')).toBe(`namespaces "${name}" is forbidden: this namespace may not be deleted`)
  expect(textAt((await sandbox.call('GET', `/api/v1/namespaces/${name}`)).body, 'status', 'phase')).toBe(
    'Active',
  )
})
