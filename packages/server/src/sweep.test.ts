import { type Endpoint, type EndpointName, isIdempotent, type Role } from '@bey/contract'
import { api } from '@bey/contract/api'
import { listedAt } from '@bey/contract/api-keys/rules'
import { permissionTable, roles } from '@bey/contract/base/permissions'
import { fromWire } from '@bey/contract/base/wire'
import { wireShape } from '@bey/contract/base/wire-shape'
import { writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { isBodyOptional } from './platform/http/parse.ts'
import { connect, flushed, type TestSocket } from './platform/live/testing/live-server.ts'
import { type Ask, type Reply, testApp } from './testing/app.ts'
import { sleepDemos } from './testing/sleep-demos.ts'
import { exampleLines, exampleOf } from './testing/examples.ts'
import { type Example, withoutExample } from './platform/http/docs/examples.ts'
import { sweepCallOf, sweepCalls } from './testing/sweep-calls.ts'
import type { SweepCall, World } from './testing/sweep.ts'

const app = await testApp({
  godmode: true,
  trustedProxies: ['127.0.0.1'],
  oauth: { github: { clientId: 'id', clientSecret: 'secret' } },
})
const { ask, given } = app
const world: World = { app, organizationId: 0, runningClusterId: 0 }
const endpoints = Object.entries<Endpoint>(api) as [EndpointName, Endpoint][]

/** `BEY_RECORD_EXAMPLES=1`: the calls that succeed here become the examples of the API reference. */
const isRecording = process.env['BEY_RECORD_EXAMPLES'] === '1'
const examples = new Map<EndpointName, Example>()
afterAll(() => {
  const file = new URL('./platform/http/docs/examples.jsonl', import.meta.url)
  if (isRecording) writeFileSync(file, exampleLines(examples))
})

// Made once: events are sent to every member, and the server works for every organization.
const members = onceForEach((role: Role) => given.user({ organizationId: world.organizationId, role }))
const stranger = once(() => given.user())
const keyOfStranger = once(async () => given.apiKey(await stranger()))

let live: TestSocket
beforeAll(async () => {
  const owner = await given.user({ role: 'OWNER' })
  const { token, organizationId } = owner
  live = await connect(`ws://127.0.0.1:${app.port}/ws`, owner)
  const body = { title: 'sweep', provider: 'sandbox' }
  const { body: cluster } = await ask('POST', '/api/kubernetes/clusters', { token, organizationId, body })
  await vi.waitFor(
    async () => {
      const reply = await ask('GET', `/api/kubernetes/clusters/${cluster.id}`, { token, organizationId })
      if (reply.body.status !== 'RUNNING') throw new Error(reply.text)
    },
    { timeout: 60_000, interval: 50 },
  )
  Object.assign(world, { organizationId, runningClusterId: cluster.id })
})

/** What the server says of all of its endpoints: asked once, for it is long. */
const documentation = once(async () => {
  const [{ body: document }, { text: page }] = await Promise.all([
    ask('GET', '/api/openapi.json'),
    ask('GET', '/api/docs'),
  ])
  return { document, page }
})

describe.each(endpoints)('%s', (name, endpoint) => {
  const row = sweepCallOf(name)
  const { access } = endpoint
  const leastRole: Role =
    row.role ?? (access === 'public' || access === 'user' ? 'VIEWER' : permissionTable[access])
  const isOfOrganization = access !== 'public' && access !== 'user'
  /** What acts on an account may end it, and all else is called by the same few members. */
  const caller = () =>
    isOfOrganization
      ? members(leastRole)
      : given.user({ organizationId: world.organizationId, role: leastRole })
  if (name.startsWith('demo.'))
    afterEach(async () => {
      await sleepDemos(app.database)
      await analyze()
    })
  else if (endpoints.findIndex(([each]) => each === name) % 25 === 0) afterAll(analyze)
  if (name.startsWith('webhooks.')) afterEach(pauseWebhooks)

  test('succeeds, and only for whom it is', async () => {
    const person = { name: `Whoever calls ${name}`, organizationId: world.organizationId }
    const user = await given.user({ ...person, role: leastRole })
    const call = await row.call(world, user)
    const as = access === 'public' ? {} : { token: user.token, organizationId: world.organizationId }

    if (!endpoint.takesAnyQuery && !name.startsWith('kubernetes.proxy')) {
      const query = [call.query, 'no_such_parameter=1'].filter(Boolean).join('&')
      const odd = await send(endpoint, { ...call, query }, call.as ?? as)
      expect([odd.status, odd.body?.errors?.[0]?.path]).toEqual([400, 'no_such_parameter'])
    }

    const success = await send(endpoint, call, call.as ?? as)
    expect(success.status, success.text).toBe(
      name === 'kubernetes.proxyPost' ? 201 : (endpoint.status ?? 200),
    )
    expectDeclared(endpoint, success)
    if (isRecording && !Object.hasOwn(withoutExample, name))
      examples.set(name, exampleOf(endpoint, call, success))
    expect(await otherNamesInTrail(user)).toEqual([])
    const people = peopleIn(success.body)
    expect(people.filter(isHalfNamed)).toEqual([])
    for (const person of people.filter(({ id }) => id === String(user.id))) {
      expect(person).toMatchObject({ name: user.name, email: user.email })
    }
    if (access === 'public') return

    const anonymous = await send(endpoint, call, {})
    expect([anonymous.status, anonymous.body.code]).toEqual([401, codeOf(name, 401)])
    const stale = await send(endpoint, call, { ...as, token: `${user.token}x` })
    expect(stale.status).toBe(401)
    if (!isOfOrganization) return

    const foreigner = await stranger()
    const intruder = await send(endpoint, call, {
      token: foreigner.token,
      organizationId: world.organizationId,
    })
    expect([intruder.status, intruder.body.code]).toEqual([404, codeOf(name, 404)])
    if (call.params && !row.isForEveryOrganization) {
      const foreign = await send(endpoint, call, {
        token: foreigner.token,
        organizationId: foreigner.organizationId,
      })
      expect([foreign.status, foreign.body.code]).toEqual([404, codeOf(name, 404)])
    }
    for (const role of roles.slice(roles.indexOf(leastRole) + 1)) {
      const lesser = await members(role)
      const reply = await send(endpoint, call, {
        token: lesser.token,
        organizationId: world.organizationId,
      })
      expect([role, reply.status, reply.body.code]).toEqual([role, 403, codeOf(name, 403)])
    }
  })

  if (endpoint.method === 'POST' && isBodyOptional(endpoint)) {
    test('succeeds without a body, for all of its fields are optional', async () => {
      const user = await caller()
      const { body: _left, ...call } = await row.call(world, user)
      const as = access === 'public' ? {} : { token: user.token, organizationId: world.organizationId }
      const reply = await send(endpoint, call, call.as ?? as)
      expect(reply.status, reply.text).toBe(endpoint.status ?? 200)
    })
  }

  if (access !== 'public') {
    test('takes an API key, and only within its permissions and limits', async () => {
      const { organizationId } = world
      const user = await caller()
      const full = await given.apiKey(user)
      const call = await row.call(world, user)
      const takesKeys = isOfOrganization && endpoint.keys !== 'none'
      const reply = await send(endpoint, call, { token: full.token, organizationId })
      if (!takesKeys) return expect([reply.status, reply.body.code]).toEqual([403, 'forbidden'])
      expect(reply.status, reply.text).toBe(name === 'kubernetes.proxyPost' ? 201 : (endpoint.status ?? 200))

      const { token: broken } = { token: `${full.token.slice(0, -1)}${full.token.endsWith('0') ? '1' : '0'}` }
      expect((await send(endpoint, call, { token: broken, organizationId })).status).toBe(401)
      const { token: foreignKey } = await keyOfStranger()
      const intruder = await send(endpoint, call, { token: foreignKey, organizationId })
      expect([intruder.status, intruder.body.code]).toEqual([404, codeOf(name, 404)])
      if (endpoint.isForEveryKey) return

      const few = await given.apiKey(user, {
        permissions: access === 'analytics.read' ? [] : ['analytics.read'],
      })
      const limited = await send(endpoint, call, { token: few.token, organizationId })
      expect([limited.status, limited.body.code]).toEqual([403, codeOf(name, 403)])
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
      const user = await caller()
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

  if (isIdempotent(endpoint)) {
    test('is carried out once under one Idempotency-Key', async () => {
      const user = await caller()
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

test('live events of all of these calls name people by name and e-mail address', async () => {
  await flushed(live)
  const people = peopleIn(live.frames)
  expect(people.length).toBeGreaterThan(0)
  expect(people.filter(isHalfNamed)).toEqual([])
})

test('features bring how to call every endpoint that takes parameters or a body, and no other name', () => {
  const needed = endpoints.filter(([, endpoint]) => endpoint.params ?? endpoint.body).map(([name]) => name)
  expect(needed.filter((name) => sweepCalls[name] === undefined)).toEqual([])
  expect(Object.keys(sweepCalls).filter((name) => !(name in api))).toEqual([])
})

test('every POST with a session takes an Idempotency-Key, unless it says in a sentence why not', () => {
  const without = endpoints.filter(
    ([, each]) => each.method === 'POST' && each.access !== 'public' && !isIdempotent(each),
  )
  for (const [name, { path, withoutIdempotencyKey }] of without) {
    if (!path.startsWith('/api/auth/'))
      expect([name, withoutIdempotencyKey]).toEqual([name, expect.stringMatching(/\.$/)])
  }
})

test('a reply that answers a secret is kept so that it opens with its own key alone', () => {
  const secrets = endpoints.filter(([, each]) => {
    const names = each.response instanceof z.ZodObject ? Object.keys(each.response.shape) : []
    return isIdempotent(each) && names.some((name) => /^(token|secret|password)$/.test(name))
  })
  // The secret of an entry of the vault is described, never shown.
  const shown = secrets.filter(([name]) => !name.startsWith('secrets.'))
  expect(shown.map(([name]) => name).toSorted()).toEqual(
    endpoints.flatMap(([name, each]) => (each.answersSecret ? [name] : [])).toSorted(),
  )
})

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

function onceForEach<K, T>(make: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const made = new Map<K, Promise<T>>()
  return (key) => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

/** Plans follow the statistics, which autovacuum makes late: until then tables that have grown are taken for empty. */
async function analyze() {
  await app.database.ownerPool.query('analyze')
}

/** Webhooks of finished tests would be sent, with all attempts, each event of the tests that follow. */
async function pauseWebhooks() {
  await app.database.ownerPool.query(`update webhooks set status = 'paused'`)
}

/** Entries of the audit trail, of any organization, that name a person other than by their name and address. */
async function otherNamesInTrail({ id }: { id: number }) {
  const { rows } = await app.database.ownerPool.query(
    `select e.action, e.actor_display, e.actor_email from audit_entries e join users u on u.id = $1
     where e.actor_type = 'user' and e.actor_id = $1::text
       and (e.actor_display, e.actor_email) is distinct from (u.name, u.email)`,
    [id],
  )
  return rows
}

type NamedPerson = { type: 'user'; id: string; name: string; email?: string | null }

/** Everybody whom a reply or an event names as the one who did something. */
function peopleIn(value: unknown): NamedPerson[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(peopleIn)
  // What was acted on is named by its own means: an account by its address.
  const { target: _target, ...rest } = value as Record<string, unknown>
  const { type, id, name } = rest
  const isPerson = type === 'user' && typeof id === 'string' && id !== '' && typeof name === 'string'
  // Its shape was just looked at.
  return [...(isPerson ? [value as NamedPerson] : []), ...Object.values(rest).flatMap(peopleIn)]
}

/** Only who has left is named without an address. */
const isHalfNamed = ({ name, email }: NamedPerson) => !email && name !== 'Former member'

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
