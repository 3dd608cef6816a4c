import type { Spend } from '@bey/contract'
import { expect, test } from 'vitest'
import { recordUsage, type UsageEvent, type UsageSubject } from '../../../platform/usage/record.ts'
import { addUpUsage } from '../../../platform/usage/sums.ts'
import { dayOf } from '../../../platform/usage/months.ts'
import { testApp } from '../../../testing/app.ts'
import type { GivenUser } from '../../../testing/given.ts'
import { decimalOf, decimalText, sumOf } from '../../../platform/decimal.ts'

const app = await testApp()
const { given, database } = app

const hourMs = 3_600_000
const month = dayOf(Date.now(), 'UTC').slice(0, 7)
/** The first hours of the month: always in the past. */
const monthStart = Date.parse(`${month}-01T00:00:00Z`)
const at = (hours: number) => new Date(Math.min(monthStart + hours * hourMs, Date.now()))

const prodEu = { id: 71, name: 'prod-eu' }
const node: UsageSubject = { cluster: prodEu, provider: 'sandbox', nodeType: '16x64' }
const shop: UsageSubject = {
  cluster: prodEu,
  namespace: 'shop',
  workload: 'Deployment/cart',
  labels: { team: 'shop' },
}
const search: UsageSubject = { cluster: prodEu, namespace: 'search', workload: 'Deployment/index' }

let number = 0
function event(
  meter: UsageEvent['meter'],
  value: string,
  subject: UsageSubject,
  more: Partial<UsageEvent> = {},
): UsageEvent {
  return { source: 'test', id: `e-${(number += 1)}`, meter, value, at: at(0), subject, ...more }
}

const record = (user: GivenUser, events: UsageEvent[]) =>
  database.withTenant(user.organizationId, (db) => recordUsage(db, user.organizationId, events))

async function ask(user: GivenUser, path: string, body?: object, method = body ? 'POST' : 'GET') {
  const { token, organizationId } = user
  return app.ask(method, `/api/billing${path}`, { token, organizationId, ...(body && { body }) })
}

