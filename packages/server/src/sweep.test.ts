import type { Endpoint, EndpointName, Role } from '@bey/contract'
import { api } from '@bey/contract/api'
import { listedAt } from '@bey/contract/api-key-rules'
import { permissionTable, roles } from '@bey/contract/permissions'
import { fromWire } from '@bey/contract/wire'
import { wireShape } from '@bey/contract/wire-shape'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type Ask, type Reply, testApp } from './testing/app.ts'
import { type SweepCall, sweepCallOf, type World } from './testing/sweep-calls.ts'

const app = await testApp({
  godmode: true,
  trustedProxies: ['127.0.0.1'],
  oauth: { github: { clientId: 'id', clientSecret: 'secret' } },
})
const { ask, given } = app
const world: World = { app, organizationId: 0, runningClusterId: 0 }
const endpoints = Object.entries<Endpoint>(api) as [EndpointName, Endpoint][]

beforeAll(async () => {
  const owner = await given.user({ role: 'OWNER' })
  const { token, organizationId } = owner
  const body = { title: 'sweep', provider: 'sandbox' }
  const { body: cluster } = await ask('POST', '/api/kubernetes/clusters', { token, organizationId, body })
  await vi.waitFor(
    async () => {
      const reply = await ask('GET', `/api/kubernetes/clusters/${cluster.id}`, { token, organizationId })
      if (reply.body.status !== 'RUNNING') throw new Error(reply.text)
    },
    { timeout: 50_000, interval: 50 },
  )
  Object.assign(world, { organizationId, runningClusterId: cluster.id })
})

