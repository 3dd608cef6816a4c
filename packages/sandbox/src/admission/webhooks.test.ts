import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { at, objectAt, textAt, type Json, type JsonObject } from '../json.ts'
import { makeCertificates } from '../http/certificates.ts'
import { webhookTargets } from './webhook-targets.ts'
import { testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox
let server: Server
let url: string
let caBundle: string
/** What the webhook says to a request; undefined: nothing, for ever. */
let answer: (request: JsonObject) => JsonObject | undefined
const asked: JsonObject[] = []

beforeAll(async () => {
  sandbox = await testSandbox({ nodes: [], webhookTargets: ['127.0.0.0/8', '169.254.0.0/16'] })
  const made = await makeCertificates('hook', ['127.0.0.1'], Date.now())
  caBundle = Buffer.from(made.caPem).toString('base64')
  server = createServer({ key: made.keyPem, cert: made.certificatePem }, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const review: unknown = JSON.parse(Buffer.concat(parts).toString())
      const sent = objectAt(review, 'request') ?? {}
      asked.push(sent)
      const said = answer(sent)
      if (said) response.end(JSON.stringify({ response: { uid: sent['uid'], ...said } }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await sandbox.remove()
})

const group = '/apis/admissionregistration.k8s.io/v1'
const maps = '/api/v1/namespaces/default/configmaps'

async function giveHook(kind: 'mutating' | 'validating', more: object = {}): Promise<void> {
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }]
  const clientConfig = { url, caBundle }
  const hook = {
    name: 'hook.example.com',
    rules,
    clientConfig,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    ...more,
  }
  const body = { metadata: { name: 'hook' }, webhooks: [hook] }
  expect(await sandbox.call('POST', `${group}/${kind}webhookconfigurations`, body)).toMatchObject({
    code: 201,
  })
}

beforeEach(async () => {
  asked.length = 0
  for (const kind of ['mutating', 'validating'])
    await sandbox.call('DELETE', `${group}/${kind}webhookconfigurations/hook`)
})

const patchOf = (patch: Json) => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
})

test('a mutating webhook changes what is stored, on creation, update and apply', async () => {
  await giveHook('mutating')
  answer = () => patchOf([{ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }])
  const made = await sandbox.call('POST', maps, { metadata: { generateName: 'm-' }, data: { a: 'b' } })
  expect(made.code).toBe(201)
  expect(at(made.body, 'metadata', 'labels')).toEqual({ seen: 'yes' })
  expect(asked[0]).toMatchObject({
    operation: 'CREATE',
    userInfo: { username: 'kubernetes-admin' },
    object: { data: { a: 'b' } },
  })
  const name = textAt(made.body, 'metadata', 'name') ?? ''
  answer = () => patchOf([{ op: 'add', path: '/data/c', value: 'd' }])
  const changed = await sandbox.call('PUT', `${maps}/${name}`, { metadata: { name }, data: { a: 'x' } })
  expect(at(changed.body, 'data')).toEqual({ a: 'x', c: 'd' })
  expect(asked[1]).toMatchObject({ operation: 'UPDATE', oldObject: { data: { a: 'b' } } })
  const applied = await sandbox.call(
    'PATCH',
    `${maps}/applied?fieldManager=me`,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' }, data: { a: 'b' } },
    { 'content-type': 'application/apply-patch+yaml' },
  )
  expect(at(applied.body, 'data', 'c')).toBe('d')
})

test('a validating webhook refuses and warns, and what it refuses is not stored', async () => {
  await giveHook('validating')
  answer = ({ operation }) =>
    operation === 'DELETE'
      ? { allowed: false }
      : {
          allowed: textAt(asked.at(-1), 'name') !== 'bad',
          status: { message: 'too bad', code: 403, reason: 'Forbidden' },
          warnings: ['mind this'],
        }
  const refused = await sandbox.call('POST', maps, { metadata: { name: 'bad' } })
  expect(refused).toMatchObject({
    code: 403,
    body: {
      message: 'admission webhook "hook.example.com" denied the request: too bad',
      reason: 'Forbidden',
    },
  })
  expect((await sandbox.call('GET', `${maps}/bad`)).code).toBe(404)
  const made = await sandbox.call('POST', maps, { metadata: { name: 'good' } })
  expect(made.code).toBe(201)
  expect(made.headers['warning']).toContain('mind this')
  expect(await sandbox.call('DELETE', `${maps}/good`)).toMatchObject({
    code: 400,
    body: { message: 'admission webhook "hook.example.com" denied the request without explanation' },
  })
  expect((await sandbox.call('GET', `${maps}/good`)).code).toBe(200)
})

