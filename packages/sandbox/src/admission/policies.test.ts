import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { at, listAt, numberAt, textAt } from '../json.ts'
import { deployment, deploymentsPath, testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

const group = '/apis/admissionregistration.k8s.io/v1'

async function givePolicy(name: string, spec: object, binding: object = {}): Promise<void> {
  const rule = {
    apiGroups: ['apps'],
    apiVersions: ['v1'],
    operations: ['CREATE', 'UPDATE'],
    resources: ['deployments'],
  }
  const policy = { metadata: { name }, spec: { matchConstraints: { resourceRules: [rule] }, ...spec } }
  expect(await sandbox.call('POST', `${group}/validatingadmissionpolicies`, policy)).toMatchObject({
    code: 201,
  })
  const bound = {
    metadata: { name: `${name}-b` },
    spec: { policyName: name, validationActions: ['Deny'], ...binding },
  }
  expect(await sandbox.call('POST', `${group}/validatingadmissionpolicybindings`, bound)).toMatchObject({
    code: 201,
  })
}

async function drop(name: string): Promise<void> {
  await sandbox.call('DELETE', `${group}/validatingadmissionpolicybindings/${name}-b`)
  await sandbox.call('DELETE', `${group}/validatingadmissionpolicies/${name}`)
}

test('a policy refuses what its expression is false for, in the words of a real server, and nothing is stored', async () => {
  await givePolicy('few', { validations: [{ expression: 'object.spec.replicas <= 5' }] })
  const refused = await sandbox.call('POST', deploymentsPath, deployment('wide', 6))
  expect(refused.code).toBe(422)
  expect(textAt(refused.body, 'reason')).toBe('Invalid')
  expect(textAt(refused.body, 'message')).toBe(
    `deployments.apps "wide" is forbidden: ValidatingAdmissionPolicy 'few' with binding 'few-b' denied request: failed expression: object.spec.replicas <= 5`,
  )
  expect((await sandbox.call('GET', `${deploymentsPath}/wide`)).code).toBe(404)
  expect((await sandbox.call('POST', deploymentsPath, deployment('wide', 5))).code).toBe(201)
  const scaled = await sandbox.call(
    'PATCH',
    `${deploymentsPath}/wide`,
    { spec: { replicas: 9 } },
    { 'content-type': 'application/merge-patch+json' },
  )
  expect(scaled.code).toBe(422)
  await drop('few')
  expect((await sandbox.call('POST', deploymentsPath, deployment('wider', 6))).code).toBe(201)
})

test('variables, parameters, conditions and messages take part', async () => {
  await sandbox.call('POST', '/api/v1/namespaces/default/configmaps', {
    metadata: { name: 'limits' },
    data: { most: '2' },
  })
  await givePolicy(
    'params',
    {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConditions: [{ name: 'ours', expression: "request.userInfo.username == 'kubernetes-admin'" }],
      variables: [{ name: 'most', expression: 'int(params.data.most)' }],
      validations: [
        {
          expression: 'object.spec.replicas <= variables.most',
          messageExpression: "'at most ' + string(variables.most)",
          reason: 'Forbidden',
        },
      ],
    },
    { paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' } },
  )
  const refused = await sandbox.call('POST', deploymentsPath, deployment('three', 3))
  expect(refused.code).toBe(403)
  expect(textAt(refused.body, 'message')).toMatch(/denied request: at most 2$/)
  await sandbox.call('DELETE', '/api/v1/namespaces/default/configmaps/limits')
  expect((await sandbox.call('POST', deploymentsPath, deployment('one'))).code).toBe(422)
  await drop('params')
})

test('a binding may only warn, and a policy that fails may let pass', async () => {
  await givePolicy(
    'soft',
    { validations: [{ expression: 'false', message: 'better not' }] },
    { validationActions: ['Warn'] },
  )
  const warned = await sandbox.call('POST', deploymentsPath, deployment('warned'))
  expect(warned.code).toBe(201)
  expect(warned.headers['warning']).toContain('better not')
  await drop('soft')
  await givePolicy('lost', {
    failurePolicy: 'Ignore',
    validations: [{ expression: 'object.spec.nowhere == 1' }],
  })
  expect((await sandbox.call('POST', deploymentsPath, deployment('passed'))).code).toBe(201)
  await drop('lost')
  await givePolicy('strict', { validations: [{ expression: 'object.spec.nowhere == 1' }] })
  const refused = await sandbox.call('POST', deploymentsPath, deployment('stopped'))
  expect(textAt(refused.body, 'message')).toContain('resulted in error: no such key: nowhere')
  await drop('strict')
})

test('deleting is judged too, and an expression that is none is refused', async () => {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['configmaps'] }
  await givePolicy('keep', {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: "!has(oldObject.data.keep) || oldObject.data.keep != 'yes'" }],
  })
  const maps = '/api/v1/namespaces/default/configmaps'
  await sandbox.call('POST', maps, { metadata: { name: 'kept' }, data: { keep: 'yes' } })
  expect((await sandbox.call('DELETE', `${maps}/kept`)).code).toBe(422)
  expect((await sandbox.call('GET', `${maps}/kept`)).code).toBe(200)
  await drop('keep')
  const wrong = await sandbox.call('POST', `${group}/validatingadmissionpolicies`, {
    metadata: { name: 'wrong' },
    spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'object.a +' }] },
  })
  expect(wrong.code).toBe(422)
  expect(textAt(wrong.body, 'message')).toContain('spec.validations[0].expression: Invalid value')
})

