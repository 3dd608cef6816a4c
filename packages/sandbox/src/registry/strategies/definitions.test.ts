import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, listAt, textAt, type JsonObject } from '../../json.ts'
import { testSandbox, type TestSandbox } from '../../testing/test-sandbox.ts'

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await testSandbox({ nodes: [] })
})
afterAll(() => sandbox.remove())

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const widgetsPath = '/apis/example.com/v1/namespaces/default/widgets'

const version = (name: string, properties: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', properties } },
  ...more,
})

const definition = (versions: JsonObject[], plural = 'widgets'): JsonObject => ({
  metadata: { name: 'widgets.example.com' },
  spec: { group: 'example.com', scope: 'Namespaced', names: { plural, kind: 'Widget' }, versions },
})

async function complaints(path: string, body: unknown): Promise<string[]> {
  const reply = await sandbox.call('POST', `${path}?dryRun=All`, body)
  return listAt(reply.body, 'details', 'causes').map(
    (cause) => `${textAt(cause, 'field')}: ${textAt(cause, 'message')}`,
  )
}

const inSchema = 'spec.versions[0].schema.openAPIV3Schema'

test.each([
  [
    definition([version('v1')], 'gadgets'),
    'metadata.name: Invalid value: "widgets.example.com": must be spec.names.plural+"."+spec.group',
  ],
  [
    definition([version('v2')]),
    'spec.versions: Invalid value: ["v2"]: must have exactly one version marked as storage version',
  ],
  [
    definition([version('v1', { a: { maxLength: 3 } })]),
    `${inSchema}.properties[a].type: Required value: must not be empty for specified object fields`,
  ],
  [
    definition([version('v1', { a: { type: 'array', items: {} } })]),
    `${inSchema}.properties[a].items.type: Required value: must not be empty for specified array items`,
  ],
  [
    definition([version('v1', { a: { type: 'integer', default: 'x' } })]),
    `${inSchema}.properties[a].default: Invalid value: "string": ${inSchema}.properties[a].default in body must be of type integer: "string"`,
  ],
  [
    definition([version('v1', { a: { type: 'string', pattern: '(?=a)' } })]),
    `${inSchema}.properties[a].pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax: \`(?=\``,
  ],
  [
    definition([version('v1', {}, { schema: undefined })]),
    `${inSchema}: Required value: schemas are required`,
  ],
])('a definition that could serve nothing is refused (%#)', async (body, text) => {
  expect(await complaints(definitionsPath, body)).toEqual([text])
})

const tags = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } }
const parts = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
}

test('of two versions clients take the stable one, and are warned of a deprecated one', async () => {
  const when = { type: 'string', format: 'date-time' }
  const body = definition([
    version('v1', { tags, parts, when }),
    version('v1beta1', {}, { deprecated: true }),
  ])
  expect((await sandbox.call('POST', definitionsPath, body)).code).toBe(201)
  const group = await sandbox.call('GET', '/apis/example.com')
  expect(textAt(group.body, 'preferredVersion', 'version')).toBe('v1')
  expect((await sandbox.call('GET', widgetsPath)).headers['warning']).toBeUndefined()
  const old = await sandbox.call('GET', widgetsPath.replace('v1', 'v1beta1'))
  expect(old.headers['warning']).toBe('299 - "example.com/v1beta1 Widget is deprecated"')
})

test('what stands twice in a set or a map is refused, and a time that is none', async () => {
  const metadata = { name: 'w' }
  const values = { tags: ['a', 'a'], parts: [{ name: 'x' }, { name: 'x' }], when: 'soon' }
  const body = { apiVersion: 'example.com/v1', kind: 'Widget', metadata, ...values }
  expect((await complaints(widgetsPath, body)).toSorted()).toEqual([
    'parts[1]: Duplicate value: {"name":"x"}',
    'tags[1]: Duplicate value: "a"',
    'when: Invalid value: "soon": when in body must be of type date-time: "soon"',
  ])
})

