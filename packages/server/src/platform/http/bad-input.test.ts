import { connect } from 'node:net'
import { errorTable } from '@bey/contract/base/errors'
import { expect, test } from 'vitest'
import { testApp, type Reply } from '../../testing/app.ts'

const lines: string[] = []
const app = await testApp({}, { log: (line) => void lines.push(line) })
const { ask } = app
const user = await app.given.user({ role: 'ADMIN' })
const token = user.token

/** Every error is a problem document that tells neither stack nor statement. */
function expectProblem(reply: Reply, code: keyof typeof errorTable): void {
  expect(reply.body).toMatchObject({ code, status: errorTable[code].status, title: errorTable[code].title })
  expect(reply.status).toBe(errorTable[code].status)
  expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(reply.body.requestId).toBe(reply.headers.get('x-request-id'))
  expect(reply.text).not.toMatch(/\bat \w+.*:\d+:\d+|node_modules|select |SyntaxError|ZodError/)
}

test.each([
  ['half an object', '{"name":'],
  ['a bare word', 'name'],
  ['two documents', '{}{}'],
  ['a prototype', '{"__proto__":{"isAdmin":true},"name":"x"}'],
  ['a constructor', '{"constructor":{"prototype":{}},"name":"x"}'],
  ['bytes that are not UTF-8', '\uD800{'],
])('a body with %s is malformed JSON', async (_what, body) => {
  expectProblem(await ask('POST', '/api/organizations', { token, body }), 'malformed_json')
})

test.each([
  ['null', 'null', ''],
  ['a list', '[]', ''],
  ['a number', '7', ''],
  ['nothing', '', ''],
  ['an unknown field', '{"name":"x","role":"OWNER"}', 'role'],
  ['a wrong type', '{"name":{"$gt":""}}', 'name'],
  ['a missing field', '{}', 'name'],
  ['a name that is too long', JSON.stringify({ name: 'x'.repeat(101) }), 'name'],
])('a body with %s is refused, naming where', async (_what, body, path) => {
  const reply = await ask('POST', '/api/organizations', { token, body })
  expectProblem(reply, 'invalid_request')
  expect(reply.body.errors.map((error: { path: string }) => error.path)).toEqual([path])
})

test('a nested field is named by its path', async () => {
  const body = {
    title: 'one',
    provider: 'sandbox',
    nodeGroups: [
      { name: 'ok', count: 1 },
      { name: 'ok', count: 0, x: 1 },
    ],
  }
  const reply = await ask('POST', '/api/kubernetes/clusters', { token, body })
  expectProblem(reply, 'invalid_request')
  expect(reply.body.errors.map((error: { path: string }) => error.path)).toEqual([
    'nodeGroups.1.count',
    'nodeGroups.1.x',
  ])
})

test('a query field in snake case is named as it was sent', async () => {
  const reply = await ask('GET', '/api/v1/workflows/runs?is_over=maybe', { token })
  expectProblem(reply, 'invalid_request')
  expect(reply.body.errors[0].path).toBe('is_over')
})

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'nonsense',
])('a body of type %s is not read', async (type) => {
  const reply = await ask('POST', '/api/organizations', {
    token,
    body: '{"name":"x"}',
    headers: { 'content-type': type },
  })
  expectProblem(reply, 'unsupported_media_type')
})

test('a body of more than 1 MB is refused, and one of just less is read', async () => {
  const tooMuch = JSON.stringify({ name: 'x'.repeat(1024 * 1024) })
  expectProblem(await ask('POST', '/api/organizations', { token, body: tooMuch }), 'payload_too_large')
  const justLess = JSON.stringify({ name: 'x'.repeat(1024 * 1024 - 100) })
  expectProblem(await ask('POST', '/api/organizations', { token, body: justLess }), 'invalid_request')
})

test('a JSON content type without a body is no body, where none is needed', async () => {
  const reply = await ask('POST', `/api/organizations/${user.organizationId}/activate`, { token, body: '' })
  expect(reply.status).toBe(200)
})

test('a body where none is taken is refused', async () => {
  const path = `/api/organizations/${user.organizationId}/activate`
  expectProblem(await ask('POST', path, { token, body: { force: true } }), 'invalid_request')
  expect((await ask('POST', path, { token, body: {} })).status).toBe(200)
})