const below = (resources: string[], operations = ['*']) => ({
  matchConstraints: { resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations, resources }] },
})
const merge = { 'content-type': 'application/merge-patch+json' }

const rules = {
  matchConstraints: {
    resourceRules: [
      { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] },
    ],
  },
}

test.each([
  [{ validations: [{ expression: 'object.spec.replicas <' }] }, "Syntax error: mismatched input '<EOF>'"],
  [{ validations: [{ expression: 'objct.spec' }] }, "undeclared reference to 'objct' (in container '')"],
  [{ validations: [{ expression: 'params.most > 1' }] }, "undeclared reference to 'params'"],
  [{ validations: [{ expression: 'variables.none > 1' }] }, "undefined field 'none'"],
  [{ validations: [{ expression: "'a'" }] }, 'spec.validations[0].expression: Invalid value: "'],
  [
    { validations: [{ expression: 'true', messageExpression: '1 > 2' }] },
    'spec.validations[0].messageExpression: Invalid value: "1 > 2": must evaluate to string',
  ],
  [
    {
      variables: [
        { name: 'a', expression: 'variables.b' },
        { name: 'b', expression: '1' },
      ],
      validations: [{ expression: 'true' }],
    },
    'spec.variables[0].expression: Invalid value: "variables.b": compilation failed: ERROR: <input>:1:10: undefined field \'b\'',
  ],
])('a policy with %j is refused', async (spec, text) => {
  const body = { metadata: { name: 'wrong' }, spec: { ...rules, ...spec } }
  const reply = await sandbox.call('POST', `${group}/validatingadmissionpolicies`, body)
  expect(reply.code).toBe(422)
  expect(textAt(reply.body, 'message')).toContain(text)
})

test('what is written below an object is judged by the rules that name it, and by no others', async () => {
  const web = `${deploymentsPath}/below`
  await sandbox.call('POST', deploymentsPath, deployment('below'))
  await sandbox.until(web, (body) => numberAt(body, 'status', 'readyReplicas') === 1)
  await givePolicy('plain', { ...below(['*']), validations: [{ expression: 'false' }] })
  expect((await sandbox.call('PATCH', `${web}/scale`, { spec: { replicas: 2 } }, merge)).code).toBe(200)
  await drop('plain')

  const isScale = "object.kind == 'Scale' && request.kind.kind == 'Scale' && request.subResource == 'scale'"
  await givePolicy('scale', {
    ...below(['deployments/scale']),
    validations: [{ expression: `${isScale} && object.spec.replicas <= 3` }],
  })
  expect((await sandbox.call('PATCH', `${web}/scale`, { spec: { replicas: 3 } }, merge)).code).toBe(200)
  expect((await sandbox.call('PATCH', `${web}/scale`, { spec: { replicas: 4 } }, merge)).code).toBe(422)
  expect((await sandbox.call('PATCH', web, { spec: { replicas: 4 } }, merge)).code).toBe(200)
  await drop('scale')

  const notNoted = "!has(object.status.conditions) || !object.status.conditions.exists(c, c.type == 'Noted')"
  for (const rule of ['deployments/status', '*/status', '*/*', 'deployments/*']) {
    await givePolicy('status', { ...below([rule]), validations: [{ expression: notNoted }] })
    const conditions = [{ type: 'Noted', status: 'True' }]
    const said = await sandbox.call('PATCH', `${web}/status`, { status: { conditions } }, merge)
    expect({ rule, code: said.code }).toEqual({ rule, code: 422 })
    await drop('status')
  }
})

