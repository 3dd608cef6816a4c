import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { realClock } from '../../../platform/clock.ts'
import { publishAll } from '../../../platform/live/publish.ts'
import { createLog } from '../../../platform/log.ts'
import { openMetrics } from '../../../platform/metrics/metrics.ts'
import { parsePromql } from '../../../platform/metrics/promql/parse.ts'
import { readOutboundPolicy } from '../../../platform/outbound/address-guard.ts'
import { testApp } from '../../../testing/app.ts'
import type { GivenUser } from '../../../testing/given.ts'
import { anyOutbound } from '../../../testing/object-store.ts'
import { type PrometheusServer, prometheusServer } from '../../../testing/prometheus-server.ts'
import { evaluateAlerts } from '../../alerts/watch.ts'
import type { ClusterConnection } from '../../kubernetes/connection/ports.ts'
import { createNotify } from '../../notifications/rules/notify.ts'
import { createMetricQueries } from '../query.ts'
import type { SourceParts } from './open-source.ts'
import { createSourceQueries } from './source-queries.ts'

const app = await testApp({ role: 'web' })
const { given } = app
const path = '/api/metrics-sources'
let admin: GivenUser
let store: PrometheusServer
const minuteMs = 60_000
const nowMs = Math.floor(Date.now() / minuteMs) * minuteMs

const as =
  ({ token, organizationId }: GivenUser) =>
  (method: string, to: string, body?: object) =>
    app.ask(method, to, { token, organizationId, ...(body && { body }) })

const at = (url: string, rest: object = {}) => ({ kind: 'url', url, ...rest })

/** A store that always answers the same. */
async function answering(status: number, text: string, headers: Record<string, string> = {}) {
  const server = await prometheusServer((_, response) => {
    response.writeHead(status, headers).end(text)
    return true
  })
  onTestFinished(() => server.stop())
  return server.url
}

beforeAll(async () => {
  admin = await given.user({ role: 'ADMIN' })
  store = await prometheusServer()
  store.add(
    [1, 2].map((pod) => ({
      labels: { __name__: 'http_requests', pod: `web-${pod}` },
      samples: Array.from({ length: 90 }, (_, index) => ({
        atMs: nowMs - index * minuteMs,
        value: pod * 10,
      })).toReversed(),
    })),
  )
})
afterAll(() => store.stop())

async function sourceOf(name: string, target: object = at(store.url)) {
  const made = await as(admin)('POST', path, { name, target })
  expect(made.status, made.text).toBe(201)
  return made.body.id as string
}

test('a source is tested before it is stored, and each way to fail is a sentence', async () => {
  const call = as(admin)
  const problem = async (target: object) => {
    const { status, body, text } = await call('POST', `${path}/test`, { target })
    expect(status, text).toBe(200)
    return body.problem
  }
  expect(await problem(at(store.url))).toBeNull()
  expect(await problem(at('http://127.0.0.1:1'))).toBe('127.0.0.1:1 refused the connection.')
  expect(await problem(at(await answering(401, '')))).toContain('does not accept the credentials (401)')
  expect(await problem(at(await answering(200, '<html>Welcome</html>')))).toContain(
    'not as the HTTP API of Prometheus does',
  )
  expect(await problem(at(await answering(302, '', { location: 'http://127.0.0.1/login' })))).toContain(
    'redirects',
  )
  expect(await problem(at(await answering(503, 'upstream')))).toContain('status 503')
  const tls = createTlsServer((_, response) => response.end())
  await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void tls.close())
  const { port } = tls.address() as AddressInfo
  expect(await problem(at(`https://127.0.0.1:${port}`))).toContain('does not speak TLS')

  const refused = await call('POST', path, { name: 'down', target: at('http://127.0.0.1:1') })
  expect(refused.status).toBe(400)
  expect(refused.body.errors).toEqual([{ path: 'target', message: '127.0.0.1:1 refused the connection.' }])
  const kept = await call('POST', path, { name: 'down', target: at('http://127.0.0.1:1'), isUntested: true })
  expect(kept.status).toBe(201)
  expect(kept.body.problem).toBe('127.0.0.1:1 refused the connection.')
})

test('an answer that takes too long, or is too long, is refused with a sentence', async () => {
  const slow = await prometheusServer(() => true)
  onTestFinished(() => slow.stop())
  const long = await answering(200, `{"status":"success","data":"${'x'.repeat(17 * 1024 * 1024)}"}`)
  const [first, second] = await Promise.all(
    [slow.url, long].map((url) => as(admin)('POST', `${path}/test`, { target: at(url) })),
  )
  expect(first?.body.problem).toContain('did not answer within 10 s.')
  expect(second?.body.problem).toContain('more than 16 MiB')
}, 20_000)

