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
const cluster = await given.cluster({ organizationId })
const other = await given.cluster({ organizationId })
const foreign = await given.cluster()
const stranger = await given.user()

const { cpuUsed, memoryUsed } = clusterMetrics
const pod = { namespace: 'shop', pod: 'web-1' }
const now = Date.now()
for (const [minutes, value] of [
  [40, 100],
  [20, 300],
] as const) {
  for (const each of [cluster, other]) {
    await metrics.write(
      organizationId,
      { type: 'cluster', id: String(each.id) },
      new Date(now - minutes * 60_000),
      [
        { metric: cpuUsed, value: each === cluster ? value : 2 * value },
        { metric: memoryUsed, value: 2 ** 30 },
        { metric: cpuUsed, labels: pod, value: 7, span: 'days' },
      ],
    )
  }
}

const read = (query: string, as = viewer, entity = 'cluster') =>
  ask('GET', `/api/metrics/${entity}?${query}`, { token: as.token, organizationId: as.organizationId })

type Series = { id: string; metric: string; averages: (number | null)[] }
const measured = (series: Series[]) =>
  series.map(({ id, metric, averages }) => [id, metric, averages.filter((value) => value !== null)])

test('several series of several clusters come at once, on one grid, with gaps', async () => {
  const { status, body } = await read(
    `ids=${cluster.id},${other.id}&metrics=${cpuUsed},${memoryUsed},never_measured&range=3600&step=300`,
  )
  expect(status).toBe(200)
  expect(measured(body.series)).toEqual([
    [String(cluster.id), cpuUsed, [100, 300]],
    [String(cluster.id), memoryUsed, [2 ** 30, 2 ** 30].map((value) => Number(value.toPrecision(5)))],
    [String(other.id), cpuUsed, [200, 600]],
    [String(other.id), memoryUsed, expect.anything()],
  ])
  expect(body.stepMs).toBe(300_000)
  const steps = (Date.parse(body.to) - Date.parse(body.from)) / body.stepMs
  for (const { averages } of body.series) expect(averages).toHaveLength(steps)
  expect(body.series[0].averages.filter((value: number | null) => value === null).length).toBe(steps - 2)
})

test('a part of a cluster is read by its labels, and the whole is not mixed with it', async () => {
  const { body } = await read(
    `ids=${cluster.id}&metrics=${cpuUsed}&labels=namespace=shop,pod=web-1&include=maxima`,
  )
  expect(measured(body.series)).toEqual([[String(cluster.id), cpuUsed, [7, 7]]])
  expect(body.series[0]).toMatchObject({ labels: pod, maxima: expect.arrayContaining([7]) })
  expect((await read(`ids=${cluster.id}&metrics=${cpuUsed}&labels=namespace=shop`)).body.series).toEqual([])
})

test('the step is never finer than what is stored of the range, and the points are bounded', async () => {
  const steps = async (query: string) => {
    const { body } = await read(`ids=${cluster.id}&metrics=${cpuUsed}&${query}`)
    return [body.stepMs, (Date.parse(body.to) - Date.parse(body.from)) / body.stepMs]
  }
  expect(await steps('range=3600')).toEqual([15_000, 241])
  expect(await steps('range=86400')).toEqual([600_000, 145])
  expect((await steps('range=86400&step=15'))[0]).toBe(60_000)
  expect((await steps('range=604800&step=60'))[0]).toBe(3_600_000)
  const [stepMs, points] = await steps('range=31622400&step=15')
  expect(stepMs).toBe(21_600_000)
  expect(points).toBeLessThanOrEqual(2000)
})

test('a question that is too large is refused with what to do', async () => {
  const ids = Array.from({ length: 201 }, (_, index) => index + 1).join(',')
  expect((await read(`ids=${ids}&metrics=${cpuUsed}`)).status).toBe(400)
  for (const query of [
    '',
    `ids=1&metrics=${cpuUsed}&range=59`,
    `ids=1&metrics=${cpuUsed}&range=99999999`,
    'ids=1&metrics=A',
    `ids=1;2&metrics=${cpuUsed}`,
    `ids=1&metrics=${cpuUsed}&labels=pod`,
  ]) {
    expect((await read(query)).status).toBe(400)
  }
  const metricsAsked = Array.from({ length: 20 }, (_, index) => `m${index}`).join(',')
  const many = Array.from({ length: 100 }, (_, index) => index + 1).join(',')
  const { status, body } = await read(`ids=${many}&metrics=${metricsAsked}`)
  expect(status).toBe(400)
  expect(body.detail).toContain('Ask for fewer')
})

test('another organization’s cluster is not found, alone or among others', async () => {
  for (const ids of [`${foreign.id}`, `${cluster.id},${foreign.id}`, '999999', 'abc']) {
    expect((await read(`ids=${ids}&metrics=${cpuUsed}`)).status).toBe(404)
  }
  expect((await read(`ids=${cluster.id}&metrics=${cpuUsed}`, stranger)).status).toBe(404)
})

test('what belongs to a type that the caller may not read is refused', async () => {
  const { token } = await given.apiKey(viewer, { permissions: ['analytics.read', 'clusters.read'] })
  const key = { ...viewer, token }
  expect((await read(`ids=${cluster.id}&metrics=a`, key)).status).toBe(200)
  expect((await read(`ids=${crypto.randomUUID()}&metrics=a`, key, 'secret')).status).toBe(403)
  expect((await read(`ids=1&metrics=a`, viewer, 'nothing')).status).toBe(400)
})

test('a cluster that was deleted a moment ago does not take the figures of the others away', async () => {
  const gone = await given.cluster({ organizationId, deletedAt: new Date() })
  const { status, body } = await read(`ids=${cluster.id},${gone.id}&metrics=${cpuUsed}&range=3600`)
  expect(status).toBe(200)
  expect(new Set(body.series.map(({ id }: Series) => id))).toEqual(new Set([String(cluster.id)]))
})
