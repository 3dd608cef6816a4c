import type { MeterPrice } from '@bey/contract'
import { expect, test } from 'vitest'
import { readBooks } from '../../../platform/usage/books.ts'
import { monthOfInstant, shiftMonth } from '../../../platform/usage/months.ts'
import { recordUsage, type UsageEvent, type UsageSubject } from '../../../platform/usage/record.ts'
import { addUpUsage } from '../../../platform/usage/sums.ts'
import { priceVersions } from '../../../tables/price-versions.ts'
import { testApp } from '../../../testing/app.ts'
import { decimalOf, decimalText, sumOf } from '../../../platform/decimal.ts'
import { openMonth } from '../spend/read-month.ts'
import type { SumRow } from '../spend/sums.ts'
import { makeCosts } from './make.ts'
import { proveBooks } from './prove.ts'

const app = await testApp({ role: 'web' })
const { given, database } = app

/** The month before this one: it is over, and so its days are too. */
const month = shiftMonth(monthOfInstant(Date.now(), 'UTC'), -1)

/** A sequence that is the same in every run. */
function randomOf(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % below
  }
}
const random = randomOf(11)

const nodes: UsageSubject[] = [1, 2].map((id) => ({
  cluster: { id, name: `c${id}` },
  provider: 'sandbox',
  nodeType: `${id * 4}x16`,
}))
const workloads: UsageSubject[] = Array.from({ length: 12 }, (_none, index) => ({
  cluster: { id: 1 + (index % 2), name: `c${1 + (index % 2)}` },
  namespace: index === 0 ? 'kube-system' : `n${index % 4}`,
  workload: `Deployment/w${index}`,
  owner: { id: 1 + (index % 3), name: `Owner ${index % 3}` },
  labels: { team: `t${index % 5}` },
}))

let count = 0
function event(meter: UsageEvent['meter'], subject: UsageSubject, sign = ''): UsageEvent {
  const at = new Date(
    `${month}-${String(1 + random(28)).padStart(2, '0')}T${String(random(24)).padStart(2, '0')}:30:00Z`,
  )
  const value = `${sign}${random(40)}.${random(1_000_000)}`
  return { source: 'test', id: `e${(count += 1)}`, meter, value, at, subject }
}

const some = (length: number): UsageEvent[] =>
  Array.from({ length }, () => {
    const node = nodes[random(2)] ?? {}
    const workload = workloads[random(12)] ?? {}
    const asked =
      (['cpu_requested', 'cpu_used', 'memory_requested', 'memory_used'] as const)[random(4)] ?? 'cpu_used'
    const capacity = random(2) === 0 ? 'cpu_capacity' : 'memory_capacity'
    return [
      event(asked, workload),
      event(asked, workload),
      event('node_hours', node),
      event(capacity, node),
      event('runs', { resource: { id: `r${random(4)}`, name: 'r' } }, random(8) === 0 ? '-' : ''),
    ][random(5)] as UsageEvent
  })

const price = (meter: MeterPrice['meter'], ...tiers: MeterPrice['tiers']): MeterPrice => {
  return { meter, provider: null, region: null, nodeType: null, per: 1, tiers }
}

const dimensions = ['service', 'cluster', 'namespace', 'workload', 'owner', 'label:team', 'person', 'meter']

async function sumsOf(organizationId: number): Promise<Record<string, SumRow[]>> {
  return database.readTenant(organizationId, async (db) => {
    const { sums } = await openMonth(db, organizationId, month, await readBooks(db, organizationId))
    const read: Record<string, SumRow[]> = {}
    for (const by of dimensions) {
      const { rows } = await sums(by, {}, 5)
      read[by] = rows
        .map((row) => ({ ...row, value: decimalText(decimalOf(row.value), 12), subjectId: null }))
        .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    }
    return read
  })
}

const isMade = async (organizationId: number) => {
  const { rows } = await database.ownerPool.query<{ isMade: boolean }>(
    `select bool_and(rules is not null) as "isMade" from usage_cost_days where organization_id = $1`,
    [organizationId],
  )
  return rows[0]?.isMade
}

