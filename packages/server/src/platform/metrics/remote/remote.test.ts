import { clusterMetrics } from '@bey/contract'
import { afterAll, expect, test } from 'vitest'

import { createLog } from '../../log.ts'
import { testApp } from '../../../testing/app.ts'
import { fakeClock } from '../../../testing/clock.ts'
import { prometheusServer } from '../../../testing/prometheus-server.ts'
import { prometheusPath, startPrometheus } from '../../../testing/real-prometheus.ts'
import { readWriteRequest } from '../../../testing/remote-write-reader.ts'
import { realClock } from '../../clock.ts'
import { openMetrics } from '../metrics.ts'
import { createSender } from './sender.ts'
import { writeRequest } from './write-request.ts'

const store = await prometheusServer()
afterAll(() => store.stop())
const remote = { url: store.url, writeUrl: `${store.url}/api/v1/write`, token: 'canary' }
const { ask, given, database } = await testApp({ role: 'web', metrics: remote })
const log = createLog({ level: 'silent' })
const metrics = await openMetrics({ database, clock: realClock, log, remote })
afterAll(() => metrics.stop())
const viewer = await given.user({ role: 'MEMBER' })
const { organizationId, token } = viewer
const cluster = await given.cluster({ organizationId, title: 'small' })
const foreign = await given.cluster()
const { cpuUsed } = clusterMetrics
const stepMs = 60_000
const nowMs = Math.floor(Date.now() / stepMs) * stepMs

const call = (method: string, path: string, body?: object) =>
  ask(method, path, { token, organizationId, ...(body && { body }) })

/** 100 and 300 in each of the last 10 minutes, and 7 of a pod. */
async function fill(of: typeof cluster) {
  for (let minute = 10; minute > 0; minute -= 1) {
    for (const [offsetMs, value] of [
      [0, 100],
      [15_000, 300],
    ] as const) {
      const at = new Date(nowMs - minute * stepMs + offsetMs)
      const outcome = await metrics.write(of.organizationId, { type: 'cluster', id: String(of.id) }, at, [
        { metric: cpuUsed, value },
        { metric: cpuUsed, labels: { namespace: 'shop', pod: 'web-1' }, value: 7, span: 'days' },
      ])
      expect(outcome.written).toBe(2)
    }
  }
}

test('charts, expressions, the catalogue and alerts read a store of its own', async () => {
  await fill(cluster)
  await fill(foreign)
  const { rows } = await database.ownerPool.query('select count(*)::int as count from metric_samples')
  expect(rows[0].count).toBe(0)

  const end = new Date(nowMs - 1).toISOString()
  const chart = await call(
    'GET',
    `/api/metrics/cluster?ids=${cluster.id}&metrics=${cpuUsed}&range=600&end=${end}&step=60`,
  )
  expect(chart.status, chart.text).toBe(200)
  expect(chart.body.series).toHaveLength(1)
  expect(chart.body.series[0].averages.slice(-10)).toEqual(Array.from({ length: 10 }, () => 200))

  const expr = encodeURIComponent(`${cpuUsed}{cluster="small"}`)
  const query = await call('GET', `/api/metrics-query?expr=${expr}&range=600&step=60&end=${end}`)
  expect(query.status, query.text).toBe(200)
  const lasts = query.body.series.map((each: { labels: object; values: number[] }) => [
    each.labels,
    each.values.at(-1),
  ])
  expect(lasts).toEqual([
    [{ entity: 'cluster', cluster: 'small', id: String(cluster.id) }, 200],
    [{ entity: 'cluster', cluster: 'small', id: String(cluster.id), namespace: 'shop', pod: 'web-1' }, 7],
  ])

  const catalog = await call('GET', '/api/metrics-catalog')
  expect(catalog.body.metrics).toMatchObject([{ name: cpuUsed, seriesCount: 2, lastValue: 200 }])

  const rule = {
    expr: `${cpuUsed}{pod=""}`,
    condition: { kind: 'threshold', direction: 'above', limit: 150 },
    forMs: 0,
  }
  const replay = await call('POST', '/api/alerts/replay', { ...rule, days: 1 })
  expect(replay.body).toMatchObject({ seriesCount: 1, episodeCount: 1 })
  expect(store.requests.every(({ authorization }) => authorization === 'Bearer canary')).toBe(true)
})