test('addresses that the server does not connect to are refused', async () => {
  const strict = await testApp({ role: 'web', outbound: readOutboundPolicy('public') })
  const user = await strict.given.user({ role: 'ADMIN' })
  const { token, organizationId } = user
  const target = at(store.url)
  const { status, body } = await strict.ask('POST', path, {
    token,
    organizationId,
    body: { name: 'inner', target },
  })
  expect(status).toBe(400)
  expect(body.errors[0].path).toBe('target.url')
})

test('the token and the password come from secrets, which are never answered', async () => {
  const call = as(admin)
  const secret = async (name: string, value: string) => {
    const made = await call('POST', '/api/secrets', { name, type: 'api_key', value })
    expect(made.status, made.text).toBe(201)
    return made.body.id as string
  }
  const secretId = await secret('prometheus-token', 'canary-token')
  const id = await sourceOf('with a token', at(store.url, { auth: { kind: 'bearer', secretId } }))
  expect(store.requests.at(-1)?.authorization).toBe('Bearer canary-token')
  await sourceOf('with a password', at(store.url, { auth: { kind: 'basic', username: 'bey', secretId } }))
  expect(store.requests.at(-1)?.authorization).toBe(`Basic ${btoa('bey:canary-token')}`)
  const list = await call('GET', path)
  expect(list.text).not.toContain('canary-token')
  expect(list.body.sources.find((each: { id: string }) => each.id === id).secretName).toBe('prometheus-token')

  // A key without the right to reveal secrets must not send one to an address of its choice.
  const key = await given.apiKey(admin, { permissions: ['metrics.sources', 'analytics.read'] })
  const { organizationId } = admin
  const sent = await app.ask('POST', `${path}/test`, {
    token: key.token,
    organizationId,
    body: { target: at(store.url, { auth: { kind: 'bearer', secretId } }) },
  })
  expect(sent.status).toBe(403)
})

test('an expression is sent as it is, and answered with its series, gaps and warnings', async () => {
  const id = await sourceOf('explored')
  const viewer = await given.user({ organizationId: admin.organizationId, role: 'VIEWER' })
  const query = (expr: string, rest = 'range=1800&step=60') =>
    as(viewer)('GET', `/api/metrics-query?expr=${encodeURIComponent(expr)}&${rest}&source=${id}`)
  const { status, body, text } = await query('sum by (pod) (http_requests)')
  expect(status, text).toBe(200)
  expect(body.series.map((each: { labels: object }) => each.labels)).toEqual([
    { pod: 'web-2' },
    { pod: 'web-1' },
  ])
  expect(body.series[0].values.at(-1)).toBe(20)
  expect(body.stepMs).toBe(60_000)
  const wrong = await query('sum(')
  expect(wrong.status).toBe(400)
  expect(wrong.body.message ?? wrong.text).toContain('127.0.0.1')

  const other = await given.user()
  expect((await as(other)('GET', `/api/metrics-query?expr=up&source=${id}`)).status).toBe(404)
  const catalog = await as(viewer)('GET', `${path}/${id}/catalog`)
  expect(catalog.body).toEqual({ metrics: [{ name: 'http_requests', type: null, meaning: null }], total: 1 })
})

test('a store that fails is said to, and is not asked again by everything that reads it', async () => {
  let asked = 0
  const failing = await prometheusServer((request, response) => {
    if (!request.url?.includes('query_range')) return false
    asked += 1
    response.writeHead(500).end()
    return true
  })
  onTestFinished(() => failing.stop())
  const id = await sourceOf('failing', at(failing.url))
  const query = () => as(admin)('GET', `/api/metrics-query?expr=up&source=${id}`)
  const first = await query()
  expect(first.status).toBe(502)
  expect(first.text).toContain('status 500')
  const more = await Promise.all(Array.from({ length: 20 }, query))
  expect(more.every(({ status }) => status === 502)).toBe(true)
  expect(asked).toBe(1)
})

test('an alert and a panel read a source, which cannot be deleted meanwhile', async () => {
  const call = as(admin)
  const id = await sourceOf('watched')
  const rule = {
    name: 'Requests',
    source: id,
    expr: 'http_requests',
    condition: { kind: 'threshold', direction: 'above', limit: 15 },
    forMs: 0,
  }
  expect((await call('POST', '/api/alerts', { ...rule, expr: 'sum(' })).body.errors[0].path).toBe('expr')
  const made = await call('POST', '/api/alerts', rule)
  expect(made.status, made.text).toBe(201)
  const replay = await call('POST', '/api/alerts/replay', { ...rule, name: undefined, days: 1 })
  expect(replay.status, replay.text).toBe(200)
  expect(replay.body.seriesCount).toBe(2)
  expect(replay.body.episodeCount).toBe(1)
  const removed = await call('DELETE', `${path}/${id}`)
  expect(removed.status).toBe(409)
  expect(removed.text).toContain('An alert reads')

  const panel = {
    id: 'a',
    kind: 'stat',
    title: 'Requests',
    x: 0,
    y: 0,
    width: 3,
    height: 2,
    queries: [{ expr: 'sum(http_requests)', legend: '' }],
    source: id,
    unit: 'auto',
    thresholds: { warn: null, danger: null },
    text: '',
  }
  const definition = { panels: [panel], variables: [], range: '1h', compare: 'none' }
  const board = await call('POST', '/api/boards', { name: 'Requests', definition })
  expect(board.status, board.text).toBe(201)
  expect(board.body.definition.panels[0].source).toBe(id)
  const reading = await call('GET', `/api/boards/${board.body.id}/reading`)
  expect(reading.body.panels[0].state).toBe('short_history')

  await call('DELETE', `/api/alerts/${made.body.id}`)
  expect((await call('DELETE', `${path}/${id}`)).status).toBe(204)
  const later = await call('GET', `/api/boards/${board.body.id}/reading`)
  expect(later.body.panels[0]).toMatchObject({
    state: 'failed',
    text: expect.stringContaining('not there any more'),
  })
})

