import { expect, test } from 'vitest'

import { realClock } from '../../platform/clock.ts'
import { createLog } from '../../platform/log.ts'
import { backfill } from '../../platform/metrics/backfill.ts'
import { openMetrics } from '../../platform/metrics/metrics.ts'
import { testApp } from '../../testing/app.ts'

const { ask, given, database } = await testApp()
const metrics = await openMetrics({ database, clock: realClock, log: createLog({ level: 'silent' }) })
const viewer = await given.user({ role: 'VIEWER' })
const { organizationId } = viewer
const cluster = await given.cluster({ organizationId, title: 'prod' })
const young = await given.cluster({ organizationId, title: 'young' })
const weekMs = 7 * 86_400_000
const now = Date.now()

const hourMs = 3_600_000
const thisHour = Math.floor(now / hourMs) * hourMs

/** The same hour of the weeks before, with the hours beside it. */
const past = [100, 110, 90, 5_000].flatMap((value, index) =>
  [-1, 0, 1].map((hours) => ({
    atMs: thisHour - (index + 1) * weekMs + hours * hourMs,
    value: value + hours,
  })),
)
await database.withTenant(organizationId, (db) =>
  backfill(
    db,
    { organizationId, entity: { type: 'cluster', id: String(cluster.id) }, now: new Date(now) },
    past.map(({ atMs }) => atMs),
    [{ metric: 'cpu_used_millicores', values: past.map(({ value }) => value) }],
  ),
)
for (const { id } of [cluster, young]) {
  await metrics.write(
    organizationId,
    { type: 'cluster', id: String(id) },
    new Date(Math.max(thisHour, now - 30_000)),
    [{ metric: 'cpu_used_millicores', value: 400 }],
  )
}

const usual = (expr: string, rest: Record<string, string> = {}, as = viewer) =>
  ask('GET', `/api/metrics-usual?${String(new URLSearchParams({ expr, ...rest }))}`, {
    token: as.token,
    organizationId: as.organizationId,
  })

test('a series is compared with the same hour of the weeks before, one of which was wild', async () => {
  const { status, body, text } = await usual('cpu_used_millicores{cluster="prod"}')
  expect(status, text).toBe(200)
  expect(body).toMatchObject({ state: 'ready', measuredWeeks: 4, unit: 'millicores' })
  const { value, usual: hour, isUnusual, weeks } = body.newest
  expect([value, isUnusual, weeks]).toEqual([400, true, [100, 110, 90, 5_000]])
  expect(hour.median).toBeGreaterThan(99)
  expect(hour.median).toBeLessThan(111)
  expect(hour.high).toBeLessThan(400)
})

test.each([
  ['several series, none of them chosen', 'cpu_used_millicores', {}, 'several'],
  ['no series', 'cpu_used_millicores{cluster="nowhere"}', {}, 'gone'],
  ['a series that is not there', 'cpu_used_millicores', { series: '{"cluster":"x"}' }, 'gone'],
  ['what is no series', 'cpu_used_millicores', { series: 'constructor' }, 'gone'],
  ['a series without history', 'cpu_used_millicores{cluster="young"}', {}, 'short_history'],
])('%s is said as such', async (_what, expr, rest, state) => {
  const { body } = await usual(expr, rest)
  expect(body).toMatchObject({ state, newest: null })
})

test('one of several is chosen by its labels, in any order', async () => {
  const { series } = (await ask('GET', '/api/metrics-query?expr=cpu_used_millicores', viewer)).body
  const prod = series.find(({ labels }: { labels: Record<string, string> }) => labels['cluster'] === 'prod')
  const named = Object.entries({ __name__: prod.name, ...prod.labels }).toReversed()
  const { body } = await usual('cpu_used_millicores', {
    series: JSON.stringify(Object.fromEntries(named)),
  })
  expect(body).toMatchObject({ state: 'ready', newest: { value: 400 } })
})

test.each([
  [{ weeks: '3' }, 'Choose one of 2, 4, 8.'],
  [{ deviations: '0' }, 'Choose one of 2, 3, 4.'],
  [{ range: '9999999' }, 'range'],
])('%o is refused by a sentence', async (rest, sentence) => {
  const { status, text } = await usual('cpu_used_millicores', rest)
  expect([status, text.includes(sentence)]).toEqual([400, true])
})

test('another organization has no such series', async () => {
  const { body } = await usual('cpu_used_millicores{cluster="prod"}', {}, await given.user())
  expect(body.state).toBe('gone')
})
