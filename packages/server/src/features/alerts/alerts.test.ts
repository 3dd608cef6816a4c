import { expect, test } from 'vitest'

import { createLog } from '../../platform/log.ts'
import { publishAll } from '../../platform/live/publish.ts'
import { AppError } from '../../platform/errors.ts'
import { testApp } from '../../testing/app.ts'
import { fakeClock } from '../../testing/clock.ts'
import type { GivenUser } from '../../testing/given.ts'
import { createNotify } from '../notifications/rules/notify.ts'
import type { Answer } from './parts.ts'
import { evaluateAlerts } from './watch.ts'

// A server that only serves requests evaluates nothing by itself: the tests say when.
const app = await testApp({ role: 'web' })
const { given, ask, database } = app
const minute = 60_000
const rule = {
  name: 'Connections',
  expr: 'connections',
  condition: { kind: 'threshold', direction: 'above', limit: 80 },
  forMs: 4 * minute,
}

const asked =
  ({ token, organizationId }: GivenUser) =>
  (method: string, path = '', body?: object) =>
    ask(method, `/api/alerts${path}`, { token, organizationId, ...(body && { body }) })

/** An alert whose series are what `values` says at each moment, evaluated every 30 s of a clock of its own. */
async function watched(
  user: GivenUser,
  values: (atMs: number) => Record<string, number | null> | Error,
  given = rule,
) {
  const call = asked(user)
  const made = await call('POST', '', given)
  expect(made.status, made.text).toBe(201)
  const { id } = made.body
  const clock = fakeClock(new Date(Math.floor(Date.now() / minute) * minute))
  const parts = {
    database,
    clock,
    log: createLog({ level: 'silent' }),
    notify: createNotify({ publish: publishAll, clock }),
    parse: () => undefined,
    matches: () => async () => Promise.reject(new Error('No alert reads the inventory')),
    query: async () => Promise.reject(new Error('Alerts are evaluated together')),
    together:
      () =>
      async (_expr: string, range: { fromMs: number; toMs: number; stepMs: number }): Promise<Answer> => {
        const series = new Map<string, (number | null)[]>()
        for (let atMs = range.fromMs, index = 0; atMs < range.toMs; atMs += range.stepMs, index += 1) {
          const now = values(atMs)
          if (now instanceof Error) throw now
          for (const [name, value] of Object.entries(now)) {
            const all = series.get(name) ?? []
            series.set(name, all)
            while (all.length < index) all.push(null)
            all.push(value)
          }
        }
        return {
          series: [...series].map(([database_, all]) => ({
            name: null,
            labels: { database: database_ },
            values: all,
          })),
          unit: 'count',
          warnings: [],
        }
      },
  }
  const evaluate = () => evaluateAlerts(parts, user.organizationId, [id])
  return {
    id,
    call,
    clock,
    startMs: clock.now().getTime(),
    evaluate,
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 30_000) {
        clock.advance(30_000)
        await evaluate()
      }
    },
    get: async () => (await call('GET', `/${id}`)).body,
    history: async () => (await call('GET', `/${id}/history`)).body,
    notices: async () => {
      const { rows } = await database.ownerPool.query<{ title: string }>(
        `select title from notifications where organization_id = $1 and subject_id = $2 and user_id = $3 order by at, id`,
        [user.organizationId, id, user.id],
      )
      return rows.map(({ title }) => title)
    },
  }
}

test('an alert is created, found, changed and deleted, and the trail says each', async () => {
  const user = await given.user({ role: 'MEMBER', name: 'Grace' })
  const call = asked(user)
  const made = await call('POST', '', rule)
  expect(made.body).toMatchObject({
    name: 'Connections',
    owner: { name: 'Grace' },
    state: 'ok',
    group: 'quiet',
    version: 1,
  })
  expect((await call('POST', '', { ...rule, name: 'connections' })).body.code).toBe('name_taken')
  const path = `/${made.body.id}`
  const changed = await call('PATCH', path, { severity: 'critical', version: 1 })
  expect(changed.body).toMatchObject({ severity: 'critical', version: 2 })
  expect((await call('PATCH', path, { severity: 'warning', version: 1 })).status).toBe(409)
  const listed = await call('GET', '?search=CONN')
  expect(listed.body).toMatchObject({ total: 1, counts: { quiet: 1, firing: 0 }, firedCount: 0 })
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await call('GET', path)).status).toBe(404)
  const { rows } = await database.ownerPool.query<{ action: string }>(
    `select action from audit_entries where organization_id = $1 and starts_with(action, 'alert.') order by seq`,
    [user.organizationId],
  )
  expect(rows.map(({ action }) => action)).toEqual(['alert.create', 'alert.update', 'alert.delete'])
})

