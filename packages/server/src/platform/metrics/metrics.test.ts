import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { fakeClock } from '../../testing/clock.ts'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { openMetrics } from './metrics.ts'
import { slotsPerBlock } from './series.ts'

const database = await testDatabase()
const given = createGiven(database)
const log = createLog({ level: 'silent' })
const noon = Date.parse('2026-03-01T12:00:00.000Z')
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

async function given1(quota?: { series: number; ofDays: number }) {
  const clock = fakeClock(new Date(noon))
  const metrics = await openMetrics({ database, clock, log, ...(quota && { quota }) })
  const { organizationId, id } = await given.cluster()
  const entity = { type: 'cluster', id: String(id) }
  const write = (atMs: number, value: number, metric = 'cpu', labels?: Record<string, string>) =>
    metrics.write(organizationId, entity, new Date(atMs), [{ metric, value, ...(labels && { labels }) }])
  const read = async (fromMs: number, toMs: number, stepMs: number, metric = 'cpu') => {
    const [points] = await metrics.read(organizationId, [{ entity, metric }], { fromMs, toMs, stepMs })
    if (!points) throw new Error('Nothing was read')
    return points
  }
  /** Moves time without the rounds that would fall due on the way. */
  const wait = (ms: number) => clock.step(ms)
  return { clock, metrics, organizationId, entity, write, read, wait }
}

const rows = async (table: string, organizationId: number) => {
  const found = await database.ownerPool.query<{ count: number }>(
    `select count(*)::int as count from ${table} where organization_id = $1`,
    [organizationId],
  )
  return found.rows[0]?.count
}

test('samples are read at their step, the last of a step counts, and a gap stays a gap', async () => {
  const { write, read } = await given1()
  await write(noon - 60_000, 1)
  await write(noon - 58_000, 2)
  await write(noon - 15_000, 4)
  const { averages, maxima } = await read(noon - 60_000, noon, 15_000)
  expect(averages).toEqual([2, null, null, 4])
  expect(maxima).toEqual(averages)
})

test('minutes hold average and maximum, hours those of their minutes, and what is not rolled up yet is seen all the same', async () => {
  const { metrics, organizationId, write, read, wait } = await given1()
  for (let ms = noon - hour; ms < noon; ms += 15_000) await write(ms, ms % minute === 0 ? 10 : 2)
  const before = await read(noon - hour, noon, minute)
  await metrics.rollUp()
  expect(await rows('metric_minutes', organizationId)).toBe(59)
  wait(minute)
  await metrics.rollUp()
  expect(await rows('metric_minutes', organizationId)).toBe(60)
  expect(await rows('metric_hours', organizationId)).toBe(1)
  const after = await read(noon - hour, noon, minute)
  expect(after).toEqual(before)
  expect(after.averages).toEqual(Array.from({ length: 60 }, () => 4))
  expect(after.maxima).toEqual(Array.from({ length: 60 }, () => 10))
  const hours = await read(noon - 2 * hour, noon + hour, hour)
  expect(hours).toEqual({ averages: [null, 4, null], maxima: [null, 10, null] })
})

test('late samples are rolled up again, and repeated ones change nothing', async () => {
  const { metrics, write, read } = await given1()
  const at = noon - 30 * minute
  await write(at, 10)
  await metrics.rollUp()
  expect((await read(at, at + minute, minute)).averages).toEqual([10])
  await write(at + 15_000, 20)
  await write(at, 10)
  expect((await read(at, at + minute, minute)).averages).toEqual([15])
  await metrics.rollUp()
  expect(await read(at, at + minute, minute)).toEqual({ averages: [15], maxima: [20] })
})

test('what is too old, of the future or no number is refused with the reason, and the rest is written', async () => {
  const { metrics, organizationId, entity, write } = await given1()
  expect(await write(noon - 2 * hour, 1)).toMatchObject({
    written: 0,
    refused: 1,
    reason: expect.stringContaining('rolled up'),
  })
  expect(await write(noon + 5 * minute, 1)).toMatchObject({
    written: 0,
    refused: 1,
    reason: expect.stringContaining('to come'),
  })
  const outcome = await metrics.write(organizationId, entity, new Date(noon), [
    { metric: 'cpu', value: Number.NaN },
    { metric: 'memory', value: 3 },
  ])
  expect(outcome).toMatchObject({ written: 1, refused: 1, reason: expect.stringContaining('no numbers') })
})

test('a series beyond the quota is refused and said, those that are there go on', async () => {
  const { metrics, organizationId, entity, read } = await given1({ series: 3, ofDays: 1 })
  const samples = ['a', 'b'].map((metric) => ({ metric, value: 1 }))
  const pods = ['p', 'q'].map((pod) => ({ metric: 'cpu', labels: { pod }, value: 1, span: 'days' as const }))
  const outcome = await metrics.write(organizationId, entity, new Date(noon - 15_000), [...samples, ...pods])
  expect(outcome).toMatchObject({ written: 3, refused: 1, reason: expect.stringContaining('3 series') })
  expect(await metrics.usage(organizationId)).toEqual({
    series: 3,
    maxSeries: 3,
    refusedAt: new Date(noon - 15_000),
    refusedCount: 1,
  })
  await metrics.write(organizationId, entity, new Date(noon), [...samples, { metric: 'c', value: 1 }])
  expect((await read(noon - 15_000, noon + 15_000, 15_000, 'a')).averages).toEqual([1, 1])
  expect((await read(noon - 15_000, noon + 15_000, 15_000, 'c')).averages).toEqual([null, null])
})