test('evictions, bindings and tokens are judged as what they are', async () => {
  const pods = '/api/v1/namespaces/default/pods'
  await sandbox.call('POST', pods, {
    metadata: { name: 'lone' },
    spec: { containers: [{ name: 'a', image: 'nginx' }], nodeName: 'test-worker-1' },
  })
  await givePolicy('evictions', {
    ...below(['pods/eviction'], ['CREATE']),
    validations: [{ expression: "object.kind != 'Eviction' || request.kind.group != 'policy'" }],
  })
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'lone' } }
  expect((await sandbox.call('POST', `${pods}/lone/eviction`, eviction)).code).toBe(422)
  expect((await sandbox.call('GET', `${pods}/lone`)).code).toBe(200)
  await drop('evictions')
  await givePolicy('tokens', {
    ...below(['serviceaccounts/token']),
    validations: [{ expression: 'object.spec.expirationSeconds <= 600' }],
  })
  const token = (expirationSeconds: number) =>
    sandbox.call('POST', '/api/v1/namespaces/default/serviceaccounts/default/token', {
      spec: { expirationSeconds },
    })
  expect((await token(601)).code).toBe(422)
  expect((await token(600)).code).toBe(201)
  await drop('tokens')
  await givePolicy('bindings', {
    ...below(['pods/binding']),
    validations: [{ expression: "object.target.name != 'test-worker-1'" }],
  })
  await sandbox.call('POST', deploymentsPath, deployment('placed', 4))
  await sandbox.until(
    `${deploymentsPath}/placed`,
    (body) => (numberAt(body, 'status', 'readyReplicas') ?? 0) > 0,
  )
  const { body } = await sandbox.call('GET', `${pods}?labelSelector=app%3Dplaced`)
  const places = listAt(body, 'items').map((pod) => textAt(pod, 'spec', 'nodeName'))
  expect(places).toContain('test-worker-2')
  expect(places).not.toContain('test-worker-1')
  await drop('bindings')
})

test('a policy may ask what the writer, and others, are allowed to do', async () => {
  const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default'
  await sandbox.call('POST', `${roles}/roles`, {
    metadata: { name: 'writer' },
    rules: [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'breakglass'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: ['one'] },
    ],
  })
  await sandbox.call('POST', `${roles}/rolebindings`, {
    metadata: { name: 'writer' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'writer' },
    subjects: [
      { kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' },
      { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
    ],
  })
  const jane = { 'impersonate-user': 'jane' }
  const pods = "authorizer.group('').resource('pods').namespace('default')"
  const cases: [expression: string, code: number][] = [
    ["authorizer.group('').resource('configmaps').namespace('default').check('create').allowed()", 201],
    ["authorizer.group('').resource('secrets').namespace('default').check('create').allowed()", 422],
    [`${pods}.name('one').check('get').allowed() && !${pods}.name('two').check('get').allowed()`, 201],
    [`${pods}.name('one').subresource('log').check('get').allowed()`, 422],
    ["authorizer.requestResource.check('breakglass').allowed()", 201],
    ["authorizer.serviceAccount('default', 'robot').requestResource.check('create').allowed()", 422],
    [
      `${pods.replace('authorizer', "authorizer.serviceAccount('default', 'robot')")}.check('list').allowed()`,
      422,
    ],
    [
      "authorizer.path('/healthz').check('get').allowed() && !authorizer.path('/x').check('get').allowed()",
      201,
    ],
    [`${pods}.check('list').reason() == '' && !${pods}.check('list').errored()`, 201],
  ]
  for (const [i, [expression, code]] of cases.entries()) {
    await givePolicy('asks', { ...below(['configmaps'], ['CREATE']), validations: [{ expression }] })
    const path = '/api/v1/namespaces/default/configmaps'
    const said = await sandbox.call('POST', path, { metadata: { name: `asked-${i}` } }, jane)
    expect({ expression, code: said.code, said: said.text.slice(0, 300) }).toMatchObject({ expression, code })
    await drop('asks')
  }
})

test('a session with a pod is judged by what it asks for', async () => {
  await givePolicy('shells', {
    ...below(['pods/exec'], ['CONNECT']),
    validations: [{ expression: "!object.command.exists(word, word == 'sh') && request.name == 'lone'" }],
  })
  const pod = '/api/v1/namespaces/default/pods/lone'
  await sandbox.until(pod, (body) => textAt(body, 'status', 'phase') === 'Running')
  const opened = (command: string) =>
    new Promise<string>((done) => {
      const url = `${sandbox.url.replace('https', 'wss')}${pod}/exec?command=${command}&stdout=true`
      const headers = { authorization: `Bearer ${sandbox.adminToken}` }
      const socket = new WebSocket(url, ['v5.channel.k8s.io'], { ca: sandbox.caPem, headers })
      socket.on('error', (error) => done(error.message))
      socket.on('close', () => done('served'))
    })
  expect(await opened('sh')).toContain('422')
  expect(await opened('hostname')).toBe('served')
  await drop('shells')
})

const path = '/apis/example.com/v1/namespaces/default/scalers'

function definition(rule: string): object {
  const properties = {
    min: { type: 'integer' },
    max: { type: 'integer' },
    ratio: { type: 'number' },
    'zone-name': { type: 'string' },
    mode: {
      type: 'string',
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'mode is for ever' }],
    },
  }
  const spec = {
    type: 'object',
    properties,
    'x-kubernetes-validations': [
      { rule, messageExpression: "'min ' + string(self.min) + ' is over max ' + string(self.max)" },
      { rule: "!has(self.zone__dash__name) || self.zone__dash__name.startsWith('z')", fieldPath: '.zone' },
      { rule: '!has(self.ratio) || self.ratio * 2.0 <= 4.0' },
    ],
  }
  const openAPIV3Schema = { type: 'object', properties: { spec } }
  const versions = [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } },
    { name: 'v1beta1', served: true, storage: false, schema: { openAPIV3Schema } },
  ]
  return {
    metadata: { name: 'scalers.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'scalers', kind: 'Scaler' },
      versions,
    },
  }
}

