import { auditClasses } from '@bey/contract'
import { expect, test } from 'vitest'
import { testApp } from './testing/app.ts'
import { failureOf } from './features/databases/sql/open-session.ts'
import { undeclaredPartOf } from './testing/declared-replies.ts'

// What `npm run fuzz` found: each was answered with 500, or with a code that the contract did not declare.

const { ask, given } = await testApp()
const { token, organizationId } = await given.user()
const as = { token, organizationId }

test('a change of nothing of a webhook is no error', async () => {
  const body = { name: 'ci', url: 'https://example.com/', events: ['secret.updated'] }
  const made = await ask('POST', '/api/webhooks', { ...as, body })
  expect(made.status, made.text).toBe(201)
  const listed = await ask('GET', '/api/webhooks', as)
  const kept = await ask('PATCH', `/api/webhooks/${listed.body.webhooks[0].id}`, { ...as, body: {} })
  expect(kept.status, kept.text).toBe(200)
})

test('figures of the first year are none, and no error', async () => {
  const query = new URLSearchParams({ expr: 'cpu_used_millicores', end: '0001-01-01T00:00:00Z' })
  const reply = await ask('GET', `/api/metrics-query?${query.toString()}`, as)
  expect(reply.status, reply.text).toBeLessThan(500)
})

test('a change of nothing of a data source is no error, and leaves it as it was', async () => {
  const body = { name: 'store', target: { kind: 'url', url: 'http://127.0.0.1:1/' } }
  const made = await ask('POST', '/api/metrics-sources', { ...as, body: { ...body, isUntested: true } })
  expect(made.status, made.text).toBe(201)
  const kept = await ask('PATCH', `/api/metrics-sources/${made.body.id}`, { ...as, body: {} })
  expect(kept.status, kept.text).toBe(200)
  const listed = await ask('GET', '/api/metrics-sources', as)
  expect(listed.body.sources).toMatchObject([body])
})

test('the taken name of a trigger is refused as the contract declares it', async () => {
  const made = await ask('POST', '/api/v1/workflows', {
    ...as,
    body: {
      name: 'nightly',
      steps: [{ key: 'a', name: 'A', type: 'transform', config: { values: { two: '{{ 1 + 1 }}' } } }],
    },
  })
  expect(made.status, made.text).toBe(201)
  const path = `/api/v1/workflows/${made.body.workflow.id}/triggers`
  const body = { name: 'Night', settings: { type: 'schedule', cron: '0 3 * * *' } }
  const first = await ask('POST', path, { ...as, body })
  expect(first.status, first.text).toBe(201)
  const second = await ask('POST', path, { ...as, body })
  expect(second).toMatchObject({ status: 409, body: { code: 'name_taken' } })
  expect(undeclaredPartOf('POST', path, second)).toBeUndefined()
  const other = await ask('POST', path, { ...as, body: { ...body, name: 'Day' } })
  const renamed = await ask('PUT', `${path}/${other.body.trigger.id}`, { ...as, body })
  expect(renamed).toMatchObject({ status: 409, body: { code: 'name_taken' } })
  expect(undeclaredPartOf('PUT', `${path}/1`, renamed)).toBeUndefined()
})

test('a change of the classes of an audit stream alone is no error', async () => {
  const body = { name: 'audit', url: 'https://example.com/', events: ['audit.entries'] }
  const made = await ask('POST', '/api/webhooks', { ...as, body })
  expect(made.status, made.text).toBe(201)
  const path = `/api/webhooks/${made.body.webhook.id}`
  const kept = await ask('PATCH', path, { ...as, body: { auditClasses: [auditClasses[0]] } })
  expect(kept.status, kept.text).toBe(200)
  const read = await ask('GET', path, as)
  expect(read.body.audit.classes).toEqual([auditClasses[0]])
})

test('a notification of an assistant is taken without an answer, as the contract declares it', async () => {
  const headers = { accept: 'application/json, text/event-stream' }
  const opened = await ask('POST', '/mcp', {
    ...as,
    headers,
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    },
  })
  expect(opened.status, opened.text).toBe(200)
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  const body = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const taken = await ask('POST', '/mcp', { ...as, headers: { ...headers, ...session }, body })
  expect(taken).toMatchObject({ status: 202, text: '' })
  expect(undeclaredPartOf('POST', '/mcp', taken)).toBeUndefined()
})

test('deliveries of the first year are none, and to replay them is no error', async () => {
  const made = await ask('POST', '/api/webhooks', {
    ...as,
    body: { name: 'replayed', url: 'https://example.com/', events: ['secret.updated'] },
  })
  const path = `/api/webhooks/${made.body.webhook.id}/replay`
  for (const [from, to] of [
    ['2026-01-31T23:59:59.999Z', '0001-01-01T00:00:00Z'],
    ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
  ]) {
    const reply = await ask('POST', path, { ...as, body: { from, to } })
    expect(reply.status, reply.text).toBeLessThan(500)
  }
})

test('a change of nothing of a backup target is no error', async () => {
  const made = await ask('POST', '/api/databases/backup-targets', {
    ...as,
    body: {
      name: 'Frankfurt',
      endpoint: 'http://127.0.0.1:1',
      region: 'eu-central-1',
      bucket: 'backups',
      accessKeyId: 'AKIA1',
      secretAccessKey: 'secret',
    },
  })
  expect(made.status, made.text).toBe(201)
  const kept = await ask('PATCH', `/api/databases/backup-targets/${made.body.id}`, { ...as, body: {} })
  expect(kept.status, kept.text).toBe(200)
})

test('a connection to a database that was ended before its turn says that the database does not answer', () => {
  const failure = failureOf('orders', new Error('Client was closed and is not queryable'))
  expect(failure).toMatchObject({ code: 'database_unreachable' })
})

test('the number of a cluster beyond those that are counted is refused, and no error', async () => {
  const body = { clusterId: 6_000_000_000, namespace: 'default', cluster: 'orders' }
  const reply = await ask('POST', '/api/databases/adopt', { ...as, body })
  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
})