const never = () => Promise.reject(new Error('It is not asked here'))

/** The queries as the server makes them, with clusters of the test. */
const sourceQueries = (clusters: SourceParts['clusters']) =>
  createSourceQueries({
    database: app.database,
    clock: realClock,
    outbound: anyOutbound,
    credentials: { read: never },
    clusters,
  })

test('an alert over a source fires by what the source answers, and says when it does not', async () => {
  const call = as(admin)
  let isDown = false
  const proxied = await prometheusServer((_, response) => {
    if (isDown) response.writeHead(503).end()
    return isDown
  })
  onTestFinished(() => proxied.stop())
  for (const { labels, samples } of store.stored.values()) proxied.add([{ labels, samples: [...samples] }])
  const id = await sourceOf('judged', at(proxied.url))
  const condition = { kind: 'threshold', direction: 'above', limit: 15 }
  const made = await call('POST', '/api/alerts', {
    name: 'Judged',
    source: id,
    expr: 'http_requests',
    condition,
    forMs: 0,
  })
  const log = createLog({ level: 'silent' })
  const metrics = await openMetrics({ database: app.database, clock: realClock, log })
  onTestFinished(() => metrics.stop())
  const sources = sourceQueries({ connect: never, send: never })
  const parts = {
    ...createMetricQueries({ database: app.database, clock: realClock, points: metrics.points, sources }),
    database: app.database,
    clock: realClock,
    log,
    notify: createNotify({ publish: publishAll, clock: realClock }),
    parse: parsePromql,
    matches: () => never,
  }
  const evaluated = async () => {
    await app.database.ownerPool.query(
      'update alert_evaluations set evaluated_to_ms = null where alert_id = $1',
      [made.body.id],
    )
    await evaluateAlerts(parts, admin.organizationId, [made.body.id])
    return (await call('GET', `/api/alerts/${made.body.id}`)).body
  }
  expect(await evaluated()).toMatchObject({
    state: 'firing',
    firingCount: 1,
    seriesCount: 2,
    worst: { labels: { pod: 'web-2' }, value: 20 },
  })
  isDown = true
  expect((await evaluated()).error).toContain('status 503')
})

test('the Prometheus of a cluster is asked through the API server of the cluster', async () => {
  const cluster = await given.cluster({ organizationId: admin.organizationId })
  const target = {
    kind: 'cluster',
    clusterId: cluster.id,
    namespace: 'monitoring',
    service: 'prometheus',
    port: 'web',
  }
  const made = await as(admin)('POST', path, { name: 'of a cluster', target, isUntested: true })
  expect(made.status, made.text).toBe(201)
  expect(made.body.clusterName).toBe(cluster.title)
  const paths: string[] = []
  let answer: { status: number; body: unknown } = {
    status: 200,
    body: {
      status: 'success',
      data: { resultType: 'matrix', result: [{ metric: { __name__: 'up' }, values: [[60, '1']] }] },
    },
  }
  const queries = sourceQueries({
    // What a connection is made of is of no concern here.
    connect: async () => ({}) as ClusterConnection,
    send: async (_connection, request) => {
      paths.push(`${request.method} ${request.path}`)
      return answer
    },
  })
  const range = { fromMs: 0, toMs: 120_000, stepMs: 60_000 }
  const { series } = await queries.query(admin.organizationId, made.body.id, 'up{a="b c"}', range)
  expect(series).toEqual([{ name: 'up', labels: {}, values: [null, 1] }])
  const proxy = '/api/v1/namespaces/monitoring/services/prometheus:web/proxy'
  expect(paths).toEqual([
    `GET ${proxy}/api/v1/query_range?query=up%7Ba%3D%22b+c%22%7D&start=0&end=60&step=60`,
  ])
  answer = {
    status: 503,
    body: { kind: 'Status', message: 'no endpoints available for service "prometheus"' },
  }
  await expect(queries.query(admin.organizationId, made.body.id, 'up', range)).rejects.toThrow(
    'monitoring/prometheus answered 503: no endpoints available',
  )
})