test('the rules of a custom kind are kept, and a rule that is none is refused with its definition', async () => {
  const all = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const wrong = await sandbox.call('POST', all, definition('self.min <'))
  expect(wrong.code).toBe(422)
  expect(textAt(wrong.body, 'message')).toContain('x-kubernetes-validations[0].rule')
  expect((await sandbox.call('POST', all, definition('self.min <= self.max'))).code).toBe(201)
  const refused = await sandbox.call('POST', path, {
    metadata: { name: 'a' },
    spec: { min: 3, max: 2, 'zone-name': 'a', ratio: 3 },
  })
  expect(refused.code).toBe(422)
  expect(textAt(refused.body, 'message')).toBe(
    'Scaler.example.com "a" is invalid: [spec: Invalid value: "object": min 3 is over max 2, ' +
      'spec.zone: Invalid value: "object": failed rule: !has(self.zone__dash__name) || self.zone__dash__name.startsWith(\'z\'), ' +
      'spec: Invalid value: "object": failed rule: !has(self.ratio) || self.ratio * 2.0 <= 4.0]',
  )
  expect(
    (
      await sandbox.call('POST', path, {
        metadata: { name: 'a' },
        spec: { min: 1, max: 2, mode: 'x', ratio: 2 },
      })
    ).code,
  ).toBe(201)
  const changed = await sandbox.call(
    'PATCH',
    `${path}/a`,
    { spec: { mode: 'y' } },
    { 'content-type': 'application/merge-patch+json' },
  )
  expect(textAt(changed.body, 'message')).toContain('spec.mode: Invalid value: "y": mode is for ever')
})

test('a custom object is served in every version of its kind, under that version', async () => {
  const beta = path.replace('/v1/', '/v1beta1/')
  expect(at((await sandbox.call('GET', `${beta}/a`)).body, 'apiVersion')).toBe('example.com/v1beta1')
  const made = await sandbox.call('POST', beta, {
    apiVersion: 'example.com/v1beta1',
    kind: 'Scaler',
    metadata: { name: 'b' },
    spec: { min: 1, max: 1 },
  })
  expect(made.body).toMatchObject({ apiVersion: 'example.com/v1beta1', spec: { min: 1 } })
  const { body } = await sandbox.call('GET', path)
  expect(listAt(body, 'items').map((one) => textAt(one, 'apiVersion'))).toEqual([
    'example.com/v1',
    'example.com/v1',
  ])
  const watched = sandbox.call('GET', `${beta}?watch=1&timeoutSeconds=1`)
  await sandbox.call('GET', path)
  sandbox.clock.advance(2000)
  expect((await watched).text).toMatch(/"type":"ADDED","object":{"apiVersion":"example.com\/v1beta1"/)
})
