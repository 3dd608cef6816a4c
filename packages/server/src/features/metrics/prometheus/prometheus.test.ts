import { clusterMetrics } from '@bey/contract'
import { expect, test } from 'vitest'

import { createLog } from '../../../platform/log.ts'
import { realClock } from '../../../platform/clock.ts'
import { openMetrics } from '../../../platform/metrics/metrics.ts'
import { testApp } from '../../../testing/app.ts'

const { url, ask, given, database } = await testApp()
const metrics = await openMetrics({ database, clock: realClock, log: createLog({ level: 'silent' }) })
const member = await given.user({ role: 'MEMBER' })
const { organizationId } = member
const { token } = await given.apiKey(member, { permissions: ['analytics.read', 'clusters.read'] })
const cluster = await given.cluster({ organizationId, title: 'prod' })
const foreign = await given.cluster({ title: 'foreign' })
const { cpuUsed, nodes } = clusterMetrics
const now = Math.floor(Date.now() / 60_000) * 60_000
const at = now - 10 * 60_000

for (const [each, value] of [
  [cluster, 250],
  [foreign, 9],
] as const) {
  await metrics.write(each.organizationId, { type: 'cluster', id: String(each.id) }, new Date(at), [
    { metric: cpuUsed, value },
    { metric: cpuUsed, labels: { namespace: 'shop', pod: 'web-1' }, value: 7 },
    { metric: nodes, value: 3 },
  ])
}

const labels = { entity: 'cluster', cluster: 'prod', id: String(cluster.id) }
const get = (path: string) => ask('GET', `/api/prometheus/api/v1/${path}`, { token })
/** As Grafana sends it: POST with a form, the key as bearer, no header of the organization. */
const post = (path: string, form: Record<string, string>) =>
  ask('POST', `/api/prometheus/api/v1/${path}`, {
    token,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })

test('an instant query answers a vector, of the organization of the key alone', async () => {
  const { status, body } = await post('query', { query: `${cpuUsed}{pod=""}`, time: String(at / 1_000) })
  expect([status, body]).toEqual([
    200,
    {
      status: 'success',
      data: {
        resultType: 'vector',
        result: [{ metric: { __name__: cpuUsed, ...labels }, value: [at / 1_000, '250'] }],
      },
    },
  ])
})

test('the health check of a data source answers a scalar', async () => {
  const { body } = await post('query', { query: '1+1', time: String(at / 1_000) })
  expect(body.data).toEqual({ resultType: 'scalar', result: [at / 1_000, '2'] })
})

test('a range query answers a matrix at the times that were asked for', async () => {
  const start = (at - 60_000) / 1_000
  const form = {
    query: `sum(${cpuUsed}{pod=""}) * 2`,
    start: String(start),
    end: String(start + 120),
    step: '60',
  }
  const expected = { resultType: 'matrix', result: [{ metric: {}, values: [[at / 1_000, '500']] }] }
  expect((await post('query_range', form)).body.data).toEqual(expected)
  expect((await get(`query_range?${new URLSearchParams(form).toString()}`)).body.data).toEqual(expected)
  const withTimes = { ...form, start: new Date(start * 1_000).toISOString(), step: '1m' }
  expect((await post('query_range', withTimes)).body.data).toEqual(expected)
})

test('names, labels, values and series are listed, as an editor of queries asks for them', async () => {
  expect((await get('label/__name__/values')).body.data).toEqual([cpuUsed, nodes])
  expect((await get('labels')).body.data).toEqual(['__name__', 'cluster', 'entity', 'id', 'namespace', 'pod'])
  expect((await post('labels', { 'match[]': nodes })).body.data).toEqual([
    '__name__',
    'cluster',
    'entity',
    'id',
  ])
  expect((await get(`label/pod/values?match[]=${cpuUsed}&start=${at / 1_000 - 60}`)).body.data).toEqual([
    'web-1',
  ])
  expect((await get('label/cluster/values')).body.data).toEqual(['prod'])
  const series = await post('series', { 'match[]': `${cpuUsed}{pod!=""}` })
  expect(series.body.data).toEqual([{ __name__: cpuUsed, ...labels, namespace: 'shop', pod: 'web-1' }])
})

test('metadata and build information are answered', async () => {
  const { body } = await get(`metadata?metric=${nodes}`)
  expect(body.data).toEqual({ [nodes]: [{ type: 'gauge', help: 'Nodes of the cluster', unit: 'count' }] })
  expect((await get('status/buildinfo')).body).toMatchObject({
    status: 'success',
    data: { application: 'Bey' },
  })
})

test.each([
  ['query', {}, 400, 'bad_data', 'The parameter "query" is missing'],
  ['query', { query: 'sum(' }, 400, 'bad_data', 'ends too early'],
  ['query', { query: 'x', time: 'noon' }, 400, 'bad_data', '"time" is no time'],
  ['query', { query: 'x[5m]' }, 400, 'bad_data', 'must stand inside a function'],
  [
    'query',
    { query: `${cpuUsed} / on (cluster) ${nodes}`, time: String(at / 1_000) },
    422,
    'execution',
    'Several series',
  ],
  ['query_range', { query: 'x', start: '2', end: '1', step: '15' }, 400, 'bad_data', '"end" is before'],
  ['query_range', { query: 'x', start: '1', end: '2', step: '0' }, 400, 'bad_data', '"step" is no number'],
  ['query_range', { query: 'x', start: '0', end: '1000000', step: '15' }, 400, 'bad_data', 'more than 11000'],
  ['series', {}, 400, 'bad_data', 'at least one parameter'],
  ['series', { 'match[]': 'sum(x)' }, 400, 'bad_data', 'must be a selector'],
  ['labels', { 'match[]': '{a=~".*"}' }, 400, 'bad_data', 'selects every series'],
])('%s with %j is refused in the form of Prometheus', async (path, form, status, errorType, sentence) => {
  const reply = await post(path, form)
  expect([reply.status, reply.body]).toEqual([
    status,
    { status: 'error', errorType, error: expect.stringContaining(sentence) },
  ])
})

test('nobody reads without a key, and a key without the permission is refused', async () => {
  expect((await fetch(`${url}/api/prometheus/api/v1/query?query=1`)).status).toBe(401)
  const { token: other } = await given.apiKey(member, { permissions: ['clusters.read'] })
  const reply = await ask('GET', '/api/prometheus/api/v1/query?query=1', { token: other })
  expect(reply.status).toBe(403)
})