async function spendOf(user: GivenUser, query = ''): Promise<Spend> {
  const reply = await ask(user, `/spend?month=${month}${query}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const amounts = (spend: Spend) => Object.fromEntries(spend.rows.map(({ key, amount }) => [key, amount]))
const total = (values: string[]) => decimalText(sumOf(values.map(decimalOf)))

test('nothing is metered: the month costs nothing, and says from when it can be forecast', async () => {
  const user = await given.user({ role: 'OWNER' })
  const spend = await spendOf(user)
  expect(spend).toMatchObject({
    total: '0.000000',
    rows: [],
    currency: 'EUR',
    eventCount: 0,
    isSeeded: false,
  })
  expect(spend.forecast.state).toBe('too_early')
  expect(spend.prices).toEqual({ versions: [0], isExample: true })
})

test('usage counts once however often it arrives, before and after it is added up', async () => {
  const user = await given.user({ role: 'OWNER' })
  const events = [event('node_hours', '10', node), event('runs', '3', {}), event('secret_reads', '2000', {})]
  expect(await record(user, events)).toBe(3)
  expect(await record(user, events)).toBe(0)
  const before = await spendOf(user)
  expect(before).toMatchObject({ total: '4.360000', eventCount: 3 })
  expect(amounts(before)).toEqual({ kubernetes: '4.000000', workflows: '0.060000', secrets: '0.300000' })
  await addUpUsage(database)
  expect(await record(user, events)).toBe(0)
  const after = await spendOf(user)
  expect(amounts(after)).toEqual(amounts(before))
  expect(after.rows[0]?.byCluster).toEqual(['4.000000'])
  expect(after.clusters).toEqual([{ key: '71', name: 'prod-eu', amount: '4.000000' }])
  expect((await ask(user, `/proof?month=${month}`)).body).toMatchObject({ isEqual: true, eventCount: 3 })
})

test('a correction is negative, and what is used in the future is recorded as of now', async () => {
  const user = await given.user({ role: 'OWNER' })
  const ahead = new Date(Date.now() + 48 * hourMs)
  await record(user, [event('runs', '5', {}, { at: ahead }), event('runs', '-2', {}, { at: ahead })])
  const spend = await spendOf(user)
  expect(spend.total).toBe('0.060000')
  expect(Date.parse(spend.lastEventAt ?? '')).toBeLessThanOrEqual(Date.now() + 60_000)
})

test('the cost of nodes is split over workloads, and every dimension adds up to the same total', async () => {
  const user = await given.user({ role: 'OWNER' })
  await record(user, [
    event('node_hours', '7', node),
    event('cpu_capacity', '112', node),
    event('memory_capacity', '448', node),
    event('cpu_requested', '30', shop),
    event('memory_requested', '100', shop),
    event('cpu_used', '3', shop),
    event('memory_used', '50', shop),
    event('cpu_requested', '60', search),
    event('memory_requested', '100', search),
    event('cpu_used', '6', search),
    event('memory_used', '150', search),
    event('step_seconds', '1234.567', {}),
  ])
  const all = await spendOf(user)
  for (const by of ['meter', 'cluster', 'namespace', 'workload', 'owner', 'person', 'label:team']) {
    const spend = await spendOf(user, `&by=${by}`)
    expect(spend.total, by).toBe(all.total)
    expect(total(spend.rows.map(({ amount }) => amount)), by).toBe(all.total)
  }
  // Of the requests: CPU 1/3 and memory 1/2 on average.
  const byNamespace = amounts(await spendOf(user, '&by=namespace&service=kubernetes'))
  expect(byNamespace).toEqual({ search: '1.633333', shop: '1.166667' })
  const drilled = await spendOf(user, '&by=label:team&cluster=71&namespace=shop')
  expect(amounts(drilled)).toEqual({ shop: '1.166667' })

  await ask(user, '/settings', { sharedCost: 'apart' }, 'PATCH')
  const apart = await spendOf(user, '&by=namespace&service=kubernetes')
  // CPU 30 of 112 and memory 100 of 448; the rest of the nodes is idle.
  expect(amounts(apart)).toMatchObject({ shop: '0.687500' })
  expect(apart.rows.find(({ key }) => key === 'idle')).toMatchObject({ isShared: true, name: 'Idle nodes' })
  expect(total(Object.values(amounts(apart)))).toBe('2.800000')
})

test('a label with many values shows the dearest, and the rest together', async () => {
  const user = await given.user({ role: 'OWNER' })
  await record(
    user,
    Array.from({ length: 300 }, (_none, index) =>
      event('runs', String(index + 1), { labels: { customer: `c${index}` } }),
    ),
  )
  const spend = await spendOf(user, '&by=label:customer&limit=10')
  expect(spend.rows).toHaveLength(10)
  expect(spend.rows[0]).toMatchObject({ key: 'c299', amount: '6.000000' })
  expect(spend.rest).toMatchObject({ count: 290 })
  expect(total([...spend.rows.map(({ amount }) => amount), spend.rest?.amount ?? ''])).toBe(spend.total)
})

test('a member sees what belongs to them, and no other organization is ever seen', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const member = await given.user({ organizationId: owner.organizationId, role: 'MEMBER' })
  const stranger = await given.user({ role: 'OWNER' })
  await record(owner, [
    event('runs', '1', { owner: { id: member.id, name: 'Grace' } }),
    event('runs', '2', { owner: { id: owner.id, name: 'Ada' } }),
  ])
  expect(await spendOf(owner)).toMatchObject({ total: '0.060000', scope: 'all' })
  const own = await spendOf(member)
  expect(own).toMatchObject({ total: '0.020000', scope: 'own' })
  expect(own.scopeText).toContain('Owners and admins see all')
  expect((await spendOf(member, `&owner=${owner.id}`)).total).toBe('0.020000')
  expect((await ask(member, `/ledger?month=${month}`)).body.events).toHaveLength(1)
  expect((await ask(member, `/proof?month=${month}`)).status).toBe(403)
  expect((await spendOf(stranger)).total).toBe('0.000000')
  expect((await ask(stranger, `/ledger?month=${month}`)).body.events).toEqual([])
})

test('the ledger lists the events behind a cell, page by page', async () => {
  const user = await given.user({ role: 'OWNER' })
  await record(
    user,
    Array.from({ length: 5 }, () => event('runs', '1', { resource: { id: 'w1', name: 'Deploy' } })),
  )
  await record(user, [event('log_gb', '0.5', {})])
  const first = (await ask(user, `/ledger?month=${month}&service=workflows&limit=3`)).body
  expect(first.events).toHaveLength(3)
  expect(first.events[0]).toMatchObject({ meter: 'runs', value: '1', resource: 'Deploy', isSeeded: false })
  const second = (
    await ask(user, `/ledger?month=${month}&service=workflows&limit=3&cursor=${first.nextCursor}`)
  ).body
  expect(second.events).toHaveLength(2)
  expect(second.nextCursor).toBeNull()
  const ids = [...first.events, ...second.events].map(({ id }: { id: string }) => id)
  expect(new Set(ids).size).toBe(5)
})

test('the ledger is append-only, also for the owner of the tables', async () => {
  const user = await given.user({ role: 'OWNER' })
  await record(user, [event('runs', '1', {})])
  await addUpUsage(database)
  const { organizationId } = user
  for (const statement of ['update usage_events set value = 0', 'delete from usage_events']) {
    await expect(
      database.ownerPool.query(`${statement} where organization_id = $1`, [organizationId]),
    ).rejects.toThrow('append-only')
  }
  await expect(
    database.withTenant(organizationId, (db) => db.execute('delete from usage_hours')),
  ).rejects.toThrow()
  await database.ownerPool.query('delete from organizations where id = $1', [organizationId])
  const { rows } = await database.ownerPool.query('select from usage_events where organization_id = $1', [
    organizationId,
  ])
  expect(rows).toHaveLength(0)
})

test('an organization that changes its time zone has its days in the new one, and the same sums', async () => {
  const user = await given.user({ role: 'OWNER' })
  await record(user, [event('runs', '7', {}, { at: new Date(monthStart) })])
  await addUpUsage(database)
  await database.ownerPool.query(`update organizations set time_zone = 'America/New_York' where id = $1`, [
    user.organizationId,
  ])
  await addUpUsage(database)
  const spend = await spendOf(user)
  // The first hour of the month in UTC is in the month before in New York.
  expect(spend).toMatchObject({ timeZone: 'America/New_York', total: '0.000000' })
  expect(spend.lastMonth.total).toBe('0.140000')
  expect((await ask(user, `/proof?month=${spend.lastMonth.month}`)).body).toMatchObject({
    isEqual: true,
    eventCount: 1,
  })
})

test('a deleted cluster keeps its name, and a renamed one has its newest', async () => {
  const user = await given.user({ role: 'OWNER' })
  await record(user, [event('node_hours', '1', { cluster: { id: 900, name: 'old' } })])
  await record(user, [event('node_hours', '1', { cluster: { id: 900, name: 'new' } })])
  const spend = await spendOf(user, '&by=cluster')
  expect(spend.rows).toMatchObject([{ key: '900', name: 'new' }])
})
