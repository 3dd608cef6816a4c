import { guaranteeOf, guaranteeTexts } from '@bey/contract'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'

import { realClock } from '../../../../platform/clock.ts'
import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import { createAddressGuard } from '../../../../platform/outbound/address-guard.ts'
import { createOutbound } from '../../../../platform/outbound/outbound.ts'
import { createSendRequest } from '../outbound-request.ts'
import type { ActionStepType } from '../step-type.ts'
import { actionContext } from '../testing/action-context.ts'
import { http } from './http.ts'

const received: { key: string | undefined; body: string }[] = []
const answers: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {
  '/json': (response) => response.setHeader('content-type', 'application/json').end('{"ready":true}'),
  '/text': (response) => response.end('hello'),
  '/redirect': (response) => response.writeHead(302, { location: '/json' }).end(),
  '/busy': (response) => response.writeHead(429).end(),
  '/broken': (response) => response.writeHead(503).end('no'),
  '/large': (response) => response.end('x'.repeat(1_100_000)),
  '/slow': () => undefined,
}
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    received.push({ key: request.headers['idempotency-key'] as string | undefined, body })
    answers[request.url ?? '']?.(response, request)
  })
}).listen(0, '127.0.0.1')
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const any = createOutbound(createAddressGuard({ kind: 'any' }))
const typeOf = (outbound = any) => http({ sendRequest: createSendRequest(outbound), clock: realClock })

function send(path: string, more: object = {}, outbound = any) {
  const url = path.startsWith('/')
    ? `http://localhost:${(server.address() as AddressInfo).port}${path}`
    : path
  const type = typeOf(outbound)
  const context = actionContext({ organizationId: 1, createdBy: 1 }, { key: 'run:step' })
  return (type as ActionStepType).execute(context, type.config.parse({ url, ...more }))
}

async function failureOf(work: Promise<unknown>): Promise<{ message: string; reason: string }> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof StepFailure)) throw new Error(`No failure of a step: ${String(error)}`)
  return { message: error.message, reason: error.reason }
}

test('JSON is parsed, text is not, and the success expression sees both', async () => {
  expect(await send('/json', { success: 'response.body.ready' })).toMatchObject({
    status: 200,
    body: { ready: true },
  })
  expect(await send('/text')).toMatchObject({ body: 'hello' })
  const failed = await failureOf(send('/text', { success: 'response.body == "bye"' }))
  expect(failed.message).toBe(
    'The answer has the status 200, and "response.body == "bye"" is not true for it.',
  )
})

test('an object is sent as JSON, with the same key for each attempt', async () => {
  await send('/text', { method: 'POST', body: { a: 1 }, idempotency_key: true })
  expect(received.at(-1)).toEqual({ key: 'run:step', body: '{"a":1}' })
})

test.each([
  ['/redirect', {}, 'error', 'The answer has the status 302'],
  ['/busy', {}, 'rate_limited', 'The answer has the status 429'],
  ['/broken', {}, 'server_error', 'The answer has the status 503'],
  ['/large', {}, 'error', 'answered with more than 1 MB'],
  ['/slow', { timeout_ms: 200 }, 'timeout', 'did not answer within 0.2 s'],
  ['http://127.0.0.1:9/', {}, 'network', 'the connection was refused'],
  ['http://does-not-exist.invalid/', {}, 'network', 'its name is not known'],
  ['http://169.254.169.254/latest', {}, 'error', 'link-local'],
  ['ftp://example.org/', {}, 'error', 'begins with http:// or https://'],
  ['/text', { headers: { Host: 'other' } }, 'error', 'The header "host" cannot be set.'],
  ['/text', { headers: { 'x-a': 'b\r\nc: d' } }, 'error', 'HTTP does not allow'],
])('%s %o fails with the reason %s', async (path, more, reason, message) => {
  const failed = await failureOf(send(path, more))
  expect(failed.message).toContain(message)
  expect(failed.reason).toBe(reason)
})

test('a name that leads to a refused address is refused when it connects', async () => {
  const isPublic = createOutbound(createAddressGuard({ kind: 'public' }))
  const failed = await failureOf(send('/text', {}, isPublic))
  expect(failed.message).toContain('is not public')
})

test('of a GET no text says that the other side recognizes its repetition', () => {
  const { guarantee, guaranteeNote } = typeOf()
  const { word, sentence } = guaranteeTexts[guaranteeOf(guarantee, { url: 'http://a.example' })]
  expect([word, sentence]).toEqual([
    'Repeatable',
    'May run again after a crash without harm: a repetition has no further effect.',
  ])
  const [ofGet, ofPost] = guaranteeNote.split('; ')
  expect(ofGet).toBe('GET, HEAD, PUT, DELETE and OPTIONS are repeatable')
  expect(ofPost).toBe('POST and PATCH are with an Idempotency-Key that the other side recognizes.')
})

test('what may be repeated follows from the method and the key', () => {
  const { guarantee } = typeOf()
  const of = (more: object) => guaranteeOf(guarantee, { url: 'http://a.example', ...more })
  expect(of({ method: 'PUT' })).toBe('at_least_once_keyed')
  expect([of({}), of({ method: 'GET' })]).toEqual(['at_least_once_keyed', 'at_least_once_keyed'])
  expect(of({ method: 'POST' })).toBe('at_least_once')
  expect(of({ method: 'POST', idempotency_key: true })).toBe('at_least_once_keyed')
})