test('a webhook that does not answer fails the request, or not, as its policy says', async () => {
  answer = () => undefined
  await giveHook('validating', { timeoutSeconds: 1 })
  const late = await sandbox.call('POST', maps, { metadata: { name: 'late' } })
  expect(textAt(late.body, 'message')).toBe(
    'Internal error occurred: failed calling webhook "hook.example.com": failed to call webhook: context deadline exceeded',
  )
  await sandbox.call('DELETE', `${group}/validatingwebhookconfigurations/hook`)
  await giveHook('validating', {
    failurePolicy: 'Ignore',
    clientConfig: { service: { name: 'nobody', namespace: 'default' } },
  })
  expect((await sandbox.call('POST', maps, { metadata: { name: 'passed' } })).code).toBe(201)
})

async function refusalOf(hookUrl: string, of: StillSandbox = sandbox): Promise<string | undefined> {
  const kept = { sandbox, url }
  sandbox = of
  try {
    await sandbox.call('DELETE', `${group}/validatingwebhookconfigurations/hook`)
    await giveHook('validating', { clientConfig: { url: hookUrl } })
    const { body } = await sandbox.call('POST', maps, { metadata: { name: 'far' } })
    return textAt(body, 'message')
  } finally {
    sandbox = kept.sandbox
  }
}

const refused =
  'Internal error occurred: failed calling webhook "hook.example.com": failed to call webhook: connection refused: this sandbox calls webhooks only on services of its own cluster and on addresses that its operator allows'

test.each([
  ['an address that is not allowed', 'https://10.0.0.1/hook'],
  ['a name of an address that is not allowed', 'https://ip6-localhost/hook'],
  ['a name that nobody has', 'https://nowhere.invalid/hook'],
  ['the address of credentials, allowed or not', 'https://169.254.169.254/hook'],
  ['the same as IPv6', 'https://[::ffff:169.254.169.254]/hook'],
  ['the unspecified address', 'https://0.0.0.0/hook'],
])('a webhook on %s is not called', async (_what, hookUrl) => {
  expect(await refusalOf(hookUrl)).toBe(refused)
})

test('without allowed addresses open and closed ports of this machine cannot be distinguished', async () => {
  const closed = await testSandbox({ nodes: [] })
  try {
    asked.length = 0
    for (const target of [url, url.replace('127.0.0.1', 'localhost'), 'https://127.0.0.1:1/', closed.url])
      expect(await refusalOf(target, closed)).toBe(refused)
    expect(asked).toEqual([])
  } finally {
    await closed.remove()
  }
})

test('an allowed port is one port', () => {
  const targets = webhookTargets(['127.0.0.1:9443', '[fd00::/8]:443', '10.0.0.0/8'])
  expect(targets.allows('127.0.0.1', 9443)).toBe(true)
  expect(targets.allows('::ffff:127.0.0.1', 9443)).toBe(true)
  expect(targets.allows('127.0.0.1', 9444)).toBe(false)
  expect(targets.allows('fd00::7', 443)).toBe(true)
  expect(targets.allows('fd00::7', 80)).toBe(false)
  expect(targets.allows('10.1.2.3', 1)).toBe(true)
  expect(targets.allows('fd00:ec2::254', 443)).toBe(false)
  expect(() => webhookTargets(['everywhere'])).toThrow('"everywhere" is no address')
  expect(() => webhookTargets(['10.0.0.0/40'])).toThrow('is no address')
})

test('a webhook without https is refused', async () => {
  const wrong = await sandbox.call('POST', `${group}/validatingwebhookconfigurations`, {
    metadata: { name: 'plain' },
    webhooks: [
      {
        name: 'a.b.c',
        clientConfig: { url: 'http://127.0.0.1/' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  })
  expect(wrong.code).toBe(422)
})