describe.each(endpoints)('%s', (name, endpoint) => {
  const row = sweepCallOf(name)
  const { access } = endpoint
  const leastRole: Role =
    row.role ?? (access === 'public' || access === 'user' ? 'VIEWER' : permissionTable[access])
  const isOfOrganization = access !== 'public' && access !== 'user'

  test('succeeds, and only for whom it is', async () => {
    const user = await given.user({ organizationId: world.organizationId, role: leastRole })
    const call = await row.call(world, user)
    const as = access === 'public' ? {} : { token: user.token, organizationId: world.organizationId }

    const success = await send(endpoint, call, call.as ?? as)
    expect(success.status, success.text).toBe(
      name === 'kubernetes.proxyPost' ? 201 : (endpoint.status ?? 200),
    )
    expectDeclared(endpoint, success)
    if (access === 'public') return

    const anonymous = await send(endpoint, call, {})
    expect([anonymous.status, anonymous.body.code]).toEqual([401, codeOf(name, 401)])
    const stale = await send(endpoint, call, { ...as, token: `${user.token}x` })
    expect(stale.status).toBe(401)
    if (!isOfOrganization) return

    const stranger = await given.user()
    const intruder = await send(endpoint, call, {
      token: stranger.token,
      organizationId: world.organizationId,
    })
    expect([intruder.status, intruder.body.code]).toEqual([404, codeOf(name, 404)])
    if (call.params && !row.isForEveryOrganization) {
      const foreign = await send(endpoint, call, {
        token: stranger.token,
        organizationId: stranger.organizationId,
      })
      expect([foreign.status, foreign.body.code]).toEqual([404, codeOf(name, 404)])
    }
    for (const role of roles.slice(roles.indexOf(leastRole) + 1)) {
      const lesser = await given.user({ organizationId: world.organizationId, role })
      const refused = await send(endpoint, call, {
        token: lesser.token,
        organizationId: world.organizationId,
      })
      expect([role, refused.status, refused.body.code]).toEqual([role, 403, codeOf(name, 403)])
    }
  })

  if (access !== 'public') {
    test('takes an API key, and only within its permissions and limits', async () => {
      const { organizationId } = world
      const user = await given.user({ organizationId, role: leastRole })
      const full = await given.apiKey(user)
      const call = await row.call(world, user)
      const takesKeys = isOfOrganization && endpoint.keys !== 'none'
      const reply = await send(endpoint, call, { token: full.token, organizationId })
      if (!takesKeys) return expect([reply.status, reply.body.code]).toEqual([403, 'forbidden'])
      expect(reply.status, reply.text).toBe(name === 'kubernetes.proxyPost' ? 201 : (endpoint.status ?? 200))

      const { token: broken } = { token: `${full.token.slice(0, -1)}${full.token.endsWith('0') ? '1' : '0'}` }
      expect((await send(endpoint, call, { token: broken, organizationId })).status).toBe(401)
      const stranger = await given.apiKey(await given.user())
      const intruder = await send(endpoint, call, { token: stranger.token, organizationId })
      expect([intruder.status, intruder.body.code]).toEqual([404, codeOf(name, 404)])
      if (endpoint.isForEveryKey) return

      const few = await given.apiKey(user, {
        permissions: access === 'analytics.read' ? [] : ['analytics.read'],
      })
      const refused = await send(endpoint, call, { token: few.token, organizationId })
      expect([refused.status, refused.body.code]).toEqual([403, codeOf(name, 403)])
      const elsewhere = await given.apiKey(user, { resources: [{ type: 'cluster', id: '2147483647' }] })
      const beyond = await send(endpoint, call, { token: elsewhere.token, organizationId })
      // The list of their type is answered with what the key is limited to alone: here with nothing.
      if (endpoint.method === 'GET' && listedAt(endpoint.path) === 'cluster')
        expect([beyond.status, beyond.body.total]).toEqual([200, 0])
      else expect([403, 404]).toContain(beyond.status)
      if (endpoint.keys !== 'personal') return
      const shared = await given.apiKey(user, { isPersonal: false })
      expect((await send(endpoint, call, { token: shared.token, organizationId })).status).toBe(403)
    })
  }

  test('is documented with its access and its errors', async () => {
    const { document, page } = await documentation()
    const path = endpoint.path.replace(/\*$/, '{path}')
    const operation = document.paths[path]?.[endpoint.method.toLowerCase()]
    expect(operation).toMatchObject({ operationId: name, 'x-access': access })
    const documented = Object.values<{ 'x-codes'?: string[] }>(operation.responses).flatMap(
      (each) => each['x-codes'] ?? [],
    )
    for (const code of endpoint.errors ?? []) expect(documented).toContain(code)
    expect(page).toContain(`id="${name}"`)
  })

  if (endpoint.query && 'limit' in endpoint.query.shape) {
    test('answers no more rows than asked for, and never more than 200', async () => {
      const user = await given.user({ organizationId: world.organizationId, role: leastRole })
      const call = await row.call(world, user)
      const as = { token: user.token, organizationId: world.organizationId }
      const reply = await send(endpoint, { ...call, query: 'limit=1' }, as)
      const lists = Object.entries(reply.body).filter(
        ([key, value]) => Array.isArray(value) && !(row.besideRows ?? []).includes(key),
      )
      expect(lists.map(([key]) => key)).toHaveLength(1)
      expect((lists[0]?.[1] as unknown[] | undefined)?.length).toBeLessThanOrEqual(1)
      const tooMany = await send(endpoint, { ...call, query: 'limit=201' }, as)
      expect(tooMany.body).toMatchObject({ code: 'invalid_request', errors: [{ path: 'limit' }] })
    })
  }

  if (endpoint.isIdempotent) {
    test('is carried out once under one Idempotency-Key', async () => {
      const user = await given.user({ organizationId: world.organizationId, role: leastRole })
      const call = await row.call(world, user)
      const as = { token: user.token, organizationId: world.organizationId }
      const keyed = { ...call, headers: { ...call.headers, 'idempotency-key': `sweep-${name}` } }
      const first = await send(endpoint, keyed, as)
      const second = await send(endpoint, keyed, as)
      expect([second.status, second.body]).toEqual([first.status, first.body])
      expect([first, second].map((reply) => reply.headers.get('idempotency-replayed'))).toEqual([
        null,
        'true',
      ])
    })
  }
})

