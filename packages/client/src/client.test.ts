import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ApiError } from './api-error.ts'
import type { ClientOptions } from './client.ts'
import { createClient } from './client.ts'
import { fakeClock } from './testing/fake-clock.ts'

type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

let server: Server
let seen: Seen[]
let answer: (response: ServerResponse) => void

beforeEach(async () => {
  seen = []
  answer = json(200, {})
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

function json(status: number, value: unknown, headers: Record<string, string> = {}) {
  return (response: ServerResponse) =>
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(value))
}

function client(options: Partial<ClientOptions> = {}) {
  return createClient({ baseUrl: address(), getToken: () => 'tok', getOrganizationId: () => 7, ...options })
}

const failure = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => expect.unreachable('the call succeeded'),
    (error: ApiError) => error,
  )

test('a call carries token, organization and a JSON content type', async () => {
  await client().call('auth.me', {})
  expect(seen[0]).toMatchObject({ method: 'GET', url: '/api/auth/me' })
  expect(seen[0]?.headers).toMatchObject({
    authorization: 'Bearer tok',
    'x-organization-id': '7',
    'content-type': 'application/json',
  })
})

test('the content type can be skipped, and what is unknown is not sent', async () => {
  const anonymous = client({ getToken: () => null, getOrganizationId: () => undefined })
  await anonymous.call('status.health', {}, { contentType: null })
  expect(seen[0]?.headers).not.toHaveProperty('content-type')
  expect(seen[0]?.headers).not.toHaveProperty('authorization')
  expect(seen[0]?.headers).not.toHaveProperty('x-organization-id')
})

test('path parameters are encoded and empty query parts left out', async () => {
  await client().call('clusters.list', { query: { search: 'a b&c', order: undefined, limit: 10 } })
  await client().call('workflows.run', { params: { id: 'a/../b', runId: 'é' } })
  expect(seen.map((each) => each.url)).toEqual([
    '/api/kubernetes/clusters?search=a+b%26c&limit=10',
    '/api/v1/workflows/a%2F..%2Fb/runs/%C3%A9',
  ])
})

test('a missing path parameter is the programmer’s mistake and nothing is sent', async () => {
  await expect(client().call('clusters.get', { params: {} as never })).rejects.toThrow(RangeError)
  expect(seen).toEqual([])
})

test('workflow replies arrive in camel case, keys of free JSON as they are', async () => {
  answer = json(200, {
    run: { workflow_id: 'w', input: { my_key: 1 }, queued_at: 't' },
    steps: [{ progress_percent: 5 }],
  })
  const reply: unknown = await client().call('workflows.run', { params: { id: 'w', runId: 'r' } })
  expect(reply).toMatchObject({
    run: { workflowId: 'w', input: { my_key: 1 }, queuedAt: 't' },
    steps: [{ progressPercent: 5 }],
  })
})

test('a workflow query goes out in snake case', async () => {
  await client().call('workflows.allRuns', { query: { subjectType: 'cluster', subjectId: '3' } })
  expect(seen[0]?.url).toBe('/api/v1/workflows/runs?subject_type=cluster&subject_id=3')
})

test('a reply that is not JSON is text, and one without a body null', async () => {
  answer = (response) => response.writeHead(200, { 'content-type': 'application/yaml' }).end('kind: Config')
  expect(await client().call('clusters.kubeconfig', { params: { id: 1 } })).toBe('kind: Config')
  answer = (response) => response.writeHead(204).end()
  expect(await client().call('auth.logout', {})).toBeNull()
})

test('what makes something carries an Idempotency-Key, its own or the one given', async () => {
  const body = { title: 'one', provider: 'sandbox' as const }
  await client().call('clusters.create', { body })
  await client().call('clusters.create', { body })
  await client().call('clusters.create', { body }, { idempotencyKey: 'again' })
  await client().call('auth.me', {})
  const keys = seen.map((each) => each.headers['idempotency-key'])
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[1]).not.toBe(keys[0])
  expect(keys.slice(2)).toEqual(['again', undefined])
})

test('a problem keeps status, code, detail, request id and fields', async () => {
  const errors = [{ path: 'title', message: 'Taken.' }]
  answer = json(
    409,
    { status: 409, title: 'Name taken', code: 'name_taken', detail: 'It exists.', requestId: 'r1', errors },
    { 'content-type': 'application/problem+json' },
  )
  const error = await failure(client().call('auth.me', {}))
  expect(error).toMatchObject({
    kind: 'problem',
    status: 409,
    statusText: 'Conflict',
    code: 'name_taken',
    detail: 'It exists.',
    requestId: 'r1',
    fieldErrors: errors,
    message: 'API call failed: Conflict',
  })
})

test('only a 401 ends the session', async () => {
  const ended: string[] = []
  const { call } = client({ onUnauthorized: (error) => ended.push(error.message) })
  for (const status of [400, 403, 404, 500, 502, 503]) {
    answer = json(status, {})
    await failure(call('auth.me', {}))
  }
  expect(ended).toEqual([])
  answer = json(401, {})
  await failure(call('auth.me', {}))
  expect(ended).toEqual(['Unauthorized: Please log in again.'])
})

test('a 401 that answers an earlier token does not end the new session', async () => {
  let token = 'old'
  let ended = 0
  const { call } = client({ getToken: () => token, onUnauthorized: () => (ended += 1) })
  answer = (response) => {
    token = 'new'
    json(401, {})(response)
  }
  await failure(call('auth.me', {}))
  expect(ended).toBe(0)
})

test('an error page of a proxy in between still tells its status', async () => {
  answer = (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
  const error = await failure(client().call('auth.me', {}))
  expect(error).toMatchObject({ status: 502, code: undefined, message: 'API call failed: Bad Gateway' })
})

test('a server that is not there is a network failure', async () => {
  const { call } = client({ baseUrl: 'http://127.0.0.1:1' })
  expect(await failure(call('auth.me', {}))).toMatchObject({
    kind: 'network',
    status: 0,
    detail: 'The server cannot be reached. Check that it is running and try again.',
  })
})

test('JSON that was cut off is a network failure, not a value', async () => {
  answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":')
  expect(await failure(client().call('auth.me', {}))).toMatchObject({ kind: 'network', status: 200 })
})

test('a call without an answer is dropped after 60 s', async () => {
  const clock = fakeClock()
  const arrived = new Promise<void>((resolve) => (answer = () => resolve()))
  const call = failure(client({ clock }).call('auth.me', {}))
  await arrived
  clock.advance(59_999)
  expect(clock.pending()).toBe(1)
  clock.advance(1)
  expect(await call).toMatchObject({
    kind: 'timeout',
    detail: 'The server did not answer within 60 s. Try again.',
  })
  expect(clock.pending()).toBe(0)
})

test('the caller can give a call up', async () => {
  const mine = new AbortController()
  const arrived = new Promise<void>((resolve) => (answer = () => resolve()))
  const call = failure(client().call('auth.me', {}, { signal: mine.signal }))
  await arrived
  mine.abort()
  expect(await call).toMatchObject({ kind: 'aborted' })
})