test('a body of remote write is read back as it was written', () => {
  const many = Array.from({ length: 3_000 }, (_, index) => ({
    labels: { __name__: 'cpu', zone: `zone-${index}`, a: 'é' },
    atMs: 1_700_000_000_000 + index,
    value: index / 3,
  }))
  const body = writeRequest(many)
  expect(body.length).toBeGreaterThan(2 * 65_536)
  const read = readWriteRequest(body)
  expect(read).toHaveLength(3_000)
  expect(read[2_999]).toEqual({
    labels: { __name__: 'cpu', zone: 'zone-2999', a: 'é' },
    samples: [{ atMs: 1_700_000_002_999, value: 2_999 / 3 }],
  })
})

test('samples wait in order while the store is away, and what it refuses is dropped', async () => {
  const clock = fakeClock(new Date())
  const lines: string[] = []
  const sent: string[] = []
  let status = 503
  const sender = createSender({
    clock,
    log: createLog({ level: 'info', write: (line) => lines.push(line) }),
    post: async (body) => {
      sent.push(body.toString())
      return { status, text: '' }
    },
  })
  await sender.add(Buffer.from('1'), 1)
  await sender.add(Buffer.from('2'), 1)
  expect(sent).toEqual(['1'])
  expect(lines.join()).toContain('they wait in memory')
  status = 400
  await sender.stop()
  expect(sent).toEqual(['1', '1', '2'])
  expect(lines.filter((line) => line.includes('refused samples'))).toHaveLength(2)
})

test('a store that does not answer is said to where its values are read', async () => {
  const down = await openMetrics({
    database,
    clock: realClock,
    log,
    remote: { url: 'http://127.0.0.1:1', writeUrl: 'http://127.0.0.1:1/api/v1/write', token: undefined },
  })
  const series = { entity: { type: 'cluster', id: String(cluster.id) }, metric: cpuUsed }
  const range = { fromMs: nowMs - stepMs, toMs: nowMs, stepMs }
  await expect(down.read(organizationId, [series], range)).rejects.toThrow(
    '127.0.0.1:1 refused the connection.',
  )
  const outcome = await down.write(organizationId, series.entity, new Date(), [{ metric: cpuUsed, value: 1 }])
  expect(outcome.written).toBe(1)
  await down.stop()
})

test.skipIf(prometheusPath === undefined)(
  'Prometheus itself takes the samples and answers what was measured in each step',
  async () => {
    const url = await startPrometheus(prometheusPath ?? '')
    const real = await openMetrics({
      database,
      clock: realClock,
      log,
      remote: { url, writeUrl: `${url}/api/v1/write`, token: undefined },
    })
    const measured = await given.cluster({ organizationId, title: 'real' })
    const entity = { type: 'cluster', id: String(measured.id) }
    const podLabels = { namespace: 'shop', pod: 'a"b\\c' }
    for (let minute = 5; minute > 0; minute -= 1) {
      for (const [offsetMs, value] of [
        [0, 1],
        [45_000, 4],
      ] as const) {
        await real.write(organizationId, entity, new Date(nowMs - minute * stepMs + offsetMs), [
          { metric: cpuUsed, value },
          { metric: cpuUsed, labels: podLabels, value: value * 10, span: 'days' },
        ])
      }
    }
    const range = { fromMs: nowMs - 6 * stepMs, toMs: nowMs, stepMs }
    const points = await real.read(
      organizationId,
      [
        { entity, metric: cpuUsed },
        { entity, metric: cpuUsed, labels: podLabels },
      ],
      range,
    )
    await real.stop()
    const every = (value: number) => [null, value, value, value, value, value]
    expect(points).toEqual([
      { averages: every(2.5), maxima: every(4) },
      { averages: every(25), maxima: every(40) },
    ])
  },
)
