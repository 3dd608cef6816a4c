import type { MeterPrice } from '@bey/contract'
import { expect, test } from 'vitest'
import { recordUsage, type UsageEvent } from '../../../platform/usage/record.ts'
import { dayOf, shiftMonth } from '../../../platform/usage/months.ts'
import { testApp } from '../../../testing/app.ts'
import type { GivenUser } from '../../../testing/given.ts'
import { examplePrices } from './example.ts'

const app = await testApp()
const { given, database } = app
const hourMs = 3_600_000
/** The last month: all of it is over. */
const month = shiftMonth(dayOf(Date.now(), 'UTC').slice(0, 7), -1)
const monthStart = Date.parse(`${month}-01T00:00:00Z`)

async function ask(user: GivenUser, path: string, body?: object) {
  const { token, organizationId } = user
  return app.ask(body ? 'POST' : 'GET', `/api/billing${path}`, {
    token,
    organizationId,
    ...(body && { body }),
  })
}

const price = (meter: MeterPrice['meter'], tiers: MeterPrice['tiers']): MeterPrice => ({
  meter,
  provider: null,
  region: null,
  nodeType: null,
  per: 1,
  tiers,
})
const flat = (amount: string) => [{ upTo: null, price: amount }]
const inHours = (hours: number) => new Date((Math.floor(Date.now() / hourMs) + hours) * hourMs).toISOString()

/** A version that holds from a past hour, as it does once that hour has passed. */
async function holding(user: GivenUser, version: number, holdsFrom: Date, prices: MeterPrice[]) {
  await database.ownerPool.query(
    `insert into price_versions (organization_id, version, currency, prices, holds_from, note)
     values ($1, $2, 'EUR', $3, $4, '')`,
    [user.organizationId, version, JSON.stringify(prices), holdsFrom],
  )
}

let number = 0
const run = (value: string, at: Date): UsageEvent => ({
  source: 'test',
  id: `p-${(number += 1)}`,
  meter: 'runs',
  value,
  at,
  subject: { resource: { id: 'w1', name: 'Deploy' } },
})
const record = (user: GivenUser, events: UsageEvent[]) =>
  database.withTenant(user.organizationId, (db) => recordUsage(db, user.organizationId, events))
const totalOf = async (user: GivenUser) => (await ask(user, `/spend?month=${month}`)).body.total

test('an owner saves prices that hold from a coming hour, and what is used already keeps its price', async () => {
  const owner = await given.user({ role: 'OWNER', name: 'Ada Lovelace' })
  const admin = await given.user({ organizationId: owner.organizationId, role: 'ADMIN' })
  await record(owner, [run('10', new Date(monthStart))])
  const before = (await ask(admin, '/prices')).body
  expect(before.versions).toMatchObject([{ version: 0, isExample: true, holdsNow: true }])
  expect(before.deniedText).toBe('Prices are changed by owners. Ada Lovelace can.')
  const draft = { currency: 'EUR', prices: [price('runs', flat('1'))], note: 'New contract' }
  expect((await ask(admin, '/prices', draft)).status).toBe(403)
  expect((await ask(owner, '/prices', { ...draft, holdsFrom: inHours(-1) })).status).toBe(409)
  expect(
    (await ask(owner, '/prices', { ...draft, holdsFrom: new Date(Date.now() + 90_061_001).toISOString() }))
      .status,
  ).toBe(409)
  const saved = await ask(owner, '/prices', { ...draft, holdsFrom: inHours(30) })
  expect(saved.status, saved.text).toBe(201)
  expect(saved.body).toMatchObject({
    version: 1,
    holdsNow: false,
    note: 'New contract',
    createdBy: { name: 'Ada Lovelace' },
  })
  const earlier = await ask(owner, '/prices', { ...draft, holdsFrom: inHours(29) })
  expect(earlier.body.detail ?? earlier.text).toContain('Version 1 holds from')
  expect((await ask(owner, '/prices')).body).toMatchObject({ deniedText: null, currency: 'EUR' })
  expect(await totalOf(owner)).toBe('0.200000')
})

