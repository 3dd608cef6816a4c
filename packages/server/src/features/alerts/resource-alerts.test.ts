import { expect, test } from 'vitest'

import { publishAll } from '../../platform/live/publish.ts'
import { createLog } from '../../platform/log.ts'
import { testApp } from '../../testing/app.ts'
import { fakeClock } from '../../testing/clock.ts'
import type { GivenUser } from '../../testing/given.ts'
import type { InventoryGap } from '../../platform/inventory.ts'
import { createNotify } from '../notifications/rules/notify.ts'
import { inventoryReader } from '../resources/inventory.ts'
import { matchQueries } from '../resources/match-query.ts'
import { secretResources } from '../secrets/resources.ts'
import { evaluateAlerts } from './watch.ts'

// A server that only serves requests evaluates nothing by itself: the tests say when.
const { given, ask, database } = await testApp({ role: 'web' })
const minute = 60_000
const dayMs = 24 * 60 * minute
const match = { kind: 'match' }

const asked =
  ({ token, organizationId }: GivenUser) =>
  (method: string, path: string, body?: object) =>
    ask(method, path, { token, organizationId, ...(body && { body }) })

async function secretOf(user: GivenUser, name: string, endsInDays: number): Promise<string> {
  const { status, text, body } = await asked(user)('POST', '/api/secrets', {
    name,
    type: 'password',
    value: 'a-long-value-1',
    expiresAt: new Date(Date.now() + endsInDays * dayMs).toISOString(),
  })
  expect(status, text).toBe(201)
  return body.id
}

/** An alert over the secrets of the organization, evaluated every 30 s of a clock of its own. */
async function watched(user: GivenUser, rule: object) {
  const call = asked(user)
  const made = await call('POST', '/api/alerts', { name: 'Secrets', source: 'resources', forMs: 0, ...rule })
  expect(made.status, made.text).toBe(201)
  const clock = fakeClock(new Date(Math.floor(Date.now() / minute) * minute))
  const gaps: InventoryGap[] = []
  const source = secretResources(database, clock)
  const read = inventoryReader(database, () => [
    { kinds: source.kinds, list: async (of, kinds) => ({ ...(await source.list(of, kinds)), gaps }) },
  ])
  const parts = {
    database,
    clock,
    log: createLog({ level: 'silent' }),
    notify: createNotify({ publish: publishAll, clock }),
    parse: () => undefined,
    query: () => Promise.reject(new Error('It reads the inventory alone')),
    together: () => () => Promise.reject(new Error('It reads the inventory alone')),
    matches: matchQueries(read, clock),
  }
  const { id } = made.body
  return {
    id,
    gaps,
    async go(minutes: number) {
      for (let half = 0; half < minutes * 2; half += 1) {
        clock.advance(minute / 2)
        await evaluateAlerts(parts, user.organizationId, [id])
      }
      return (await call('GET', `/api/alerts/${id}`)).body
    },
  }
}

test('each resource that matches is watched by itself, named in the notice, and resolved once it does not match', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const call = asked(owner)
  const ending = await secretOf(owner, 'tls-shop', 5)
  await secretOf(owner, 'tls-far', 60)
  const alert = await watched(owner, { expr: 'kind:secret expires:<14d', condition: match })
  const firing = await alert.go(1)
  expect(firing).toMatchObject({ state: 'firing', firingCount: 1, seriesCount: 1, error: null })
  expect(firing.worst.labels).toEqual({ id: `secret:${ending}`, kind: 'secret', name: 'tls-shop' })
  const notices = (await call('GET', `/api/alerts/${alert.id}/history`)).body
  expect(notices.episodes).toHaveLength(1)
  const list = (await call('GET', '/api/notifications')).body.notifications
  const notice = list.find(({ title }: { title: string }) => title.startsWith('Secrets fires'))
  expect(notice).toMatchObject({
    title: 'Secrets fires: secret tls-shop',
    detail: 'Matching "kind:secret expires:<14d".',
  })

  await secretOf(owner, 'tls-second', 3)
  expect(await alert.go(1)).toMatchObject({ state: 'firing', firingCount: 2 })
  const removed = await call('DELETE', `/api/secrets/${ending}`)
  expect(removed.status, removed.text).toBeLessThan(300)
  const rest = await alert.go(3)
  expect(rest).toMatchObject({ state: 'firing', firingCount: 1, seriesCount: 1 })
  expect(rest.instances.map((each: { labels: { name: string } }) => each.labels.name)).toEqual(['tls-second'])
})

