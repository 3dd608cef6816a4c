import { expect, test } from 'vitest'
import { testApp } from './app.ts'
import { undeclaredPartOf } from './declared-replies.ts'

const { ask, given } = await testApp()

const reply = (status: number, body: unknown, mediaType = 'application/json') => ({
  status,
  body,
  text: body === undefined ? '' : JSON.stringify(body),
  headers: new Headers({ 'content-type': mediaType }),
})
const problem = {
  type: '/api/docs#error-conflict',
  title: 'Conflict',
  status: 409,
  detail: 'It is so already.',
  code: 'conflict',
  requestId: 'r',
}

test('a reply that the document does not declare is told apart by status, media type, code and body', () => {
  const differing = (method: string, path: string, ...given: Parameters<typeof reply>) =>
    undeclaredPartOf(method, path, reply(...given))
  expect(differing('GET', '/api/webhooks?page=1', 200, { webhooks: [], total: 0, page: 1, limit: 50 })).toBe(
    undefined,
  )
  expect(differing('GET', '/api/webhooks', 200, { webhooks: [{}] })).toContain('another body than declared')
  expect(differing('GET', '/api/webhooks', 202, {})).toContain('webhooks.list answered 202')
  expect(differing('GET', '/api/webhooks', 200, 'text', 'text/plain')).toContain('declares application/json')
  expect(differing('GET', '/api/webhooks', 409, problem, 'application/problem+json')).toContain('409')
  expect(differing('DELETE', '/api/webhooks/7', 204, undefined)).toBe(undefined)
  expect(
    differing(
      'PATCH',
      '/api/webhooks/7',
      409,
      { ...problem, code: 'email_taken' },
      'application/problem+json',
    ),
  ).toContain('email_taken')
  expect(differing('GET', '/favicon.ico', 500, {})).toBe(undefined)
})

test('replies that differed from the document are as it declares them', async () => {
  const { token, organizationId } = await given.user()
  const as = { token, organizationId }
  // `ask` throws where they do not agree.
  const passkey = {
    id: 'x',
    rawId: 'x',
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' },
  }
  expect((await ask('POST', '/api/auth/passkey', { body: { passkey } })).status).toBe(409)
  expect((await ask('GET', '/api/auth/oauth/github')).status).toBe(409)
  expect((await ask('GET', '/api/auth/oauth/nobody')).status).toBe(400)
  expect((await ask('GET', '/api/auth/oauth/github', { headers: { accept: 'text/html' } })).status).toBe(302)
  expect((await ask('POST', '/api/annotations/export?format=markdown', as)).status).toBe(200)
  expect((await ask('POST', '/api/annotations/export', as)).status).toBe(200)
  expect((await ask('POST', '/api/audit/export?format=csv', as)).status).toBe(200)
  expect((await ask('GET', '/api/openapi.json')).status).toBe(200)
})

test('an assistant that accepts or sends something else is answered as the document declares', async () => {
  const { token, organizationId } = await given.user()
  const clientInfo = { name: 'any', version: '1.0.0' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
  const send = (headers: Record<string, string>) =>
    ask('POST', '/mcp', { token, organizationId, body, headers })
  const unaccepted = await send({ accept: 'application/json' })
  expect([unaccepted.status, undeclaredPartOf('POST', '/mcp', unaccepted)]).toEqual([406, undefined])
  const accept = 'application/json, text/event-stream'
  const unread = await send({ accept, 'content-type': 'text/plain' })
  expect([unread.status, undeclaredPartOf('POST', '/mcp', unread)]).toEqual([415, undefined])
})
