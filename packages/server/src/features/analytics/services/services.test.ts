import { organizationMetrics } from '@bey/contract'
import { expect, test } from 'vitest'
import { realClock } from '../../../platform/clock.ts'
import { createLog } from '../../../platform/log.ts'
import { openMetrics } from '../../../platform/metrics/metrics.ts'
import { testApp } from '../../../testing/app.ts'
import { organizationHealth } from '../../../organization-health.ts'
import { recordOrganization } from './recorder.ts'
import { cellsOf, eventsBySteps, sharesOf } from './strip-cells.ts'

const { ask, given, database } = await testApp()
const ada = await given.user({ role: 'OWNER' })
const { organizationId } = ada
const as = ({ token, organizationId: id }: typeof ada) => ({ token, organizationId: id })
type Row = { key: string; state: string; trouble: string | null; cells: string[]; detail: string }
const services = async (user: typeof ada, query = '') =>
  (await ask('GET', `/api/analytics/services${query}`, as(user))).body as { rows: Row[]; stepMs: number }
const rowOf = async (user: typeof ada, key: string) =>
  (await services(user)).rows.find((row) => row.key === key)

test('a step is as its worst moment, and one without a measurement is none', () => {
  expect(cellsOf([null, 1, 1, 1], [null, 0, 2, null], [null, 0, 0, 1])).toEqual([
    'none',
    'ok',
    'failing',
    'warn',
  ])
  const range = { fromMs: 100, stepMs: 10, count: 3 }
  expect(eventsBySteps([{ atMs: 121 }, { atMs: 122 }, { atMs: 999 }], range, 110)).toEqual([null, 0, 2])
  expect(sharesOf([null, 1, 2])).toEqual([null, 0.4, 0.8])
  expect(sharesOf([0, null])).toBeNull()
})

test('a service is shown from when the organization uses it, with its trouble in words and in its newest step', async () => {
  expect(await rowOf(ada, 'secrets')).toBeUndefined()
  const made = await ask('POST', '/api/secrets', {
    ...as(ada),
    body: {
      name: 'relay-token',
      type: 'opaque',
      value: 'x',
      expiresAt: new Date(Date.now() + 3 * 86_400_000).toISOString(),
    },
  })
  expect(made.status).toBe(201)
  const before = await rowOf(ada, 'secrets')
  expect(before).toMatchObject({
    state: 'degraded',
    trouble: '1 expires within 7 days',
    detail: '1 secret',
  })
  expect(new Set(before?.cells)).toEqual(new Set(['none']))

  const metrics = await openMetrics({ database, clock: realClock, log: createLog({ level: 'fatal' }) })
  const health = organizationHealth(database, realClock)
  await recordOrganization({ ...health, database, metrics }, organizationId, new Date())
  await metrics.stop()
  const after = await rowOf(ada, 'secrets')
  expect(after?.cells).toHaveLength(96)
  expect(after?.cells.filter((cell) => cell === 'warn')).toHaveLength(1)
  expect((await services(ada, '?hours=168')).stepMs).toBe(7_200_000)

  const asked = await ask(
    'GET',
    `/api/metrics-query?expr=${encodeURIComponent(`${organizationMetrics.thingsByHealth}{service="secrets",health="degraded"}`)}&range=3600`,
    as(ada),
  )
  expect(asked.body.series[0]?.labels).toMatchObject({ entity: 'organization', service: 'secrets' })

  const active = await ask(
    'GET',
    `/api/metrics-query?expr=${organizationMetrics.runsActive}&range=3600`,
    as(ada),
  )
  expect(active.body.series[0]?.values.at(-1)).toBe(0)

  const outlook = await ask('GET', '/api/analytics/outlook', as(ada))
  expect(outlook.body.ending).toEqual([
    expect.objectContaining({ kind: 'secret', name: 'relay-token', hasEnded: false, text: 'expires' }),
  ])
})

test('another organization has neither the rows nor what was recorded, and other times are refused', async () => {
  const stranger = await given.user({ role: 'OWNER' })
  expect((await services(stranger)).rows.map(({ key }) => key)).not.toContain('secrets')
  expect((await ask('GET', '/api/analytics/outlook', as(stranger))).body.ending).toEqual([])
  const refused = await ask('GET', '/api/analytics/services?hours=5', as(ada))
  expect(refused.status).toBe(400)
})