test('bad rules are refused by a sentence each', async () => {
  const user = await given.user({ role: 'MEMBER' })
  const stranger = await given.user()
  const call = asked(user)
  const refusals = [
    { ...rule, expr: 'sum(' },
    { ...rule, condition: { ...rule.condition, limit: 'high' } },
    { ...rule, forMs: 25 * 60 * minute },
    { ...rule, ownerId: stranger.id },
  ]
  for (const body of refusals) {
    const { status, body: reply } = await call('POST', '', body)
    expect([status, reply.code]).toEqual([400, 'invalid_request'])
    expect(reply.detail).toMatch(/\.$/)
  }
  const { id } = (await call('POST', '', rule)).body
  const silence = (untilMs: number) =>
    call('PUT', `/${id}/silence`, { until: new Date(Date.now() + untilMs).toISOString(), reason: 'Repair' })
  expect((await silence(-minute)).body.detail).toContain('lies in the future')
  expect((await silence(31 * 24 * 60 * minute)).body.detail).toContain('up to 30 days')
  expect((await call('PUT', `/${id}/acknowledge`)).body.detail).toContain('does not fire')
})

test('it fires after its duration, notifies once, is taken over, and is resolved once', async () => {
  const user = await given.user({ role: 'MEMBER', name: 'Ada' })
  let value = 90
  const alert = await watched(user, () => ({ shop: value }))
  await alert.pass(minute)
  expect(await alert.get()).toMatchObject({ state: 'pending', group: 'pending', worst: { value: 90 } })
  await alert.pass(3 * minute)
  expect(await alert.get()).toMatchObject({
    state: 'firing',
    group: 'warning',
    firingCount: 1,
    firedCount: 1,
  })
  expect(await alert.notices()).toEqual(['Connections fires: shop'])
  await alert.evaluate()
  await alert.pass(2 * minute)
  expect(await alert.notices()).toHaveLength(1)
  const taken = await alert.call('PUT', `/${alert.id}/acknowledge`)
  expect(taken.body).toMatchObject({ acknowledgedBy: { name: 'Ada' }, actedOnCount: 1 })
  value = 10
  await alert.pass(6 * minute)
  expect(await alert.get()).toMatchObject({ state: 'ok', group: 'quiet', firingCount: 0 })
  expect(await alert.notices()).toEqual(['Connections fires: shop', 'Connections is resolved'])
  const { episodes, notified } = await alert.history()
  expect(episodes).toMatchObject([
    { labels: { database: 'shop' }, peak: 90, isActedOn: true, isSilenced: false },
  ])
  expect(episodes[0].resolvedAt).not.toBeNull()
  expect(notified).toMatchObject([
    { kind: 'console', names: ['Ada'] },
    { kind: 'console', names: ['Ada'] },
  ])
})
test('two processes that evaluate the same alert at the same time notify once', async () => {
  const user = await given.user({ role: 'MEMBER' })
  const alert = await watched(user, () => ({ shop: 90 }))
  for (let round = 0; round < 8; round += 1) {
    alert.clock.advance(30_000)
    await Promise.all([alert.evaluate(), alert.evaluate()])
  }
  expect(await alert.notices()).toEqual(['Connections fires: shop'])
  expect((await alert.history()).total).toBe(1)
})

test('while it is silenced nobody is notified, and what still fires at the end is', async () => {
  const user = await given.user({ role: 'MEMBER' })
  const alert = await watched(user, () => ({ shop: 90 }))
  const until = new Date(alert.startMs + 10 * minute).toISOString()
  await alert.call('PUT', `/${alert.id}/silence`, { until, reason: 'Migration' })
  await alert.pass(5 * minute)
  expect(await alert.get()).toMatchObject({
    state: 'firing',
    group: 'silenced',
    silence: { reason: 'Migration' },
  })
  expect(await alert.notices()).toEqual([])
  await alert.pass(6 * minute)
  expect(await alert.notices()).toEqual(['Connections fires: shop'])
  expect(await alert.get()).toMatchObject({ silence: null, group: 'warning' })
})

test('a series that stops is said to have no data, and is not quiet', async () => {
  const user = await given.user({ role: 'MEMBER' })
  let hasData = true
  const alert = await watched(user, (): Record<string, number> => (hasData ? { shop: 10 } : {}))
  await alert.pass(2 * minute)
  expect(await alert.get()).toMatchObject({ state: 'ok' })
  hasData = false
  await alert.pass(5 * minute)
  expect(await alert.get()).toMatchObject({ state: 'no_data', group: 'no_data' })
  expect(await alert.notices()).toEqual(['Connections has no data'])
})

test('an expression that selects nothing has no data either', async () => {
  const alert = await watched(await given.user({ role: 'MEMBER' }), () => ({}))
  await alert.pass(5 * minute)
  expect(await alert.get()).toMatchObject({ state: 'no_data', seriesCount: 0 })
})

