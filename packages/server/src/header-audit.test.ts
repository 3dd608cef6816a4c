import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { testApp } from './testing/app.ts'

// What each kind of reply says to browsers, whoever asks.

const app = await testApp({ role: 'web' })
const { ask, given, port } = app
const user = await given.user()
const as = { token: user.token, organizationId: user.organizationId }

const policy = {
  'default-src': "'self'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'worker-src': "'self' blob:",
  'object-src': "'none'",
  'base-uri': "'self'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
}
const ofEvery = {
  'content-security-policy': Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join(';'),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

test.each([
  ['a list', 'GET', '/api/secrets', as, 200, 'application/json'],
  ['a change that is refused', 'POST', '/api/secrets', { ...as, body: {} }, 400, 'application/problem+json'],
  ['who is not known', 'GET', '/api/secrets', {}, 401, 'application/problem+json'],
  [
    'a thing that is not there',
    'GET',
    '/api/webhooks/01900000-0000-7000-8000-000000000001',
    as,
    404,
    'application/problem+json',
  ],
  ['a path of no endpoint', 'GET', '/api/nothing', as, 404, 'application/problem+json'],
  ['another method', 'DELETE', '/api/secrets', as, 405, 'application/problem+json'],
  ['a body that is no JSON', 'POST', '/api/secrets', { ...as, body: '{' }, 400, 'application/problem+json'],
  ['a cluster that is not there', 'GET', '/api/kubernetes/clusters/9/proxy/api', as, 404, 'application/json'],
  ['health', 'GET', '/health', {}, 200, 'application/json'],
  ['figures', 'GET', '/metrics', {}, 200, 'text/plain'],
  ['the document of the API', 'GET', '/api/openapi.json', {}, 200, 'application/json'],
  ['the reference as a page', 'GET', '/api/docs', {}, 200, 'text/html'],
] as const)(
  '%s (%s %s) has every header, and names no software',
  async (_what, method, path, options, status, type) => {
    const reply = await ask(method, path, options)
    expect([reply.status, reply.headers.get('content-type')?.split(';', 1)[0]], reply.text).toEqual([
      status,
      type,
    ])
    const found = Object.fromEntries(Object.keys(ofEvery).map((name) => [name, reply.headers.get(name)]))
    expect({
      ...found,
      'content-security-policy': found['content-security-policy']?.replaceAll('; ', ';'),
    }).toEqual(ofEvery)
    expect(reply.headers.get('server')).toBeNull()
    expect(reply.headers.get('x-powered-by')).toBeNull()
    // No other origin reads a reply.
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
    // Nobody keeps what belongs to somebody.
    if (options !== undefined && 'token' in options)
      expect(reply.headers.get('cache-control')).toContain('no-store')
  },
)

test('no inline script and no script of another origin is in the page of the reference', async () => {
  const { text: page } = await ask('GET', '/api/docs')
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|\son[a-z]+=|javascript:/i)
  for (const [, source] of page.matchAll(/<(?:script|link)[^>]*\b(?:src|href)="([^"]+)"/g))
    expect(source).toMatch(/^\/|^#/)
})

test('what is no HTTP is answered without a page', async () => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET /<script> HTTP/9.9\r\n\r\n')
  const reply = await text(socket)
  expect(reply).toMatch(/^HTTP\/1\.1 400 /)
  expect(reply).toMatch(/content-type: application\/problem\+json/i)
  expect(reply).not.toContain('<script>')
})
