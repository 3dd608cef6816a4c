import { expect, onTestFinished, test } from 'vitest'

import { realClock } from '../../platform/clock.ts'
import { publishAll } from '../../platform/live/publish.ts'
import { createLog } from '../../platform/log.ts'
import { parsePromql } from '../../platform/metrics/promql/parse.ts'
import { testApp } from '../../testing/app.ts'
import { prometheusServer } from '../../testing/prometheus-server.ts'
import { createNotify } from '../notifications/rules/notify.ts'
import type { AlertParts, Answer } from './parts.ts'
import { evaluateAlerts, watchAlerts } from './watch.ts'

const app = await testApp({ role: 'web' })

/** Two alerts: one over Bey's own metrics, which answer 20, and one over a data source that never answers. */
async function twoAlerts(change: Partial<AlertParts> = {}) {
  const { token, organizationId } = await app.given.user({ role: 'ADMIN' })
  const call = (method: string, path: string, body?: object) =>
    app.ask(method, path, { token, organizationId, ...(body && { body }) })
  const store = await prometheusServer()
  onTestFinished(() => store.stop())
  const target = { kind: 'url', url: store.url }
  const source = await call('POST', '/api/metrics-sources', { name: 'Slow', target })
  expect(source.status, source.text).toBe(201)
  const rule = { condition: { kind: 'threshold', direction: 'above', limit: 15 }, forMs: 0 }
  const made = async (name: string, over: object) => {
    const { status, body, text } = await call('POST', '/api/alerts', { ...rule, name, ...over })
    expect(status, text).toBe(201)
    return body.id as string
  }
  const slow = await made('Slow', { source: source.body.id, expr: 'up' })
  const own = await made('Own', { expr: 'pods' })
  const asked = Promise.withResolvers<void>()
  const answer = (values: number[]): Answer => ({
    series: [{ name: null, labels: {}, values }],
    unit: null,
    warnings: [],
  })
  const parts: AlertParts = {
    database: app.database,
    clock: realClock,
    log: createLog({ level: 'silent' }),
    notify: createNotify({ publish: publishAll, clock: realClock }),
    parse: parsePromql,
    matches: () => () => Promise.reject(new Error('No alert watches the inventory here')),
    query: () => Promise.reject(new Error('Alerts are evaluated together')),
    together: () => (_expr, range, over) => {
      if (over === undefined) {
        const steps = Math.round((range.toMs - range.fromMs) / range.stepMs)
        return Promise.resolve(answer(Array.from({ length: steps }, () => 20)))
      }
      asked.resolve()
      return new Promise<Answer>(() => undefined)
    },
    ...change,
  }
  const stateOf = async (id: string) => (await call('GET', `/api/alerts/${id}`)).body
  return { parts, slow, own, stateOf, asked: asked.promise, organizationId }
}

test('an alert over a data source that does not answer delays no other alert, and stopping does not wait for it', async () => {
  const { parts, slow, own, stateOf, asked } = await twoAlerts()
  const watch = watchAlerts(parts)
  await asked
  await expect.poll(async () => (await stateOf(own)).state, { timeout: 10_000 }).toBe('firing')
  expect((await stateOf(slow)).evaluatedAt).toBeNull()
  await watch.stop()
  expect((await stateOf(slow)).error).toBeNull()
})

test('a data source has a time for all its alerts together, and what it did not answer says so', async () => {
  const deadline = Promise.withResolvers<() => void>()
  const { parts, slow, own, stateOf, asked, organizationId } = await twoAlerts({
    clock: {
      ...realClock,
      setTimeout: (callback) => {
        deadline.resolve(callback)
        return () => undefined
      },
    },
  })
  const evaluated = evaluateAlerts(parts, organizationId, [slow, own])
  await asked
  const pass = await deadline.promise
  pass()
  await evaluated
  expect((await stateOf(slow)).error).toContain('did not answer all alerts within 25 s')
  expect((await stateOf(own)).state).toBe('firing')
})

test('alerts of a demo that sleeps wait, and are evaluated once it is awake', async () => {
  const { parts, own, stateOf, organizationId } = await twoAlerts()
  const sql = (text: string, values: unknown[]) => app.database.ownerPool.query<{ at: Date }>(text, values)
  await sql(
    `insert into demos (organization_id, ends_at, seen_at, asleep_since) values ($1, now() + interval '1 day', now(), now())`,
    [organizationId],
  )
  const checkAt = async () =>
    (
      await sql('select check_at as at from alert_evaluations where alert_id = $1', [own])
    ).rows[0]?.at.getTime() ?? 0
  const due = await checkAt()
  const watch = watchAlerts(parts)
  onTestFinished(() => watch.stop())
  await expect.poll(checkAt, { timeout: 10_000 }).toBeGreaterThan(due)
  expect((await stateOf(own)).evaluatedAt).toBeNull()
  await sql('update demos set asleep_since = null where organization_id = $1', [organizationId])
  await sql('update alert_evaluations set check_at = now() where alert_id = $1', [own])
  await expect.poll(async () => (await stateOf(own)).state, { timeout: 10_000 }).toBe('firing')
})
