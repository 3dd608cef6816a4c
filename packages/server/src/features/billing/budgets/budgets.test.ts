import { budgetGraceMs } from '@bey/contract/billing/budget-states'
import { expect, test } from 'vitest'

import { createLog } from '../../../platform/log.ts'
import { publishAll } from '../../../platform/live/publish.ts'
import { recordUsage } from '../../../platform/usage/record.ts'
import { budgets } from '../../../tables/budgets.ts'
import { testApp } from '../../../testing/app.ts'
import { fakeClock } from '../../../testing/clock.ts'
import type { GivenUser } from '../../../testing/given.ts'
import { createNotify } from '../../notifications/rules/notify.ts'
import { lookAtBudgets } from './watch.ts'

// A server that only serves requests evaluates nothing by itself: the tests say when.
const app = await testApp({ role: 'web' })
const { given, ask, database } = app
const quiet = createLog({ level: 'silent' })
const draft = {
  name: 'All',
  amount: '100',
  currency: 'EUR',
  scope: { by: 'all', key: '' },
  action: 'pause_new_runs',
}

const asked =
  ({ token, organizationId }: GivenUser) =>
  (method: string, path: string, body?: object) =>
    ask(method, `/api/${path}`, { token, organizationId, ...(body && { body }) })

let events = 0

/** Uses so many node-hours that the price of one makes `euros`. */
async function spend({ organizationId }: GivenUser, euros: number) {
  const price = await priceOfRun()
  await database.withTenant(organizationId, (db) =>
    recordUsage(db, organizationId, [
      {
        source: 'test',
        id: `s${++events}`,
        meter: 'runs',
        value: String(euros / price),
        at: new Date(),
        subject: {},
      },
    ]),
  )
}

async function priceOfRun() {
  const owner = await given.user({ role: 'OWNER' })
  const { body } = await asked(owner)('GET', 'billing/prices')
  const price = body.versions[0].prices.find((each: { meter: string }) => each.meter === 'runs')
  return Number(price.tiers[0].price) / price.per
}

const lookAt = (now: Date) => {
  const clock = fakeClock(now)
  return lookAtBudgets({ database, clock, log: quiet, notify: createNotify({ publish: publishAll, clock }) })
}

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000)
const noticesOf = async (call: ReturnType<typeof asked>) =>
  (await call('GET', 'notifications')).body.notifications.map(({ title }: { title: string }) => title)

test('a threshold is notified once, also where two processes look at the same time', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const call = asked(owner)
  const made = await call('POST', 'billing/budgets', { ...draft, action: 'notify' })
  expect(made.status, made.text).toBe(201)
  expect(made.body).toMatchObject({ state: 'ok', scopeText: 'Everything' })
  await spend(owner, 85)
  const at = minutesFromNow(2)
  await Promise.all([lookAt(at), lookAt(at)])
  await lookAt(minutesFromNow(4))
  expect(await noticesOf(call)).toEqual(['All has reached 80 % of €100.00'])
  const [budget] = (await call('GET', 'billing/budgets')).body.budgets
  expect(budget).toMatchObject({ state: 'warning', spent: '85.000000' })
})

test('a budget that pauses refuses new runs after the grace, names who lifts it, and an owner does', async () => {
  const owner = await given.user({ role: 'OWNER', name: 'Ada Lovelace' })
  const member = await given.user({ role: 'MEMBER', organizationId: owner.organizationId })
  const call = asked(owner)
  const id = (await call('POST', 'billing/budgets', draft)).body.id
  const step = { key: 'a', name: 'a', type: 'transform' }
  const { workflow } = (await call('POST', 'v1/workflows', { name: 'Clean up', steps: [step] })).body
  await spend(owner, 120)
  await lookAt(minutesFromNow(2))
  const inGrace = (await call('GET', 'billing/budgets')).body.budgets[0]
  expect(inGrace.state).toBe('grace')
  expect(inGrace.text).toContain('Clusters, databases and running runs go on.')
  await database.withTenant(owner.organizationId, (db) =>
    db.update(budgets).set({ stateSince: new Date(Date.now() - budgetGraceMs) }),
  )
  await lookAt(minutesFromNow(4))
  expect((await call('GET', 'billing/budgets')).body.budgets[0].state).toBe('enforced')
  const refused = await asked(member)('POST', `v1/workflows/${workflow.id}/runs`, {})
  expect(refused.status, refused.text).toBe(409)
  expect(refused.body.detail ?? refused.text).toContain('The budget "All" has been exceeded for 24 hours')
  expect(refused.body.detail ?? refused.text).toContain('Ada Lovelace can lift the pause')
  expect((await asked(member)('POST', `billing/budgets/${id}/lift`)).status).toBe(403)
  const lifted = await call('POST', `billing/budgets/${id}/lift`)
  expect(lifted.body).toMatchObject({ state: 'exceeded', isLifted: true })
  const started = await asked(member)('POST', `v1/workflows/${workflow.id}/runs`, {})
  expect(started.text).not.toContain('has been exceeded')
  await lookAt(minutesFromNow(6))
  expect((await call('GET', 'billing/budgets')).body.budgets[0].state).toBe('exceeded')
  expect(await noticesOf(call)).toContain('All pauses new runs')
})

test('a budget in another currency than the prices says so and moves nothing', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const call = asked(owner)
  await spend(owner, 500)
  const made = await call('POST', 'billing/budgets', { ...draft, currency: 'JPY' })
  expect(made.body).toMatchObject({ state: 'ok', spent: null })
  expect(made.body.text).toContain('cannot be compared')
})

test('members see no budgets, admins see them with who can change them, names are taken once', async () => {
  const owner = await given.user({ role: 'OWNER', name: 'Ada Lovelace' })
  const { organizationId } = owner
  const admin = await given.user({ role: 'ADMIN', organizationId })
  const member = await given.user({ role: 'MEMBER', organizationId })
  await asked(owner)('POST', 'billing/budgets', draft)
  expect((await asked(owner)('POST', 'billing/budgets', { ...draft, name: 'ALL' })).status).toBe(409)
  expect((await asked(member)('GET', 'billing/budgets')).status).toBe(403)
  const list = await asked(admin)('GET', 'billing/budgets')
  expect(list.body).toMatchObject({ deniedText: 'Budgets are changed by owners. Ada Lovelace can.' })
  expect((await asked(admin)('POST', 'billing/budgets', { ...draft, name: 'Mine' })).status).toBe(403)
  const stranger = await given.user({ role: 'OWNER' })
  expect((await asked(stranger)('GET', 'billing/budgets')).body.budgets).toEqual([])
  const headline = await asked(owner)('GET', 'billing/headline')
  expect(headline.status, headline.text).toBe(200)
  expect(headline.body.title).toContain('so far')
})