test('what nobody sees at the moment is neither gone nor resolved', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const id = await secretOf(owner, 'tls-shop', 5)
  const alert = await watched(owner, { expr: 'expires:<14d', condition: match })
  await alert.go(1)
  alert.gaps.push({ source: 'prod-eu', reason: 'prod-eu does not answer.', since: null })
  await asked(owner)('DELETE', `/api/secrets/${id}`)
  const unknown = await alert.go(5)
  expect(unknown).toMatchObject({ firingCount: 0, state: 'no_data' })
  expect(
    (await asked(owner)('GET', `/api/alerts/${alert.id}/history`)).body.episodes[0].resolvedAt,
  ).toBeNull()
  alert.gaps.pop()
  expect(await alert.go(3)).toMatchObject({ state: 'ok', firingCount: 0 })
})

test('how many match is compared with a limit, with nothing, and with before', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const all = await watched(owner, {
    expr: 'kind:secret',
    condition: { kind: 'threshold', direction: 'above', limit: 1 },
  })
  const none = await watched(owner, {
    name: 'None',
    expr: 'kind:secret name:ca',
    condition: { kind: 'absence' },
  })
  const more = await watched(owner, {
    name: 'More',
    expr: 'kind:secret',
    condition: { kind: 'change', direction: 'up', by: 2, isPercent: false, withinMs: 10 * minute },
  })
  expect(await all.go(1)).toMatchObject({ state: 'ok', unit: 'count', worst: { value: 0 } })
  expect(await none.go(1)).toMatchObject({ state: 'firing' })
  expect((await more.go(12)).state).toBe('ok')
  for (const name of ['a', 'b', 'ca']) await secretOf(owner, name, 30)
  expect(await all.go(1)).toMatchObject({ state: 'firing', worst: { value: 3 } })
  expect(await none.go(3)).toMatchObject({ state: 'ok' })
  expect(await more.go(2)).toMatchObject({ state: 'firing', worst: { value: 3 } })
})

test('a draft says what matches now, and that the past of the inventory is not known', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const call = asked(owner)
  await secretOf(owner, 'tls-shop', 5)
  const draft = { source: 'resources', expr: 'kind:secret expires:<14d', condition: match, forMs: 0, days: 7 }
  const { status, body, text } = await call('POST', '/api/alerts/replay', draft)
  expect(status, text).toBe(200)
  expect(body).toMatchObject({
    episodeCount: 0,
    series: [],
    matches: { total: 1, first: [{ name: 'tls-shop' }] },
  })
  expect(body.warnings[0]).toContain('is not recorded')

  const alert = await watched(owner, { expr: draft.expr, condition: match })
  await alert.go(1)
  const known = (await call('POST', '/api/alerts/replay', { ...draft, alertId: alert.id })).body
  expect(known.warnings[0]).toContain('nothing is known of the time before')
})

test('a query that says nothing, or cannot be judged so, is refused by a sentence', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const create = async (rule: object) => {
    const { body } = await asked(owner)('POST', '/api/alerts', {
      name: 'x',
      source: 'resources',
      forMs: 0,
      ...rule,
    })
    return body.errors?.[0]
  }
  expect(await create({ expr: 'kind:pud', condition: match })).toMatchObject({
    path: 'expr',
    message: expect.stringContaining('Did you mean pod?'),
  })
  expect((await create({ expr: 'expires:soon', condition: match })).message).toContain('expires:<14d')
  const forecast = { kind: 'forecast', direction: 'above', limit: 1, withinMs: dayMs }
  expect((await create({ expr: 'kind:pod', condition: forecast })).path).toBe('condition')
  expect((await create({ source: 'metrics', expr: 'nodes', condition: match })).path).toBe('condition')
})
