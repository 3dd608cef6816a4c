import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, listAt, numberAt, textAt, type JsonObject } from '../json.ts'
import {
  deployment,
  deploymentsPath,
  podsPath,
  testSandbox,
  type TestSandbox,
} from '../testing/test-sandbox.ts'

let sandbox: TestSandbox
const maps = '/api/v1/namespaces/default/configmaps'
const patchType = (type: string) => ({ 'content-type': `application/${type}` })

beforeAll(async () => {
  sandbox = await testSandbox({ nodes: [] })
})
afterAll(() => sandbox.remove())

describe('refusals have the words and codes of Kubernetes', () => {
  const cases: [string, string, string, unknown, number, string][] = [
    ['a missing object', 'GET', `${deploymentsPath}/x`, undefined, 404, 'deployments.apps "x" not found'],
    [
      'a path that leads nowhere',
      'GET',
      '/apis/nope/v1/things',
      undefined,
      404,
      'the server could not find the requested resource',
    ],
    [
      'a missing namespace',
      'POST',
      '/api/v1/namespaces/nope/configmaps',
      { metadata: { name: 'a' } },
      404,
      'namespaces "nope" not found',
    ],
    [
      'a bad name',
      'POST',
      maps,
      { metadata: { name: 'Bad_Name' } },
      422,
      'ConfigMap "Bad_Name" is invalid: metadata.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain',
    ],
    [
      'a wrong type',
      'POST',
      deploymentsPath,
      { ...deployment('a'), spec: { replicas: 'two' } },
      400,
      'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'an unknown field',
      'POST',
      `${deploymentsPath}?fieldValidation=Strict`,
      { ...deployment('a'), spec: { replica: 1 } },
      400,
      'strict decoding error: unknown field "spec.replica"',
    ],
    [
      'a missing part',
      'POST',
      deploymentsPath,
      { metadata: { name: 'a' }, spec: {} },
      422,
      'spec.selector: Required value',
    ],
    [
      'labels that do not match',
      'POST',
      deploymentsPath,
      {
        ...deployment('a'),
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { spec: { containers: [{ name: 'a', image: 'b' }] } },
        },
      },
      422,
      '`selector` does not match template `labels`',
    ],
    [
      'another kind',
      'POST',
      maps,
      { kind: 'Secret', metadata: { name: 'a' } },
      400,
      'Secret in version "v1" cannot be handled as a ConfigMap',
    ],
    [
      'broken JSON',
      'POST',
      maps,
      '{"metadata":',
      400,
      `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input ({"metadata":)`,
    ],
    ['no body', 'POST', maps, '', 400, 'unexpected end of JSON input (<empty>)'],
    [
      'a list for a body',
      'POST',
      maps,
      '[1]',
      400,
      'json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string',
    ],
    [
      'a field selector without a value',
      'GET',
      `${podsPath}?fieldSelector=x`,
      undefined,
      400,
      "invalid selector: 'x'; can't understand 'x'",
    ],
    [
      'a field of a kind with no others',
      'GET',
      `${maps}?fieldSelector=data=x`,
      undefined,
      400,
      '"data" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    [
      'a selector that does not parse',
      'GET',
      `${podsPath}?labelSelector=a%20b%20c`,
      undefined,
      400,
      'unable to parse requirement',
    ],
    [
      'a field nobody can select by',
      'GET',
      `${podsPath}?fieldSelector=spec.color=red`,
      undefined,
      400,
      'field label not supported: spec.color',
    ],
    [
      'a revision yet to come',
      'GET',
      `${podsPath}?resourceVersion=99999999`,
      undefined,
      504,
      'Too large resource version',
    ],
    [
      'initial events',
      'GET',
      `${podsPath}?watch=1&sendInitialEvents=true`,
      undefined,
      422,
      'sendInitialEvents is forbidden',
    ],
  ]
  test.each(cases)('%s', async (_name, method, path, body, code, message) => {
    const reply = await sandbox.call(method, path, body)
    expect(reply.body).toMatchObject({ kind: 'Status', status: 'Failure', code })
    expect(textAt(reply.body, 'message')).toContain(message)
    expect(reply.code).toBe(code)
  })

  test('a method, a body format and an answer format that nobody serves', async () => {
    expect((await sandbox.call('POST', `${maps}/a`, {})).code).toBe(405)
    expect((await sandbox.call('POST', maps, 'x', { 'content-type': 'text/plain' })).code).toBe(415)
    expect((await sandbox.call('GET', maps, undefined, { accept: 'text/html' })).code).toBe(406)
    expect((await sandbox.call('POST', maps, 'x'.repeat(4 * 1024 * 1024))).code).toBe(413)
    expect((await sandbox.call('GET', maps, undefined, { authorization: 'Bearer nope' })).code).toBe(401)
  })
})