test('every POST that creates or starts something takes an Idempotency-Key', () => {
  const without = endpoints.filter(([, endpoint]) => endpoint.method === 'POST' && !endpoint.isIdempotent)
  const names = new Set<string>(without.map(([name]) => name))
  const listed = new Set<string>([
    'auth.login',
    'auth.signup',
    'auth.logout',
    // Each uses up what it is given.
    'auth.secondFactor',
    'auth.stepUp',
    'auth.forgotPassword',
    'auth.resetPassword',
    'auth.exchangeOauth',
    'auth.passkeyOptions',
    'auth.passkeyLogin',
    // They answer what is shown once and kept nowhere.
    'account.beginTotp',
    'account.renewRecoveryCodes',
    'account.passkeyOptions',
    'account.addPasskey',
    'instance.testSmtp',
    // Answers a token, which is kept nowhere.
    'godmode.impersonate',
    // Done twice it is as it was.
    'organizations.activate',
    // Only reads, and streams what it reads.
    'audit.export',
    // Answer a secret, which is kept nowhere.
    'apiKeys.create',
    'apiKeys.rotate',
    // It only reads.
    'apiKeys.test',
    // Answer a signing secret, which is shown once.
    'webhooks.create',
    'webhooks.rotateSecret',
    // Done twice, the second is refused: the caller owns nothing any more, or is gone.
    'organization.transfer',
    'organization.leave',
    // Done twice it is as it was.
    'organization.restore',
    // It only reads.
    'invitations.preview',
    // Under a lock, once in all.
    'invitations.accept',
    'invitations.signup',
    'invitations.reject',
    // They connect and read; what a test found of a cluster is kept once, as the last.
    'kubeconfig.read',
    'kubeconfig.test',
    'clusters.testConnection',
    // Kubernetes has its own way: names are unique.
    'kubernetes.proxyPost',
    // They only read, and stream what they read.
    'kubernetes.logs',
    'kubernetes.downloadLogs',
    // Answer what represents the session for a moment, and is kept nowhere.
    'kubernetes.streamTicket',
    'kubernetes.serviceSession',
    // They only read; a revealed value is kept nowhere.
    'workflows.validate',
    'workflows.createTrigger',
    'workflows.rotateTriggerSecret',
    'workflows.hook',
    'workflows.evaluate',
    // Tried again and again while it is written; keeps nothing.
    'workflows.testStep',
    'secrets.reveal',
    'secrets.inspect',
    'secrets.export',
    // Answers what is wiped by it.
    'secretShares.open',
    'secrets.verify',
    'annotations.export',
    // Keeps nothing but when it was sent last.
    'notificationChannels.test',
  ])
  expect(names).toEqual(listed)
})

/** What the server says of all of its endpoints: asked once, for it is long. */
let asked: Promise<{ document: Reply['body']; page: string }> | undefined
const documentation = () => (asked ??= readDocumentation())

async function readDocumentation() {
  const [{ body: document }, { text: page }] = await Promise.all([
    ask('GET', '/api/openapi.json'),
    ask('GET', '/api/docs'),
  ])
  return { document, page }
}

function send(endpoint: Endpoint, call: SweepCall, as: Ask): Promise<Reply> {
  const path = endpoint.path
    .replace(/\{(\w+)\}/g, (_match, name: string) => String(call.params?.[name]))
    .replace(/\*$/, call.rest ?? '')
  return ask(endpoint.method, call.query === undefined ? path : `${path}?${call.query}`, {
    ...as,
    ...(call.body !== undefined && { body: call.body }),
    ...(call.headers && { headers: call.headers }),
  })
}

/** The reply is what the contract declares, under the names of the wire. */
function expectDeclared({ response, status, wire }: Endpoint, reply: Reply): void {
  if (status === 204) expect(reply.text).toBe('')
  else if (response instanceof z.ZodType) {
    const shape = wire && wireShape(response)
    const parsed = response.safeParse(shape ? fromWire(reply.body, shape) : reply.body)
    expect(parsed.error?.issues ?? []).toEqual([])
  } else expect(reply.headers.get('content-type')).toContain(response.mediaType)
}

/** Under the proxy errors are those of Kubernetes, whose code is the status. */
function codeOf(name: EndpointName, status: 401 | 403 | 404): string | number {
  if (name.startsWith('kubernetes.proxy')) return status
  return { 401: 'unauthenticated', 403: 'forbidden', 404: 'not_found' }[status]
}
