import type { Permission } from '@bey/contract'
import { expect, test } from 'vitest'
import { as, proxyCaller, proxyPath, proxyServer } from '../testing/proxy-server.ts'

const { cluster, callers, recorded, state, call } = await proxyServer()
// As most imported clusters are: every request is sent in the name of Bey's own account, which may do anything.
cluster.connection = { ...cluster.connection, impersonate: false, identity: 'system:admin' }

const keyWith = (...permissions: Permission[]) =>
  proxyCaller('ADMIN', {
    apiKey: {
      id: 'k',
      name: 'robot',
      secretId: 's',
      isPersonal: false,
      permissions: new Set<Permission>(permissions),
      resources: [],
      requestsPerMinute: null,
      expiresAt: null,
    },
  })
callers['reader'] = keyWith('kubernetes.read')
callers['writer'] = keyWith('kubernetes.read', 'kubernetes.write')

const authorization = `${proxyPath}/apis/authorization.k8s.io/v1`

/** The cluster grants everything to Bey's account. */
function grantEverything(): void {
  cluster.answer = (request, response) => {
    const isRules = request.url?.includes('selfsubjectrulesreviews') === true
    const every = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }
    const status = isRules
      ? {
          resourceRules: [every],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
          incomplete: false,
        }
      : { allowed: true, reason: 'system:masters' }
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ kind: 'Review', apiVersion: 'authorization.k8s.io/v1', status }))
    return true
  }
}

type Review = { status: Record<string, unknown> }

async function review(caller: string, kind: string, spec: object): Promise<Review> {
  grantEverything()
  const body = JSON.stringify({ kind, apiVersion: 'authorization.k8s.io/v1', spec })
  const headers = { ...as(caller), 'content-type': 'application/json' }
  const answer = await call('POST', `${authorization}/${kind.toLowerCase()}s`, headers, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.json() as Review
}

const resource = (verb: string, of: string, more: object = {}) => ({
  resourceAttributes: { verb, resource: of, namespace: 'shop', ...more },
})
const path = (verb: string, url: string) => ({ nonResourceAttributes: { verb, path: url } })

const questions: [string, object, readonly string[]][] = [
  ['list pods', resource('list', 'pods'), ['owner', 'member', 'viewer', 'reader', 'writer']],
  ['patch pods', resource('patch', 'pods'), ['owner', 'member', 'writer']],
  ['delete pods', resource('delete', 'pods'), ['owner', 'member']],
  ['evict pods', resource('create', 'pods', { subresource: 'eviction' }), ['owner', 'member']],
  ['get secrets', resource('get', 'secrets'), ['owner', 'member']],
  ['create pods/exec', resource('create', 'pods', { subresource: 'exec' }), ['owner', 'member']],
  ['get services/proxy', resource('get', 'services', { subresource: 'proxy' }), ['owner', 'member']],
  ['get everything', resource('get', '*', { group: '*' }), ['owner', 'member']],
  ['everything with pods', resource('*', 'pods', { group: '*' }), ['owner']],
  ['everything', resource('*', '*', { group: '*' }), ['owner']],
  // Bey's account may not impersonate anybody here.
  ['impersonate users', resource('impersonate', 'users'), []],
  ['get /version', path('get', '/version'), ['owner', 'member', 'viewer', 'reader', 'writer']],
  ['post /api', path('post', '/api'), ['owner', 'member', 'writer']],
  ['get /metrics', path('get', '/metrics'), []],
]

test.each(questions)('may %s: answered with the rights in Bey', async (_question, spec, allowed) => {
  const found: string[] = []
  for (const caller of ['owner', 'member', 'viewer', 'reader', 'writer']) {
    // oxlint-disable-next-line no-await-in-loop -- one caller after the other
    const { status } = await review(caller, 'SelfSubjectAccessReview', spec)
    if (status['allowed']) found.push(caller)
    else expect(status).toMatchObject({ denied: true, reason: expect.stringMatching(/./) })
  }
  expect(found).toEqual(allowed)
})

test('what Bey allows and the cluster does not is not allowed', async () => {
  cluster.answer = (_request, response) => {
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ kind: 'SelfSubjectAccessReview', status: { allowed: false, reason: 'no RBAC' } }),
    )
    return true
  }
  const body = JSON.stringify({ spec: resource('list', 'pods') })
  const answer = await call('POST', `${authorization}/selfsubjectaccessreviews`, as('owner'), body)
  expect(answer.json()).toMatchObject({ status: { allowed: false, reason: 'no RBAC' } })
  expect(cluster.seen.map((seen) => seen.body)).toEqual([body])
})

