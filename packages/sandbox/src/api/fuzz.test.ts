import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAt, textAt } from '../json.ts'
import { seededRandom } from '../random.ts'
import { deploymentsPath, testSandbox, type TestSandbox } from '../testing/test-sandbox.ts'

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await testSandbox({ nodes: [] })
})
afterAll(() => sandbox.remove())

test('whatever a client sends, the answer is a Status and never a failure of the server', async () => {
  const random = seededRandom(42)
  const pick = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(random() * list.length)]
    if (found === undefined) throw new Error('The list is empty.')
    return found
  }
  const scalars = [
    null,
    '',
    'a',
    -1,
    1e21,
    0.5,
    true,
    [],
    {},
    '\u0000',
    '__proto__',
    { $patch: 'replace' },
    [[]],
    { name: 1 },
  ]
  const keys = [
    'metadata',
    'spec',
    'name',
    'labels',
    'containers',
    'template',
    'selector',
    'matchLabels',
    'ports',
    'data',
    'finalizers',
    '__proto__',
    'constructor',
    '$patch',
    '$retainKeys',
    '$setElementOrder/ports',
    'ownerReferences',
    'managedFields',
    'status',
    'limits',
    'resources',
    'rules',
    'versions',
    'names',
  ]
  const value = (depth: number): unknown => {
    if (depth === 0 || random() < 0.3) return pick(scalars)
    if (random() < 0.3) return [value(depth - 1), value(depth - 1)]
    return Object.fromEntries([pick(keys), pick(keys), pick(keys)].map((key) => [key, value(depth - 1)]))
  }
  const { body: discovered } = await sandbox.call('GET', '/api/v1')
  const core = listAt(discovered, 'resources')
    .map((one) => textAt(one, 'name') ?? '')
    .filter((name) => !name.includes('/'))
  const places = [
    ...core.map((name) => `/api/v1/namespaces/default/${name}`),
    '/api/v1/nodes',
    '/api/v1/namespaces',
    deploymentsPath,
    '/apis/batch/v1/namespaces/default/jobs',
    '/apis/batch/v1/namespaces/default/cronjobs',
    '/apis/apps/v1/namespaces/default/statefulsets',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers',
    '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    '/apis/events.k8s.io/v1/namespaces/default/events',
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
    '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
  ]
  const types = [
    'json',
    'yaml',
    'json-patch+json',
    'merge-patch+json',
    'strategic-merge-patch+json',
    'apply-patch+yaml',
    'vnd.kubernetes.protobuf',
  ]
  const subs = [
    '',
    '',
    '/a',
    '/a/status',
    '/a/scale',
    '/a/log',
    '/a/eviction',
    '/a/token',
    '/a/binding',
    '/a/%zz',
    '/a/exec',
  ]
  const queries = [
    '',
    '?limit=-1',
    '?limit=x',
    '?dryRun=x',
    '?fieldManager=f&force=true',
    '?continue=e30',
    '?labelSelector=((',
    '?fieldSelector=a',
    '?resourceVersion=abc',
    '?propagationPolicy=x',
    '?timeoutSeconds=1',
  ]
  const bad: string[] = []
  for (let i = 0; i < 900; i++) {
    const method = pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    const path = pick(places) + pick(subs) + pick(queries)
    const body =
      method === 'GET'
        ? undefined
        : random() < 0.1
          ? '\u0000{'
          : { metadata: { name: 'a' }, spec: value(4), ...Object(value(3)) }
    const reply = await sandbox.call(
      method,
      path,
      body,
      body === undefined ? {} : { 'content-type': `application/${pick(types)}` },
    )
    if (reply.code >= 500 && reply.code !== 504)
      bad.push(`${method} ${path} ${JSON.stringify(body)} → ${reply.text}`)
    if (reply.code >= 400 && textAt(reply.body, 'kind') !== 'Status')
      bad.push(`${method} ${path} → ${reply.text}`)
  }
  expect(bad.slice(0, 5)).toEqual([])
  expect((await sandbox.call('GET', '/api/v1/nodes')).code).toBe(200)
  expect(Object.prototype).not.toHaveProperty('name')
}, 40_000)