test('a price that changes in the middle of a month holds for the hours after it', async () => {
  const user = await given.user({ role: 'OWNER' })
  // The change is in the middle of a day, so that its hours are priced apart.
  const change = new Date(monthStart + 255 * hourMs)
  await holding(user, 1, new Date(monthStart - 24 * hourMs), [price('runs', flat('1'))])
  await holding(user, 2, change, [price('runs', flat('3'))])
  await record(user, [run('10', new Date(change.getTime() - 1)), run('10', change)])
  expect(await totalOf(user)).toBe('40.000000')
})

test('tiers count the month, and a later version begins in the tier that it has reached', async () => {
  const user = await given.user({ role: 'OWNER' })
  const tiers = (first: string, second: string) => [
    { upTo: '100', price: first },
    { upTo: null, price: second },
  ]
  const change = new Date(monthStart + 255 * hourMs)
  await holding(user, 1, new Date(monthStart - 24 * hourMs), [price('runs', tiers('1', '0.5'))])
  await record(user, [run('150', new Date(monthStart))])
  expect(await totalOf(user)).toBe('125.000000')
  await holding(user, 2, change, [price('runs', tiers('2', '0.1'))])
  await record(user, [run('50', change)])
  expect(await totalOf(user)).toBe('130.000000')
})

test('the price that names the type of node wins, and usage without a price costs nothing', async () => {
  const user = await given.user({ role: 'OWNER' })
  await holding(user, 1, new Date(monthStart - 24 * hourMs), [
    price('node_hours', flat('1')),
    { ...price('node_hours', flat('2')), provider: 'aws' },
    { ...price('node_hours', flat('7')), nodeType: '4x16' },
  ])
  const hours = (subject: UsageEvent['subject']): UsageEvent => ({
    ...run('1', new Date(monthStart)),
    meter: 'node_hours',
    subject,
  })
  await record(user, [
    hours({ provider: 'aws', nodeType: '4x16' }),
    hours({ provider: 'aws', nodeType: '2x8' }),
    hours({ provider: 'hetzner' }),
    run('5', new Date(monthStart)),
  ])
  expect(await totalOf(user)).toBe('10.000000')
})

test('another currency begins with a month', async () => {
  const user = await given.user({ role: 'OWNER' })
  await holding(user, 1, new Date(monthStart - 24 * hourMs), examplePrices.prices)
  const draft = { currency: 'USD', prices: examplePrices.prices }
  const now = new Date()
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  const refused = await ask(user, '/prices', {
    ...draft,
    holdsFrom: new Date(next.getTime() + hourMs).toISOString(),
  })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('A month has one currency')
  expect((await ask(user, '/prices', { ...draft, holdsFrom: next.toISOString() })).status).toBe(201)
})

test('a draft says what the month would cost, who feels it, and saves nothing', async () => {
  const user = await given.user({ role: 'OWNER' })
  await record(user, [run('10', new Date())])
  const draft = { currency: 'EUR', prices: [price('runs', flat('0.05'))] }
  const preview = (await ask(user, '/prices/preview', draft)).body
  expect(preview.text).toMatch(/would cost about 0\.30 EUR more\.$/)
  expect(preview.meters).toMatchObject([
    { meter: 'runs', quantity: '10.000000000', current: '0.200000', draft: '0.500000', change: '0.300000' },
  ])
  expect(preview.meters[0].felt).toEqual([{ name: 'Deploy', change: '0.300000' }])
  expect(preview.versions).toMatchObject([
    { version: null, amount: '0.500000' },
    { version: 0, isExample: true },
  ])
  expect((await ask(user, '/prices')).body.versions).toHaveLength(1)
})

test('prices that contradict themselves are refused with a sentence', async () => {
  const user = await given.user({ role: 'OWNER' })
  const twice = { currency: 'EUR', prices: [price('runs', flat('1')), price('runs', flat('2'))] }
  expect((await ask(user, '/prices', twice)).text).toContain('Two prices are for the same meter')
  const falling = {
    currency: 'EUR',
    prices: [
      price('runs', [
        { upTo: '5', price: '1' },
        { upTo: '2', price: '1' },
      ]),
    ],
  }
  expect((await ask(user, '/prices', falling)).text).toContain('The limits of tiers rise')
  const negative = { currency: 'EUR', prices: [price('runs', flat('-1'))] }
  expect((await ask(user, '/prices', negative)).status).toBe(400)
})