test('the refusal names role or key, and nothing of the question reaches the cluster', async () => {
  expect((await review('viewer', 'SelfSubjectAccessReview', resource('delete', 'pods'))).status).toEqual({
    allowed: false,
    denied: true,
    reason: 'the role VIEWER in this organization lacks kubernetes.delete',
  })
  expect(
    (await review('reader', 'SelfSubjectAccessReview', resource('delete', 'pods'))).status['reason'],
  ).toBe('the API key robot was not given kubernetes.delete')
  expect(cluster.seen).toEqual([])
  expect(recorded).toHaveLength(2)
  expect(recorded.every(({ code }) => code === 201)).toBe(true)
})

test('a question in protobuf, as controllers send it, is read as well', async () => {
  grantEverything()
  const field = (number: number, value: string | Buffer) =>
    Buffer.concat([Buffer.from([number * 8 + 2, value.length]), Buffer.from(value)])
  const asked = (verb: string) => {
    const attributes = Buffer.concat([field(1, 'shop'), field(2, verb), field(5, 'pods')])
    return Buffer.concat([Buffer.from('k8s\0'), field(2, field(2, field(1, attributes)))])
  }
  const headers = { ...as('viewer'), 'content-type': 'application/vnd.kubernetes.protobuf' }
  const ask = async (verb: string) =>
    (await call('POST', `${authorization}/selfsubjectaccessreviews`, headers, asked(verb))).json()
  expect(await ask('list')).toMatchObject({ status: { allowed: true } })
  expect(await ask('delete')).toMatchObject({ status: { allowed: false } })
  const yaml = { ...as('viewer'), 'content-type': 'application/yaml' }
  const refused = await call('POST', `${authorization}/selfsubjectaccessreviews`, yaml, 'spec: {}')
  expect(refused.json()).toMatchObject({ kind: 'Status', code: 415 })
})

test('whoami says who the caller is, and as whom the cluster takes it', async () => {
  const at = `${proxyPath}/apis/authentication.k8s.io/v1/selfsubjectreviews`
  for (const [caller, group] of [
    ['owner', 'bey:admins'],
    ['member', 'bey:editors'],
    ['viewer', 'bey:viewers'],
    ['reader', 'bey:viewers'],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one caller after the other
    const answer = await call('POST', at, as(caller), '{}')
    expect(answer.status).toBe(201)
    expect(answer.json()).toMatchObject({
      kind: 'SelfSubjectReview',
      apiVersion: 'authentication.k8s.io/v1',
      status: {
        userInfo: {
          username: 'ada@example.com',
          groups: [group, 'system:authenticated'],
          extra: { 'bey/acts-as': ['system:admin'] },
        },
      },
    })
  }
  expect(cluster.seen).toEqual([])
})

test('the list of rights holds what both Bey and the cluster allow', async () => {
  state.served = [
    { group: '', plural: 'pods' },
    { group: '', plural: 'secrets' },
    { group: 'apps', plural: 'deployments' },
  ]
  const rules = async (caller: string) =>
    (await review(caller, 'SelfSubjectRulesReview', { namespace: 'shop' })).status['resourceRules'] as {
      verbs: string[]
      apiGroups: string[]
      resources: string[]
    }[]
  const every = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }
  expect(await rules('owner')).toEqual([every])

  const read = ['get', 'list', 'watch']
  const ofViewer = await rules('viewer')
  expect(ofViewer.flatMap(({ verbs }) => verbs).every((verb) => read.includes(verb))).toBe(true)
  const names = ofViewer.flatMap(({ apiGroups, resources }) =>
    resources.map((each) => `${apiGroups.join('|')}/${each}`),
  )
  expect(names).toEqual(expect.arrayContaining(['/pods', '/*/log', 'apps/deployments']))
  expect(names.filter((name) => /secrets|exec|attach|proxy|\/\*$/.test(name))).toEqual([])

  // A member may everything but impersonate.
  const [ofMember] = await rules('member')
  expect(ofMember).toMatchObject({ apiGroups: ['*'], resources: ['*'] })
  expect(ofMember?.verbs).toEqual(expect.arrayContaining(['get', 'delete']))
  expect(ofMember?.verbs).not.toContain('*')
  expect(ofMember?.verbs).not.toContain('impersonate')
})

test('rights that cannot be written out are left out, and the list says that it is incomplete', async () => {
  state.served = null
  const { status } = await review('viewer', 'SelfSubjectRulesReview', { namespace: 'shop' })
  expect(status).toMatchObject({ resourceRules: [], incomplete: true, evaluationError: expect.any(String) })
  expect(status['nonResourceRules']).toEqual([
    { verbs: ['get', 'head'], nonResourceURLs: expect.arrayContaining(['/version', '/api/*']) },
  ])
})
