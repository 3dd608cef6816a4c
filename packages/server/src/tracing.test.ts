import { randomBytes } from 'node:crypto'
import { afterAll, expect, test, vi } from 'vitest'
import type { TracingConfig } from './platform/tracing/read-tracing.ts'
import { testApp } from './testing/app.ts'
import { testDatabaseUrl } from './testing/database.ts'
import { startMain } from './testing/main-child.ts'
import { otlpCollector } from './testing/otlp-collector.ts'

// Requests, transactions, runs, steps and calls of clusters as a collector receives them.

const canary = `canary-${randomBytes(8).toString('hex')}`
const collector = await otlpCollector()
afterAll(() => collector.stop())
const tracing: TracingConfig = {
  url: `${collector.url}/v1/traces`,
  headers: { authorization: 'Bearer of-the-collector' },
  timeoutMs: 1_000,
  delayMs: 20,
  serviceName: 'bey-test',
  sampler: 'always_on',
  ratio: 1,
  isParentBased: true,
}
const databaseUrl = await testDatabaseUrl()
const secretKey = randomBytes(32)
const lines: string[] = []
const app = await testApp({ tracing, databaseUrl, secretKey }, { log: (line) => void lines.push(line) })
const { ask, given } = app
const user = await given.user()
const as = { token: user.token, organizationId: user.organizationId }
const traceOf = (reply: { headers: Headers }) => reply.headers.get('traceresponse')?.split('-')[1] ?? ''

test('a request has a span with its route, and its transactions are below it', async () => {
  const reply = await ask('GET', `/api/v1/workflows?search=${canary}`, as)
  expect(reply.status, reply.text).toBe(200)
  const traceId = traceOf(reply)
  expect(traceId).toMatch(/^[0-9a-f]{32}$/)
  const request = await collector.span((span) => span.traceId === traceId && span.kind === 2)
  expect(request).toMatchObject({
    name: 'GET /api/v1/workflows',
    service: 'bey-test',
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/api/v1/workflows',
      'http.response.status_code': 200,
      'bey.request.id': reply.headers.get('x-request-id'),
      'bey.organization.id': user.organizationId,
    },
  })
  expect(request.parentSpanId).toBeUndefined()
  const transaction = await collector.span((span) => span.traceId === traceId && span.name === 'transaction')
  expect(transaction).toMatchObject({ parentSpanId: request.spanId })
  expect(transaction.attributes['bey.transaction.kind']).toBe('read')
  expect(collector.requests[0]).toEqual({ path: '/v1/traces', authorization: 'Bearer of-the-collector' })
})

test('the ids of a caller go on, and nothing else of its header', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, tracestate: `x=${canary}` }
  const reply = await ask('POST', '/api/secrets', { ...as, headers, body: { name: 'a/b', value: canary } })
  expect(traceOf(reply)).toBe(traceId)
  const request = await collector.span((span) => span.traceId === traceId && span.kind === 2)
  expect(request.parentSpanId).toBe('00f067aa0ba902b7')
  const wrong = [
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`,
    `ff-${traceId}-00f067aa0ba902b7-01`,
    `00-${traceId}-00f067aa0ba902b7-01-more`,
    `01-${traceId}-00f067aa0ba902b7-01-${'x'.repeat(600)}`,
    canary,
  ]
  for (const traceparent of wrong) {
    const other = await ask('GET', '/api/v1/workflows', { ...as, headers: { traceparent } })
    expect(traceOf(other), traceparent).toMatch(/^[0-9a-f]{32}$/)
    expect(traceOf(other), traceparent).not.toBe(traceId)
  }
})

test('a caller that nobody trusts does not decide that its trace is left out', async () => {
  const traceId = 'aaaabbbbccccddddeeeeffff00001111'
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-00` }
  await ask('GET', '/api/v1/workflows', { ...as, headers })
  await collector.span((span) => span.traceId === traceId)
})

test('an error and its line in the log name the trace beside the request', async () => {
  const reply = await ask('GET', '/api/v1/workflows/01900000-0000-7000-8000-000000000001', as)
  expect(reply).toMatchObject({ status: 404, body: { traceId: traceOf(reply) } })
  const line = await vi.waitFor(() => {
    const found = lines.find((each) => each.includes(reply.body.requestId) && each.includes('"Request"'))
    if (found === undefined) throw new Error('not logged yet')
    return JSON.parse(found) as unknown
  })
  expect(line).toMatchObject({ traceId: traceOf(reply), requestId: reply.body.requestId })
})

async function madeWorkflow(name: string, steps: object[]): Promise<string> {
  const made = await ask('POST', '/api/v1/workflows', { ...as, body: { name, steps } })
  expect(made.status, made.text).toBe(201)
  return made.body.workflow.id
}

async function executed(workflowId: string) {
  const reply = await ask('POST', `/api/v1/workflows/${workflowId}/execute`, { ...as, body: {} })
  expect(reply.status, reply.text).toBe(202)
  return { runId: reply.body.run.id as string, traceId: traceOf(reply) }
}