test('a stale write is refused, and the object is as the first writer left it', async () => {
  await sandbox.call('POST', maps, { metadata: { name: 'stale' }, data: { a: '1' } })
  const { body } = await sandbox.call('GET', `${maps}/stale`)
  await sandbox.call('PUT', `${maps}/stale`, { ...body, data: { a: '2' } })
  const late = await sandbox.call('PUT', `${maps}/stale`, { ...body, data: { a: '3' } })
  expect(late.code).toBe(409)
  expect(textAt(late.body, 'message')).toContain('the object has been modified')
  expect(at((await sandbox.call('GET', `${maps}/stale`)).body, 'data')).toEqual({ a: '2' })
})

test('a dry run answers as the real one would and leaves nothing', async () => {
  const reply = await sandbox.call('POST', `${maps}?dryRun=All`, { metadata: { name: 'dry' } })
  expect(reply.code).toBe(201)
  expect((await sandbox.call('GET', `${maps}/dry`)).code).toBe(404)
})

test('a list comes in pages of one moment', async () => {
  for (let i = 0; i < 5; i++)
    await sandbox.call('POST', maps, { metadata: { name: `page-${i}`, labels: { page: 'y' } } })
  const first = await sandbox.call('GET', `${maps}?labelSelector=page=y&limit=2`)
  await sandbox.call('DELETE', `${maps}/page-4`)
  const token = textAt(first.body, 'metadata', 'continue') ?? ''
  expect(numberAt(first.body, 'metadata', 'remainingItemCount')).toBeUndefined()
  const rest = await sandbox.call('GET', `${maps}?limit=10&continue=${token}`)
  expect(listAt(rest.body, 'items').map((item) => textAt(item, 'metadata', 'name'))).toEqual([
    'page-2',
    'page-3',
    'page-4',
  ])
  expect((await sandbox.call('GET', `${maps}?continue=nonsense`)).code).toBe(400)
})

test('a finalizer holds an object until it is taken away', async () => {
  await sandbox.call('POST', maps, { metadata: { name: 'held', finalizers: ['example.com/hold'] } })
  const { body } = await sandbox.call('DELETE', `${maps}/held`)
  expect(textAt(body, 'metadata', 'deletionTimestamp')).toBeDefined()
  await sandbox.call(
    'PATCH',
    `${maps}/held`,
    { metadata: { finalizers: null } },
    patchType('merge-patch+json'),
  )
  expect((await sandbox.call('GET', `${maps}/held`)).code).toBe(404)
})

test('orphans stay, and what is deleted in the foreground goes after its dependents', async () => {
  for (const policy of ['Orphan', 'Foreground']) {
    const name = policy.toLowerCase()
    await sandbox.call('POST', deploymentsPath, deployment(name))
    const sets = `/apis/apps/v1/namespaces/default/replicasets?labelSelector=app=${name}`
    await sandbox.until(sets, (list) => listAt(list, 'items').length === 1)
    await sandbox.call('DELETE', `${deploymentsPath}/${name}`, { propagationPolicy: policy })
    await sandbox.until(`${deploymentsPath}/${name}`, (body) => body['code'] === 404)
    const { body } = await sandbox.call('GET', sets)
    expect(listAt(body, 'items').length).toBe(policy === 'Orphan' ? 1 : 0)
  }
})

describe('server-side apply', () => {
  const apply = (body: JsonObject, manager: string, force = false) =>
    sandbox.call(
      'PATCH',
      `${maps}/shared?fieldManager=${manager}&force=${force}`,
      body,
      patchType('apply-patch+yaml'),
    )
  const config = (data: JsonObject): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'shared' },
    data,
  })

  test('two managers share an object, and neither takes a field of the other unless forced', async () => {
    expect((await apply(config({ a: '1', b: '1' }), 'one')).code).toBe(201)
    expect((await apply(config({ c: '1' }), 'two')).code).toBe(200)
    const refused = await apply(config({ a: '2' }), 'two')
    expect(refused.code).toBe(409)
    expect(listAt(refused.body, 'details', 'causes')[0]).toMatchObject({
      reason: 'FieldManagerConflict',
      field: '.data.a',
    })
    const forced = await apply(config({ a: '2' }), 'two', true)
    expect(at(forced.body, 'data')).toEqual({ a: '2', b: '1' })
    const dropped = await apply(config({}), 'one')
    expect(at(dropped.body, 'data')).toEqual({ a: '2' })
  })

  test('items of a list with keys belong to the manager that applied them', async () => {
    const base = deployment('applied')
    const path = `${deploymentsPath}/applied?fieldManager=`
    await sandbox.call('PATCH', `${path}one`, base, patchType('apply-patch+yaml'))
    const sidecar = {
      ...base,
      spec: { template: { spec: { containers: [{ name: 'side', image: 'envoy' }] } } },
    }
    const both = await sandbox.call('PATCH', `${path}two`, sidecar, patchType('apply-patch+yaml'))
    expect(
      listAt(both.body, 'spec', 'template', 'spec', 'containers').map((one) => textAt(one, 'name')),
    ).toEqual(['main', 'side'])
  })
})