test.each(['0', '-1', '1.5', '9999999999', 'abc', 'NaN', '1e3x', '%27', '%00', '1%20or%201'])(
  'the id %s is refused or not found, never a 500',
  async (id) => {
    for (const path of [`/api/kubernetes/clusters/${id}`, `/api/kubernetes/clusters/${id}/status`]) {
      const reply = await ask('GET', path, { token })
      expect([400, 404]).toContain(reply.status)
      expectProblem(reply, reply.body.code)
    }
  },
)

test.each(['not-a-uuid', '00000000-0000-0000-0000-00000000000g', '../../etc/passwd', '%2e%2e%2f'])(
  'the workflow id %s is refused or not found',
  async (id) => {
    const reply = await ask('GET', `/api/v1/workflows/${id}`, { token })
    expect([400, 404]).toContain(reply.status)
  },
)

test.each([
  'page=0',
  'page=x',
  'limit=0',
  'limit=201',
  'limit=1e9',
  'order=up',
  'page=1&page=2',
  'status=NOPE',
  'search=' + 'x'.repeat(201),
])('a list asked for with %s is refused', async (query) => {
  expectProblem(await ask('GET', `/api/kubernetes/clusters?${query}`, { token }), 'invalid_request')
})

test.each(['after', 'before'])('a place in a log that no log reaches is refused: %s', async (name) => {
  const id = '01938a4e-1111-7000-8000-000000000001'
  const path = `/api/v1/workflows/${id}/runs/${id}/logs?${name}=2147483648`
  expectProblem(await ask('GET', path, { token }), 'invalid_request')
})

test.each([
  ['GET', '/api/kubernetes/clusters?page=x', undefined, 'page: Send a number.'],
  ['GET', '/api/kubernetes/clusters?page=1.5', undefined, 'page: Send a whole number.'],
  ['GET', '/api/kubernetes/clusters?limit=201', undefined, 'limit: Send at most 200.'],
  ['GET', '/api/kubernetes/clusters?order=up', undefined, 'order: Send one of asc, desc.'],
  ['GET', '/api/v1/workflows?status=', undefined, /^status: Send one of idle, queued, .*, expired\.$/],
  ['GET', '/api/v1/workflows/1', undefined, 'id: Send a UUID.'],
  [
    'POST',
    '/api/notifications/read',
    { until: 'now' },
    'until: Send an instant such as 2026-11-21T12:00:00Z.',
  ],
  ['POST', '/api/organizations', {}, 'name: This field is required.'],
  ['POST', '/api/organizations', { name: 7 }, 'name: Send a text.'],
  ['POST', '/api/organizations', { name: ' ' }, 'name: Enter a name.'],
  [
    'POST',
    '/api/organizations',
    { name: 'x'.repeat(101) },
    'name: Use at most 100 characters; this name has 101.',
  ],
  ['POST', '/api/v1/errors/log', { errors: [] }, 'errors: Send at least 1 item.'],
  ['POST', '/api/organizations', '[]', 'Send a JSON object.'],
])('%s %s with %j says what to send instead', async (method, path, body, detail) => {
  const reply = await ask(method, path, { token, ...(body !== undefined && { body }) })
  expectProblem(reply, 'invalid_request')
  expect(reply.body.detail).toEqual(typeof detail === 'string' ? detail : expect.stringMatching(detail))
})

test.each(["'; drop table users; --", '%_%', '\\', '\u0000x', '💥'])(
  'searching for %j finds nothing and breaks nothing',
  async (text) => {
    const reply = await ask('GET', `/api/kubernetes/clusters?search=${encodeURIComponent(text)}`, { token })
    expect([200, 400]).toContain(reply.status)
  },
)

test('a bad percent escape is refused', async () => {
  const reply = await ask('GET', '/api/kubernetes/clusters/%E0%A4%A', { token })
  expectProblem(reply, 'invalid_request')
})

test('a text with a NUL is refused, naming the field', async () => {
  const reply = await ask('POST', '/api/organizations', { token, body: { name: 'a\0b' } })
  expectProblem(reply, 'invalid_request')
  expect(reply.body.errors[0].path).toBe('name')
})