test('an evaluation that fails is shown with its reason, and the first that succeeds ends it', async () => {
  const user = await given.user({ role: 'MEMBER' })
  let error: Error | undefined = new AppError('invalid_request', 'The expression reads too much.')
  const alert = await watched(user, () => error ?? { shop: 10 })
  await alert.pass(minute)
  expect(await alert.get()).toMatchObject({ state: 'no_data', error: 'The expression reads too much.' })
  expect(await alert.notices()).toEqual(['Connections cannot be evaluated'])
  error = undefined
  await alert.pass(minute)
  expect(await alert.get()).toMatchObject({ state: 'ok', error: null })
})

test('more series than one alert watches are refused by a sentence', async () => {
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`db-${index}`, 1]))
  const alert = await watched(await given.user({ role: 'MEMBER' }), () => many)
  await alert.pass(minute)
  expect((await alert.get()).error).toContain('selects 201 series')
})

test('a pause of the evaluation is said, and what fires then is found by what was measured meanwhile', async () => {
  const alert = await watched(await given.user({ role: 'MEMBER' }), (atMs) => ({
    shop: atMs > breachMs ? 90 : 10,
  }))
  const breachMs: number = alert.startMs + 10 * minute
  await alert.pass(2 * minute)
  alert.clock.advance(14 * minute)
  await alert.evaluate()
  const found = await alert.get()
  expect(found).toMatchObject({ state: 'firing' })
  expect(Date.parse(found.gap.to) - Date.parse(found.gap.from)).toBeGreaterThan(13 * minute)
  expect(Date.parse(found.since) - breachMs).toBeLessThan(6 * minute)
})

test('a clock that is set back does not keep an alert from being evaluated', async () => {
  const alert = await watched(await given.user({ role: 'MEMBER' }), () => ({ shop: 90 }))
  await alert.pass(minute)
  alert.clock.step(-60 * minute)
  await alert.pass(4 * minute)
  expect(await alert.get()).toMatchObject({ state: 'firing', firedCount: 1 })
})

test('another rule begins anew, and what fired by the old one is resolved', async () => {
  const alert = await watched(await given.user({ role: 'MEMBER' }), () => ({ shop: 90 }))
  await alert.pass(4 * minute)
  const { version } = await alert.get()
  const changed = await alert.call('PATCH', `/${alert.id}`, {
    condition: { ...rule.condition, limit: 95 },
    version,
  })
  expect(changed.body).toMatchObject({ state: 'ok', firingCount: 0 })
  expect((await alert.history()).episodes[0].resolvedAt).not.toBeNull()
  await alert.pass(4 * minute)
  expect(await alert.get()).toMatchObject({ state: 'ok', firedCount: 1 })
})

test('an owner who has left leaves an alert of which everyone is notified', async () => {
  const admin = await given.user({ role: 'ADMIN' })
  const owner = await given.user({ role: 'MEMBER', organizationId: admin.organizationId })
  const alert = await watched(owner, () => ({ shop: 90 }))
  await database.ownerPool.query('delete from memberships where organization_id = $1 and user_id = $2', [
    owner.organizationId,
    owner.id,
  ])
  await alert.pass(4 * minute)
  const found = (await asked(admin)('GET', `/${alert.id}`)).body
  expect(found).toMatchObject({ state: 'firing', owner: null })
  const { notified } = (await asked(admin)('GET', `/${alert.id}/history`)).body
  expect(notified).toHaveLength(1)
})

test('a webhook gets that it fires, and that it is resolved', async () => {
  const admin = await given.user({ role: 'ADMIN' })
  const { token, organizationId } = admin
  const body = { name: 'all', url: 'http://127.0.0.1:1/hook', events: ['alert.firing', 'alert.resolved'] }
  expect((await ask('POST', '/api/webhooks', { token, organizationId, body })).status).toBe(201)
  let value = 90
  const alert = await watched(admin, () => ({ shop: value }))
  await alert.pass(4 * minute)
  value = 10
  await alert.pass(6 * minute)
  const { rows } = await database.ownerPool.query<{ type: string }>(
    'select type from webhook_deliveries where organization_id = $1 order by id',
    [organizationId],
  )
  expect(rows.map(({ type }) => type)).toEqual(['alert.firing', 'alert.resolved'])
})

test('a viewer reads alerts and changes none', async () => {
  const admin = await given.user({ role: 'ADMIN' })
  const { id } = (await asked(admin)('POST', '', rule)).body
  const call = asked(await given.user({ role: 'VIEWER', organizationId: admin.organizationId }))
  expect((await call('GET', `/${id}`)).status).toBe(200)
  for (const [method, path] of [
    ['DELETE', `/${id}`],
    ['PUT', `/${id}/acknowledge`],
    ['POST', `/${id}/test`],
  ] as const)
    expect((await call(method, path)).status).toBe(403)
})