test('a request leads to the trace of its run, with a span for each step and for each call of a cluster', async () => {
  const body = { title: 'traced', provider: 'sandbox' }
  const { body: cluster } = await ask('POST', '/api/kubernetes/clusters', { ...as, body })
  await vi.waitFor(
    async () => {
      const reply = await ask('GET', `/api/kubernetes/clusters/${cluster.id}`, as)
      if (reply.body.status !== 'RUNNING') throw new Error(reply.text)
    },
    { timeout: 60_000, interval: 50 },
  )
  const config = { cluster: 'traced', api_version: 'v1', kind: 'Namespace', name: 'default' }
  const workflowId = await madeWorkflow('Reads', [
    { key: 'read', name: 'Read', type: 'kubernetes.get', config },
    {
      key: 'fail',
      name: canary,
      type: 'http',
      needs: ['read'],
      config: { url: `http://127.0.0.1:1/?${canary}` },
    },
  ])
  const { runId, traceId } = await executed(workflowId)
  const ids = { traceId: runId.replaceAll('-', ''), spanId: runId.replaceAll('-', '').slice(16) }

  const run = await collector.span((span) => span.name === 'run' && span.traceId === ids.traceId)
  expect(run).toMatchObject({ ...ids, status: { code: 2 } })
  expect(run.attributes).toMatchObject({
    'bey.run.id': runId,
    'bey.run.status': 'failed',
    'bey.workflow.id': workflowId,
  })
  expect(BigInt(run.endTimeUnixNano)).toBeGreaterThan(BigInt(run.startTimeUnixNano))
  const step = await collector.span((span) => span.attributes['bey.step.key'] === 'read')
  expect(step).toMatchObject({ traceId: ids.traceId, parentSpanId: ids.spanId, status: { code: 0 } })
  expect(step.attributes).toMatchObject({
    'bey.step.type': 'kubernetes.get',
    'bey.step.outcome': 'succeeded',
  })
  const call = await collector.span(
    (span) => span.parentSpanId === step.spanId && span.name === 'GET /api/v1/namespaces/{name}',
  )
  expect(call).toMatchObject({
    traceId: ids.traceId,
    kind: 3,
    attributes: { 'http.response.status_code': 200 },
  })
  const failed = await collector.span((span) => span.attributes['bey.step.key'] === 'fail')
  expect(failed).toMatchObject({ parentSpanId: ids.spanId, status: { code: 2 } })
  // The transaction that queued it names it.
  const queued = await collector.span((span) => span.traceId === traceId && span.links.length > 0)
  expect(queued).toMatchObject({ name: 'transaction', links: [ids] })
})

test('the trace of a run goes on in another process', async () => {
  const env = {
    DATABASE_URL: databaseUrl,
    BEY_SECRET_KEY: secretKey.toString('base64'),
    BEY_ROLE: 'worker',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'bey-worker',
    OTEL_BSP_SCHEDULE_DELAY: '20',
  }
  const other = await testApp({ role: 'web', databaseUrl: await testDatabaseUrl(), secretKey })
  const member = await other.given.user()
  const by = { token: member.token, organizationId: member.organizationId }
  // Who started the run may not decide.
  const { token } = await other.given.user({ organizationId: member.organizationId })
  const transform = (key: string) => ({
    key,
    name: key,
    type: 'transform',
    config: { values: { two: '{{ 1 + 1 }}' } },
  })
  const ask_ = { key: 'ask', name: 'Ask', type: 'approval', config: { question: 'Go on?' } }
  const made = await other.ask('POST', '/api/v1/workflows', {
    ...by,
    body: {
      name: 'Asks',
      steps: [transform('before'), { ...ask_, needs: ['before'] }, { ...transform('after'), needs: ['ask'] }],
    },
  })
  expect(made.status, made.text).toBe(201)
  const started = await other.ask('POST', `/api/v1/workflows/${made.body.workflow.id}/execute`, {
    ...by,
    body: {},
  })
  const traceId = String(started.body.run.id).replaceAll('-', '')
  const worker = () => startMain({ ...env, DATABASE_URL: other.database.url })

  const first = await worker()
  const before = await collector.span(
    (span) => span.traceId === traceId && span.attributes['bey.step.key'] === 'before',
  )
  await vi.waitFor(
    async () => {
      const open = await other.ask('GET', '/api/v1/workflows/approvals', by)
      expect(open.body.approvals).toHaveLength(1)
    },
    { timeout: 60_000, interval: 50 },
  )
  await first.kill()
  await worker()
  const open = await other.ask('GET', '/api/v1/workflows/approvals', by)
  const path = `/api/v1/workflows/approvals/${open.body.approvals[0].id}/decide`
  const decided = await other.ask('POST', path, { ...by, token, body: { decision: 'approve' } })
  expect(decided.status, decided.text).toBe(200)
  const after = await collector.span(
    (span) => span.traceId === traceId && span.attributes['bey.step.key'] === 'after',
  )
  const run = await collector.span((span) => span.traceId === traceId && span.name === 'run')
  expect([before.parentSpanId, after.parentSpanId]).toEqual([run.spanId, run.spanId])
  expect(before.service).toBe('bey-worker')
  expect(after.instance).not.toBe(before.instance)
  expect(run).toMatchObject({ instance: after.instance, attributes: { 'bey.run.status': 'completed' } })
})

test('no secret, no value of a statement and no query string is in what was sent', async () => {
  const reply = await ask('GET', `/api/v1/workflows?search=${canary}-last`, as)
  await collector.span((span) => span.traceId === traceOf(reply) && span.kind === 2)
  const sent = collector.bodies.join('\n')
  expect(sent.length).toBeGreaterThan(5_000)
  expect(sent).not.toContain(canary)
  expect(sent).not.toContain(user.token)
  expect(sent).not.toContain('select ')
  expect(sent).not.toContain(secretKey.toString('base64'))
})