test('a text that was cut within an emoji is mended wherever it is kept, within free JSON as well', async () => {
  const renamed = await ask('PATCH', '/api/auth/me', { token, body: { name: 'Ada \ud83d' } })
  expect([renamed.status, renamed.body.name]).toEqual([200, 'Ada \ufffd'])
  const timestamp = '2026-11-21T12:00:00.000Z'
  const additionalContext = { breadcrumbs: [{ message: 'clicked \ud83d' }] }
  const errors = [{ message: 'cut', timestamp, additionalContext }]
  const { body } = await ask('POST', '/api/v1/errors/log', { token, body: { errors } })
  const { body: kept } = await ask('GET', `/api/v1/errors/${body.errorIds[0]}`, { token })
  const path = `/api/v1/errors/${body.errorIds[0]}/occurrences/${kept.latestOccurrenceId}`
  const { occurrence } = (await ask('GET', path, { token })).body
  expect(occurrence.additionalContext.breadcrumbs).toEqual([{ message: 'clicked \ufffd' }])
})

test.each([101, 400_000])('JSON that is nested %i levels deep is refused', async (depth) => {
  const nested = '['.repeat(depth) + ']'.repeat(depth)
  const entry = `"message":"m","timestamp":"2026-11-21T12:00:00Z","additionalContext":{"a":${nested}}`
  const reply = await ask('POST', '/api/v1/errors/log', { token, body: `{"errors":[{${entry}}]}` })
  expectProblem(reply, 'invalid_request')
})

test.each([
  ['POST', '/api/v1/errors/log', { errors: [{ message: 'm', timestamp: '0000-01-01T00:00:00Z' }] }],
  ['POST', '/api/v1/errors/log', { errors: [{ message: 'm', timestamp: '9999-12-31T23:59:59-23:00' }] }],
  ['POST', '/api/notifications/read', { until: '0000-01-01T00:00:00Z' }],
  ['GET', '/api/v1/workflows/runs?since=0000-01-01T00:00:00Z', undefined],
  ['GET', '/api/notifications?cursor=999999999999999-01938a4e-1111-7000-8000-000000000001', undefined],
])('an instant that PostgreSQL has no room for is refused: %s %s', async (method, path, body) => {
  expectProblem(await ask(method, path, { token, ...(body && { body }) }), 'invalid_request')
})

test('an unknown path is another thing than a known one with another method', async () => {
  expectProblem(await ask('GET', '/api/nothing'), 'route_not_found')
  const reply = await ask('DELETE', '/api/auth/me')
  expectProblem(reply, 'method_not_allowed')
  expect(reply.headers.get('allow')).toBe('GET, PATCH, HEAD, OPTIONS')
  expectProblem(await ask('DELETE', `/api/kubernetes/clusters`, { token }), 'method_not_allowed')
})

test.each(['QUERY', 'PROPFIND', 'TRACE'])(
  'a known path does not take %s, and an unknown one is not there',
  async (method) => {
    const ask = async (path: string) =>
      raw(`${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    expect(await ask('/api/auth/me')).toMatch(/^HTTP\/1.1 405[\s\S]*\r\nallow: GET, PATCH, HEAD, OPTIONS\r\n/)
    expect(await ask('/api/nothing')).toMatch(/^HTTP\/1.1 404/)
  },
)

test.each(['http://x', 'https://bey.example.com:8443', 'HTTP://x'])(
  'a request target may be a whole address that begins with %s',
  async (origin) => {
    const head = `host: x\r\nauthorization: Bearer ${token}\r\naccept: text/html\r\nconnection: close`
    const ask = (path: string) => raw(`GET ${origin}${path} HTTP/1.1\r\n${head}\r\n\r\n`)
    expect(await ask('/api/auth/me?organization_id=1')).toMatch(/^HTTP\/1.1 200/)
    expect(await ask('/api/nothing')).toContain('"code":"route_not_found"')
    expect(await ask('/api/kubernetes/clusters/2000000000/proxy/version')).toContain(
      'clusters \\"2000000000\\" not found',
    )
  },
)

test('HEAD answers what GET would, without a body, and OPTIONS says what there is', async () => {
  const head = await ask('HEAD', '/api/auth/me', { token })
  expect([head.status, head.text]).toEqual([200, ''])
  const options = await ask('OPTIONS', '/api/organizations')
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, POST, HEAD, OPTIONS'])
})

test('a path of 20 KB is refused', async () => {
  const reply = await ask('GET', `/api/${'x'.repeat(12_000)}`, { token })
  expect(reply.status).toBe(404)
  expect(await raw(`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`)).toMatch(/^HTTP\/1.1 4\d\d/)
})

test.each([
  ['not HTTP', 'hello\r\n\r\n'],
  ['an endless header', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`],
  [
    'two lengths',
    'POST /api/organizations HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
  ],
  [
    'length and chunks',
    'POST /api/organizations HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a line feed in a header', 'GET / HTTP/1.1\r\nhost: x\r\nx: a\nb\r\n\r\n'],
])('%s is answered 400 as a problem document and the connection is closed', async (_what, bytes) => {
  const answer = await raw(bytes)
  expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
  expect(answer).toContain('"code":"invalid_request"')
})