test('a definition keeps its scope and the versions that it has stored objects in', async () => {
  const path = `${definitionsPath}/widgets.example.com`
  const body = definition([version('v1beta1', {}, { storage: true })])
  const reply = await sandbox.call('PUT', path, {
    ...body,
    spec: { ...Object(body['spec']), scope: 'Cluster' },
  })
  expect(listAt(reply.body, 'details', 'causes').map((cause) => textAt(cause, 'field'))).toEqual([
    'spec.scope',
    'status.storedVersions[0]',
  ])
})

test('the members that every kind has are described for `kubectl explain`', async () => {
  const { body } = await sandbox.call('GET', '/openapi/v3/apis/example.com/v1')
  const properties = at(body, 'components', 'schemas', 'com.example.v1.Widget', 'properties')
  expect(textAt(properties, 'apiVersion', 'description')).toMatch(/^APIVersion defines the versioned schema/)
  expect(textAt(properties, 'metadata', 'description')).toMatch(/^Standard object's metadata/)
})

const ruled = (rule: JsonObject): JsonObject =>
  definition([
    version('v1', {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          sizes: { type: 'array', items: { type: 'integer', 'x-kubernetes-validations': [rule] } },
        },
        'x-kubernetes-validations': [rule],
      },
    }),
  ])

test.each([
  [{ rule: 'self.size >' }, /^Invalid value: .*Syntax error: mismatched input '<EOF>'/s],
  [{ rule: 'self.nothing > 1' }, /^Invalid value: .*<input>:1:5: undefined field 'nothing'\n \| self/s],
  [{ rule: 'self.size' }, /cel expression must evaluate to a bool$/],
  [{ rule: ' ' }, /^Required value: rule is not specified$/],
  [{ rule: 'true', messageExpression: '1' }, /messageExpression must evaluate to a string$/],
])('the rule %j is refused when its definition is written', async (rule, text) => {
  const place = `${inSchema}.properties[spec].x-kubernetes-validations[0].`
  const found = (await complaints(definitionsPath, ruled(rule))).find((one) => one.startsWith(place))
  expect(found?.replace(/^\S+ /, '')).toMatch(text)
})

test('a rule cannot ask for the old item of a list whose items have no key', async () => {
  const all = await complaints(definitionsPath, ruled({ rule: 'self == oldSelf' }))
  const list = `${inSchema}.properties[spec].properties[sizes]`
  expect(all).toEqual([
    `${list}.items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${list}`,
  ])
})

test('rules see times as times, and an optional old value on creation, too', async () => {
  const properties = {
    until: { type: 'string', format: 'date-time' },
    every: { type: 'string', format: 'duration' },
    size: { type: 'integer' },
  }
  const rules = [
    { rule: "self.until > timestamp('2026-01-01T00:00:00Z')", message: 'too early' },
    { rule: "self.every < duration('1h')", message: 'too seldom' },
    {
      rule: 'oldSelf.hasValue() || self.size >= 2',
      optionalOldSelf: true,
      message: 'too small',
    },
  ]
  const spec = { type: 'object', properties, 'x-kubernetes-validations': rules }
  const names = { plural: 'clocks', kind: 'Clock' }
  const made = await sandbox.call('POST', definitionsPath, {
    metadata: { name: 'clocks.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version('v1', { spec })] },
  })
  expect(made.code).toBe(201)
  const path = '/apis/example.com/v1/namespaces/default/clocks'
  const clock = (given: JsonObject) => ({ metadata: { name: 'c' }, spec: given })
  const good = { until: '2026-06-01T00:00:00Z', every: '30m', size: 2 }
  expect((await sandbox.call('POST', path, clock(good))).code).toBe(201)
  const bad = { until: '2025-06-01T00:00:00Z', every: '90m', size: 1 }
  expect(await complaints(path, clock(bad))).toEqual([
    expect.stringContaining('too early'),
    expect.stringContaining('too seldom'),
    expect.stringContaining('too small'),
  ])
})