test('a strategic merge patch merges lists by their keys and deletes by directive', async () => {
  await sandbox.call('POST', deploymentsPath, deployment('patched'))
  const patch = (containers: unknown) =>
    sandbox.call(
      'PATCH',
      `${deploymentsPath}/patched`,
      { spec: { template: { spec: { containers } } } },
      patchType('strategic-merge-patch+json'),
    )
  await patch([
    { name: 'second', image: 'b' },
    { name: 'main', env: [{ name: 'A', value: '1' }] },
  ])
  const { body } = await patch([{ name: 'second', $patch: 'delete' }])
  const containers = listAt(body, 'spec', 'template', 'spec', 'containers')
  expect(containers).toHaveLength(1)
  expect(containers[0]).toMatchObject({ name: 'main', image: 'nginx:1.29', env: [{ name: 'A', value: '1' }] })
})

test('a custom kind is served, checked, pruned, printed and taken away', async () => {
  const schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['size'],
        properties: { size: { type: 'integer', minimum: 1 }, color: { type: 'string', default: 'red' } },
      },
    },
  }
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget' }
  const columns = [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }]
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schema },
    additionalPrinterColumns: columns,
  }
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  await sandbox.call('POST', crds, {
    metadata: { name: 'widgets.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version] },
  })
  await sandbox.until(`${crds}/widgets.example.com`, (body) => JSON.stringify(body).includes('Established'))
  const path = '/apis/example.com/v1/namespaces/default/widgets'
  const made = await sandbox.call('POST', path, {
    metadata: { name: 'w' },
    spec: { size: 2, shape: 'round' },
  })
  expect(at(made.body, 'spec')).toEqual({ size: 2, color: 'red' })
  expect((await sandbox.call('POST', path, { metadata: { name: 'v' }, spec: { size: 0 } })).code).toBe(422)
  const table = await sandbox.call('GET', path, undefined, {
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  })
  expect(at(listAt(table.body, 'rows')[0], 'cells')).toEqual(['w', 2])
  expect((await sandbox.call('GET', '/openapi/v3')).text).toContain('apis/example.com/v1')
  await sandbox.call('DELETE', `${crds}/widgets.example.com`)
  await sandbox.until(`${crds}/widgets.example.com`, (body) => body['code'] === 404)
  expect((await sandbox.call('GET', path)).code).toBe(404)
})

describe('who may do what', () => {
  const as = (user: string, group: string) => ({ 'impersonate-user': user, 'impersonate-group': group })
  test('viewers read but see no secrets and change nothing, editors change workloads, admins everything', async () => {
    const secrets = '/api/v1/namespaces/default/secrets'
    const codes = async (group: string) => [
      (await sandbox.call('GET', podsPath, undefined, as('dev', group))).code,
      (await sandbox.call('GET', '/api/v1/nodes', undefined, as('dev', group))).code,
      (await sandbox.call('GET', secrets, undefined, as('dev', group))).code,
      (await sandbox.call('POST', `${maps}?dryRun=All`, { metadata: { name: 'x' } }, as('dev', group))).code,
      (
        await sandbox.call(
          'POST',
          '/apis/rbac.authorization.k8s.io/v1/clusterroles?dryRun=All',
          { metadata: { name: 'x' } },
          as('dev', group),
        )
      ).code,
    ]
    expect(await codes('bey:viewers')).toEqual([200, 200, 403, 403, 403])
    expect(await codes('bey:editors')).toEqual([200, 200, 200, 201, 403])
    expect(await codes('bey:admins')).toEqual([200, 200, 200, 201, 201])
    const { body } = await sandbox.call('GET', podsPath, undefined, as('dev', 'nobody'))
    expect(textAt(body, 'message')).toBe(
      'pods is forbidden: User "dev" cannot list resource "pods" in API group "" in the namespace "default"',
    )
  })

  test('nobody becomes somebody else without the right to', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts'
    await sandbox.call('POST', accounts, { metadata: { name: 'robot' } })
    const { body } = await sandbox.call('POST', `${accounts}/robot/token`, { spec: { audiences: [] } })
    const authorization = `Bearer ${textAt(body, 'status', 'token')}`
    const me = await sandbox.call(
      'POST',
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      {},
      { authorization },
    )
    expect(at(me.body, 'status', 'userInfo', 'username')).toBe('system:serviceaccount:default:robot')
    expect(
      (await sandbox.call('GET', podsPath, undefined, { authorization, ...as('x', 'system:masters') })).code,
    ).toBe(403)
    const forged = authorization.replace(/\.[^.]+$/, '.AAAA')
    expect((await sandbox.call('GET', podsPath, undefined, { authorization: forged })).code).toBe(401)
  })
})