test('a connection that is cut in the middle of a body leaves nothing behind', async () => {
  const socket = connect(app.port, '127.0.0.1')
  socket.write(
    `POST /api/organizations HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"name":"half`,
  )
  await new Promise((done) => socket.once('connect', done))
  socket.destroy()
  expect((await ask('GET', '/health')).status).toBe(200)
  const { rows } = await app.database.ownerPool.query(`select 1 from organizations where name like 'half%'`)
  expect(rows).toEqual([])
})

test('a stale token ends in 401, and no other error does', async () => {
  expectProblem(await ask('GET', '/api/kubernetes/clusters', { token: `${token}x` }), 'unauthenticated')
})

test.each(['0', 'x', '-5', '1, 2', '99999999999'])('the organization header %j is refused', async (id) => {
  const reply = await ask('GET', '/api/kubernetes/clusters', { token, headers: { 'x-organization-id': id } })
  expectProblem(reply, 'invalid_request')
})

test('an organization of others, or of nobody, is not found', async () => {
  const other = await app.given.user()
  for (const organizationId of [other.organizationId, 2_000_000_000]) {
    expectProblem(await ask('GET', '/api/kubernetes/clusters', { token, organizationId }), 'not_found')
  }
})

test('organization_id in the query must be that of the header', async () => {
  const { organizationId } = user
  const same = `/api/kubernetes/clusters?organization_id=${organizationId}`
  expect((await ask('GET', same, { token, organizationId })).status).toBe(200)
  expect((await ask('GET', same, { token })).status).toBe(200)
  const reply = await ask('GET', '/api/kubernetes/clusters?organization_id=2000000000', {
    token,
    organizationId,
  })
  expectProblem(reply, 'organization_mismatch')
})

test('who belongs to no organization any more gets an answer that says so, and keeps the session', async () => {
  const gone = await app.given.user()
  await app.database.ownerPool.query('delete from memberships where user_id = $1', [gone.id])
  expectProblem(await ask('GET', '/api/kubernetes/clusters', { token: gone.token }), 'organization_required')
  const reply = await ask('GET', '/api/kubernetes/clusters', {
    token: gone.token,
    organizationId: gone.organizationId,
  })
  expectProblem(reply, 'not_found')
  expect((await ask('GET', '/api/auth/me', { token: gone.token })).status).toBe(200)
})

test('a demotion takes effect with the next request', async () => {
  const admin = await app.given.user({ role: 'ADMIN' })
  const path = '/api/kubernetes/clusters/2000000000'
  expectProblem(await ask('DELETE', path, { token: admin.token }), 'not_found')
  await app.database.ownerPool.query(`update memberships set role = 'VIEWER' where user_id = $1`, [admin.id])
  expectProblem(await ask('DELETE', path, { token: admin.token }), 'forbidden')
})

test('headers that claim to be somebody else are not believed', async () => {
  const other = await app.given.user()
  const reply = await ask('GET', '/api/auth/me', {
    token,
    headers: {
      'x-user-id': String(other.id),
      'x-forwarded-user': other.email,
      'x-remote-user': other.email,
      'impersonate-user': other.email,
      cookie: `bey-token=${other.token}`,
    },
  })
  expect(reply.body.id).toBe(user.id)
})

test('the id of a request is echoed when it is sane, else replaced', async () => {
  const given = await ask('GET', '/health', { headers: { 'x-request-id': 'trace-12345678' } })
  expect(given.headers.get('x-request-id')).toBe('trace-12345678')
  const long = await ask('GET', '/health', { headers: { 'x-request-id': 'x'.repeat(500) } })
  expect(long.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('neither token nor password nor query is in the log', async () => {
  await ask('POST', '/api/auth/login', { body: { email: user.email, password: 'canary-password-1!' } })
  await ask('GET', '/api/kubernetes/clusters?search=canary-query', { token })
  const log = lines.join('')
  expect(log).toContain('/api/auth/login')
  for (const secret of [token, 'canary-password', 'canary-query']) expect(log).not.toContain(secret)
})

function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(app.port, '127.0.0.1', () => socket.write(bytes))
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('close', () => resolve(answer))
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)))
  })
}
