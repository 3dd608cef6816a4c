import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAt, textAt } from '../json.ts'
import { seededRandom, type Random } from '../random.ts'
import { podsPath, testSandbox, type Reply, type TestSandbox } from '../testing/test-sandbox.ts'

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await testSandbox({ nodes: [] })
})
afterAll(() => sandbox.remove())

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
const keys =
  'metadata spec name labels containers template selector matchLabels ports data finalizers __proto__ constructor $patch $retainKeys $setElementOrder/ports ownerReferences managedFields status limits resources rules versions names webhooks validations expression request ephemeralContainers conditions type replicas'.split(
    ' ',
  )
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const types = [
  'json',
  'yaml',
  'json-patch+json',
  'merge-patch+json',
  'strategic-merge-patch+json',
  'apply-patch+yaml',
  'vnd.kubernetes.protobuf',
]
const subs =
  '| |/a|/a|/a/status|/a/scale|/a/log|/a/eviction|/a/token|/a/binding|/a/%zz|/a/exec|/a/ephemeralcontainers|/a/resize|/a/approval|/a/finalize'
    .split('|')
    .map((one) => one.trim())
const queries =
  '|limit=-1|limit=x|dryRun=x|dryRun=All|fieldManager=f&force=true|continue=e30|labelSelector=((|fieldSelector=a|resourceVersion=abc|propagationPolicy=x|timeoutSeconds=1|fieldValidation=Strict|watch=1&resourceVersion=x|includeObject=x'.split(
    '|',
  )

function picker(random: Random) {
  return <T>(list: readonly T[]): T => {
    const found = list[Math.floor(random() * list.length)]
    if (found === undefined) throw new Error('The list is empty.')
    return found
  }
}

function generator(random: Random): (depth: number) => unknown {
  const pick = picker(random)
  const value = (depth: number): unknown => {
    if (depth === 0 || random() < 0.3) return pick(scalars)
    if (random() < 0.3) return [value(depth - 1), value(depth - 1)]
    return Object.fromEntries([pick(keys), pick(keys), pick(keys)].map((key) => [key, value(depth - 1)]))
  }
  return value
}

/** Where every kind that discovery tells of can be reached. */
async function places(): Promise<string[]> {
  const versions = ['/api/v1']
  const { body } = await sandbox.call('GET', '/apis')
  for (const group of listAt(body, 'groups'))
    for (const one of listAt(group, 'versions')) versions.push(`/apis/${textAt(one, 'groupVersion')}`)
  const found: string[] = []
  for (const version of versions) {
    const reply = await sandbox.call('GET', version)
    for (const kind of listAt(reply.body, 'resources')) {
      const name = textAt(kind, 'name') ?? ''
      if (name.includes('/')) continue
      const isNamespaced = JSON.stringify(kind).includes('"namespaced":true')
      found.push(isNamespaced ? `${version}/namespaces/default/${name}` : `${version}/${name}`)
    }
  }
  return found
}

/** The revision of the whole store: any write raises it. */
async function revision(): Promise<string | undefined> {
  const { body } = await sandbox.call('GET', '/api/v1/namespaces/nowhere/configmaps')
  return textAt(body, 'metadata', 'resourceVersion')
}

/** What is wrong with an answer, or undefined. */
function complaint(reply: Reply): string | undefined {
  if (reply.code >= 500 && reply.code !== 504) return 'is a failure of the server'
  return reply.code >= 400 && textAt(reply.body, 'kind') !== 'Status' ? 'is no Status' : undefined
}

test.each([42, 1977, 4711])(
  'whatever a client sends (seed %i), the answer is proper, and a refusal changes nothing',
  async (seed) => {
    const random = seededRandom(seed)
    const pick = picker(random)
    const value = generator(random)
    const all = await places()
    expect(all.length).toBeGreaterThan(50)
    const bad: string[] = []
    let before = await revision()
    for (let i = 0; i < 400; i++) {
      const method = pick(methods)
      const query = pick(queries)
      const path = pick(all) + pick(subs) + (query ? `?${query}` : '')
      const isWatch = path.includes('watch=1')
      const given =
        random() < 0.1 ? '\u0000{' : { metadata: { name: 'a' }, spec: value(4), ...Object(value(3)) }
      const body = method === 'GET' || isWatch ? undefined : given
      const headers = { 'content-type': `application/${pick(types)}` }
      const reply = await sandbox.call(method, path, body, body === undefined ? {} : headers)
      const after = await revision()
      const isRead = method === 'GET' || method === 'OPTIONS' || path.includes('dryRun')
      const changed = (reply.code >= 400 || isRead) && after !== before ? 'changed the store' : undefined
      const wrong = complaint(reply) ?? changed
      if (wrong)
        bad.push(
          `${method} ${path} ${JSON.stringify(body)} → ${reply.code} ${wrong}: ${reply.text.slice(0, 300)}`,
        )
      before = after
    }
    expect(bad.slice(0, 5)).toEqual([])
    expect((await sandbox.call('GET', '/api/v1/nodes')).code).toBe(200)
    expect(Object.prototype).not.toHaveProperty('name')
  },
)

test('paths, methods, headers and bodies that make no sense are refused as such', async () => {
  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  const json = { 'content-type': 'application/json' }
  const cases: [method: string, path: string, body?: unknown, headers?: Record<string, string>][] = [
    ['GET', '/api/v1/namespaces/%00/pods/%ff'],
    ['GET', '/apis//v1/pods'],
    ['GET', '/apis/apps/v1/deployments/a/b/c/d'],
    ['GET', '/openapi/v3/apis/none/v1'],
    ['GET', '/sandbox/v1/nothing'],
    ['PROPFIND', podsPath],
    ['TRACE', podsPath],
    ['POST', podsPath, deep, json],
    ['POST', podsPath, Buffer.from([0xff, 0xfe, 0x7b]), json],
    ['POST', podsPath, 'a: &a [*a, *a]', { 'content-type': 'application/yaml' }],
    ['POST', podsPath, 'x'.repeat(4 * 1024 * 1024), json],
    ['POST', podsPath, '{}', { 'content-type': 'text/html' }],
    ['POST', podsPath, '[1]', json],
    [
      'POST',
      podsPath,
      Buffer.from('6b387300ffffffffff', 'hex'),
      { 'content-type': 'application/vnd.kubernetes.protobuf' },
    ],
    ['GET', podsPath, undefined, { accept: 'text/html' }],
    ['GET', podsPath, undefined, { authorization: 'Bearer nobody' }],
    ['GET', podsPath, undefined, { 'impersonate-group': 'alone' }],
    ['GET', podsPath, undefined, { 'impersonate-user': 'a', 'impersonate-extra-%zz': 'b' }],
    ['GET', `${podsPath}?resourceVersion=99999999`],
    ['GET', `${podsPath}?continue=%%%`],
  ]
  const before = await revision()
  for (const [method, path, body, headers] of cases) {
    const reply = await sandbox.call(method, path, body, headers)
    const wrong = complaint(reply) ?? (reply.code < 400 ? `is ${reply.code}` : undefined)
    expect([`${method} ${path}`, wrong]).toEqual([`${method} ${path}`, undefined])
  }
  expect(await revision()).toBe(before)
})