test('a process that starts again finds the series, and two that write at once add each one once', async () => {
  const { metrics, organizationId, entity, read, clock } = await given1()
  const second = await openMetrics({ database, clock, log })
  const samples = Array.from({ length: 2 * slotsPerBlock }, (_, index) => ({
    metric: 'cpu',
    labels: { pod: `p${index}` },
    value: index,
  }))
  await Promise.all([
    metrics.write(organizationId, entity, new Date(noon - 30_000), [...samples, { metric: 'cpu', value: 7 }]),
    second.write(organizationId, entity, new Date(noon - 15_000), [
      ...samples.toReversed(),
      { metric: 'cpu', value: 9 },
    ]),
  ])
  expect(await rows('metric_series', organizationId)).toBe(2 * slotsPerBlock + 1)
  expect((await read(noon - 30_000, noon, 15_000)).averages).toEqual([7, 9])
  const third = await openMetrics({ database, clock, log })
  const asked = [3, 200].map((index) => ({ entity, metric: 'cpu', labels: { pod: `p${index}` } }))
  await third.write(organizationId, entity, new Date(noon), samples)
  const points = await third.read(organizationId, asked, {
    fromMs: noon - 15_000,
    toMs: noon + 15_000,
    stepMs: 15_000,
  })
  expect(points.map(({ averages }) => averages)).toEqual([
    [3, 3],
    [200, 200],
  ])
})

test('a roll-up that is cut short leaves its marks, and the next one ends it', async () => {
  const { metrics, organizationId, write, read } = await given1()
  await write(noon - 10 * minute, 6)
  const failing = database.asSystem('test', async (db) => {
    await db.execute(`delete from metric_pending where organization_id = ${organizationId}`)
    throw new Error('The process dies')
  })
  await expect(failing).rejects.toThrow('dies')
  await metrics.rollUp()
  await metrics.rollUp()
  expect((await read(noon - 10 * minute, noon - 9 * minute, minute)).averages).toEqual([6])
  expect(await rows('metric_pending', organizationId)).toBe(1)
})

test('retention drops what has run out with its partition and keeps the coarser steps', async () => {
  const { metrics, organizationId, entity, write, read, wait } = await given1()
  await write(noon - 15_000, 5)
  await metrics.write(organizationId, entity, new Date(noon - 15_000), [
    { metric: 'cpu', labels: { pod: 'p' }, value: 5, span: 'days' },
  ])
  wait(4 * hour)
  await metrics.sweep(new Date(noon + 4 * hour))
  expect(await rows('metric_samples', organizationId)).toBe(0)
  expect((await read(noon - minute, noon, minute)).averages).toEqual([5])
  wait(3 * day)
  await metrics.sweep(new Date(noon + 4 * hour + 3 * day))
  expect(await rows('metric_minutes', organizationId)).toBe(0)
  expect((await read(noon - hour, noon, hour)).averages).toEqual([5])
  // Its pod is gone for longer than its minutes were kept.
  expect(await rows('metric_series', organizationId)).toBe(1)
  wait(400 * day)
  await metrics.sweep(new Date(noon + 404 * day))
  expect(await rows('metric_series', organizationId)).toBe(0)
  expect(await rows('metric_hours', organizationId)).toBe(0)
})

test('series of a cluster that is deleted go with it', async () => {
  const { metrics, organizationId, write } = await given1()
  await write(noon, 1)
  await database.withTenant(organizationId, (db) => db.execute('update clusters set deleted_at = now()'))
  await metrics.sweep(new Date(noon))
  expect(await rows('metric_series', organizationId)).toBe(0)
})

test('an organization reads nothing of another one', async () => {
  const { metrics, entity, write } = await given1()
  await write(noon - 15_000, 1)
  const { organizationId: foreign } = await given.cluster()
  const range = { fromMs: noon - minute, toMs: noon, stepMs: 15_000 }
  const [points] = await metrics.read(foreign, [{ entity, metric: 'cpu' }], range)
  expect(points?.averages).toEqual([null, null, null, null])
})

test('after a sleep beyond every partition the first write makes the room that it needs', async () => {
  const { write, read, wait } = await given1()
  wait(900 * day)
  const at = noon + 900 * day
  expect(await write(at - 15_000, 3)).toMatchObject({ written: 1 })
  expect((await read(at - 15_000, at, 15_000)).averages).toEqual([3])
})

test('the clusters of an organization write one after the other, so that few connections are held', async () => {
  let writing = 0
  let mostAtOnce = 0
  const counted = {
    ...database,
    withTenant: async (...args: Parameters<typeof database.withTenant>) => {
      writing += 1
      mostAtOnce = Math.max(mostAtOnce, writing)
      try {
        return await database.withTenant(...args)
      } finally {
        writing -= 1
      }
    },
  } as typeof database
  const metrics = await openMetrics({ database: counted, clock: fakeClock(new Date(noon)), log })
  const { organizationId } = await given.cluster()
  const sample = [{ metric: 'cpu', value: 1 }]
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      metrics.write(organizationId, { type: 'cluster', id: String(900 + index) }, new Date(noon), sample),
    ),
  )
  expect(outcomes.map(({ written }) => written)).toEqual([1, 1, 1, 1, 1, 1])
  expect(mostAtOnce).toBe(1)
})
