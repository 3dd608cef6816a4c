import { clusterMetrics } from '@bey/contract'
import { expect, test } from 'vitest'

import { createLog } from '../../platform/log.ts'
import { realClock } from '../../platform/clock.ts'
import { openMetrics } from '../../platform/metrics/metrics.ts'
import { testApp } from '../../testing/app.ts'

const { ask, given, database } = await testApp()
const metrics = await openMetrics({ database, clock: realClock, log: createLog({ level: 'silent' }) })
const viewer = await given.user({ role: 'VIEWER' })
const { organizationId } = viewer
const small = await given.cluster({ organizationId, title: 'small' })
const large = await given.cluster({ organizationId, title: 'large' })
const foreign = await given.cluster()
const stranger = await given.user()
const { cpuUsed, cpuAllocatable } = clusterMetrics
const now = Date.now()

for (const minutes of [40, 20]) {
  for (const [cluster, used] of [
    [small, 100],
    [large, 3_000],
    [foreign, 9_999],
  ] as const) {
    await metrics.write(
      cluster.organizationId,
      { type: 'cluster', id: String(cluster.id) },
      new Date(now - minutes * 60_000),
      [
        { metric: cpuUsed, value: used },
        { metric: cpuAllocatable, value: 4_000 },
        { metric: cpuUsed, labels: { namespace: 'shop', pod: 'web-1' }, value: used / 2, span: 'days' },
      ],
    )
  }
}

const query = (expr: string, rest = 'range=3600&step=300', as = viewer) =>
  ask('GET', `/api/metrics-query?expr=${encodeURIComponent(expr)}&${rest}`, {
    token: as.token,
    organizationId: as.organizationId,
  })

type Series = { name: string | null; labels: Record<string, string>; values: (number | null)[] }
const measured = (series: Series[]) =>
  series.map(({ labels, values }) => [labels['cluster'], values.filter((value) => value !== null)])

test('an expression over clusters is evaluated, the highest series first', async () => {
  const { status, body } = await query(`100 * ${cpuUsed}{pod=""} / ${cpuAllocatable}`)
  expect(status).toBe(200)
  expect(measured(body.series)).toEqual([
    ['large', [75, 75]],
    ['small', [2.5, 2.5]],
  ])
  expect(body).toMatchObject({ seriesCount: 2, unit: 'percent', warnings: [], stepMs: 300_000 })
  expect((Date.parse(body.to) - Date.parse(body.from)) / body.stepMs).toBe(body.series[0].values.length)
})

test('a series has the labels of its entity and its own', async () => {
  const { body } = await query(`${cpuUsed}{cluster="large", pod=~"web-.+"}`)
  expect(body.series).toMatchObject([
    {
      name: cpuUsed,
      labels: { entity: 'cluster', cluster: 'large', id: String(large.id), namespace: 'shop', pod: 'web-1' },
    },
  ])
})

test('another organization’s series are not there', async () => {
  const { body } = await query(`sum(${cpuUsed}{pod=""})`)
  expect(body.series[0].values.findLast((value: number | null) => value !== null)).toBe(3_100)
  expect((await query(`${cpuUsed}{id="${foreign.id}"}`)).body.series).toEqual([])
  expect((await query(cpuUsed, 'range=3600', stranger)).body).toMatchObject({ series: [], seriesCount: 0 })
})

test('what the caller may not read is not there', async () => {
  const { token } = await given.apiKey(viewer, { permissions: ['analytics.read', 'databases.read'] })
  const { status, body } = await query(cpuUsed, 'range=3600', { ...viewer, token })
  expect([status, body.series]).toEqual([200, []])
  const catalog = await ask('GET', '/api/metrics-catalog', { token, organizationId })
  expect(catalog.body.metrics).toEqual([])
})

test('from and to name a range, and a range that is odd is refused', async () => {
  const time = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
  const { body } = await query(
    `${cpuUsed}{pod="",cluster="small"}`,
    `from=${time(30)}&to=${time(10)}&step=60`,
  )
  expect(measured(body.series)).toEqual([['small', [100]]])
  for (const rest of [
    `from=${time(30)}`,
    `from=${time(10)}&to=${time(30)}`,
    `from=${time(30)}&to=${time(10)}&range=60`,
    'range=59',
  ]) {
    expect((await query(cpuUsed, rest)).status).toBe(400)
  }
})

test('an expression that cannot be read is refused with its position', async () => {
  const { status, body } = await query('sum(rate(x[5m])')
  expect(status).toBe(400)
  expect(body).toMatchObject({ detail: expect.stringContaining('at character'), errors: [{ path: 'expr' }] })
  expect((await query('1+'.repeat(2_001))).status).toBe(400)
})

test('the catalogue lists metrics with meaning, unit, labels, series and the sum of now', async () => {
  await metrics.write(organizationId, { type: 'cluster', id: String(small.id) }, new Date(now - 30_000), [
    { metric: cpuUsed, value: 150 },
  ])
  await metrics.write(organizationId, { type: 'cluster', id: String(large.id) }, new Date(now - 30_000), [
    { metric: cpuUsed, value: 2_000 },
    { metric: cpuUsed, labels: { namespace: 'shop', pod: 'web-1' }, value: 1 },
    { metric: 'made_up', value: 1 },
  ])
  const { body } = await ask('GET', '/api/metrics-catalog', { token: viewer.token, organizationId })
  expect(body.metrics).toEqual([
    expect.objectContaining({ name: cpuAllocatable, seriesCount: 2, lastValue: null }),
    {
      name: cpuUsed,
      entity: 'cluster',
      meaning: 'CPU time in use',
      unit: 'millicores',
      labels: ['entity', 'cluster', 'id', 'namespace', 'pod'],
      seriesCount: 4,
      lastValue: 2_150,
    },
    expect.objectContaining({ name: 'made_up', meaning: null, unit: null }),
  ])
})