test('lines that are kept say what the ledger says, with prices that change in a day, tiers, late events and each rule', async () => {
  const user = await given.user({ role: 'OWNER' })
  const { organizationId, token } = user
  const record = (events: UsageEvent[]) =>
    database.withTenant(organizationId, (db) => recordUsage(db, organizationId, events))
  await database.withTenant(organizationId, (db) =>
    db.insert(priceVersions).values(
      [
        [price('node_hours', { upTo: null, price: '0.41' }), price('runs', { upTo: null, price: '0.02' })],
        // From the middle of a day on, runs have tiers.
        [
          price('node_hours', { upTo: null, price: '0.37' }),
          price('runs', { upTo: '50', price: '0.02' }, { upTo: null, price: '0.011' }),
        ],
      ].map((prices, index) => ({
        organizationId,
        version: index + 1,
        currency: 'EUR',
        prices,
        holdsFrom: new Date(index === 0 ? '2026-01-01T00:00:00Z' : `${month}-15T10:00:00Z`),
        note: '',
      })),
    ),
  )
  await record(some(1_500))
  await addUpUsage(database)
  for (const sharedCost of ['requests', 'use', 'apart']) {
    await app.ask('PATCH', '/api/billing/settings', { token, organizationId, body: { sharedCost } })
    const live = await sumsOf(organizationId)
    expect(await makeCosts(database)).toBeGreaterThan(0)
    expect(await isMade(organizationId)).toBe(true)
    expect(await makeCosts(database)).toBe(0)
    expect(await sumsOf(organizationId)).toEqual(live)
    const totals = Object.values(live).map((rows) =>
      decimalText(sumOf(rows.map(({ amount }) => decimalOf(amount)))),
    )
    expect(new Set(totals).size).toBe(1)
    expect(Number(totals[0])).toBeGreaterThan(1)
  }
  // Late events are in what readers see at once, and outdate the lines of their days.
  const before = await sumsOf(organizationId)
  await record(some(60))
  const waiting = await sumsOf(organizationId)
  expect(waiting).not.toEqual(before)
  await addUpUsage(database)
  expect(await isMade(organizationId)).toBe(false)
  expect(await sumsOf(organizationId)).toEqual(waiting)
  await makeCosts(database)
  expect(await sumsOf(organizationId)).toEqual(waiting)
  for (const { isEqual, text } of await proveBooks(database, organizationId, new Date())) {
    expect(isEqual, text).toBe(true)
  }
})

test('the daily proof finds a line and a sum that are not what the ledger says, and billing shows it', async () => {
  const user = await given.user({ role: 'OWNER' })
  const { organizationId, token } = user
  await database.withTenant(organizationId, (db) => recordUsage(db, organizationId, some(50)))
  await addUpUsage(database)
  await makeCosts(database)
  const proofOf = async () => {
    await proveBooks(database, organizationId, new Date())
    const { body } = await app.ask('GET', `/api/billing/spend?month=${month}`, { token, organizationId })
    return body.proof
  }
  expect(await proofOf()).toMatchObject({ isEqual: true })
  const change = (table: string) =>
    database.ownerPool.query(
      `update ${table} set value = value + 0.000000001 where organization_id = $1 and ctid =
        (select ctid from ${table} where organization_id = $1 and meter = 'node_hours' limit 1)`,
      [organizationId],
    )
  await change('usage_costs')
  const wrong = await proofOf()
  expect(wrong.isEqual).toBe(false)
  expect(wrong.text).toMatch(/^The priced lines of \d{4}-\d\d-\d\d differ from the ledger\. Statements of/)
  await change('usage_hours')
  expect((await proofOf()).text).toContain('The sums of 1 meters differ from their events.')
  // Requests can write neither lines nor proofs.
  for (const table of ['usage_costs', 'usage_cost_days', 'usage_proofs']) {
    await expect(
      database.withTenant(organizationId, (db) => db.execute(`delete from ${table}`)),
      table,
    ).rejects.toThrow()
  }
})

test('a label with 100,000 values: the dearest are listed, the rest is counted and added up', async () => {
  const user = await given.user({ role: 'OWNER' })
  const { organizationId, token } = user
  await database.ownerPool.query(
    `insert into usage_subjects (organization_id, key, labels)
     select $1, gen_random_uuid(), jsonb_build_object('customer', 'c' || n) from generate_series(1, 100000) n`,
    [organizationId],
  )
  await database.ownerPool.query(
    `insert into usage_events (organization_id, source, event_id, meter, subject_id, value, at)
     select $1, 'test', id::text, 'runs', id, substr(labels ->> 'customer', 2)::int, $2::timestamptz
     from usage_subjects where organization_id = $1`,
    [organizationId, `${month}-10T10:00:00Z`],
  )
  await database.ownerPool.query(
    `insert into usage_pending (organization_id, seq, meter, subject_id, value, at)
     select organization_id, seq, meter, subject_id, value, at from usage_events where organization_id = $1`,
    [organizationId],
  )
  // As PostgreSQL does by itself within a minute: until then it looks subjects up in the plan of an almost empty table.
  await database.ownerPool.query('analyze usage_subjects, usage_events, usage_pending')
  await addUpUsage(database)
  await makeCosts(database)
  const { body, text } = await app.ask(
    'GET',
    `/api/billing/spend?month=${month}&by=label:customer&limit=10`,
    {
      token,
      organizationId,
    },
  )
  expect(text.length).toBeLessThan(100_000)
  expect(body.rows).toHaveLength(10)
  expect(body.rows[0]).toMatchObject({ key: 'c100000', amount: '2000.000000' })
  expect(body.rest).toMatchObject({ count: 99_990 })
  const amounts = [...body.rows.map(({ amount }: { amount: string }) => amount), body.rest.amount]
  expect(decimalText(sumOf(amounts.map(decimalOf)))).toBe(body.total)
  expect(body.total).toBe('100001000.000000')
  const labels = await app.ask('GET', `/api/billing/labels?month=${month}`, { token, organizationId })
  expect(labels.body.keys).toEqual([{ key: 'customer', valueCount: 100_000 }])
})
