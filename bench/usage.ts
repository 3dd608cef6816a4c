import { sql } from 'drizzle-orm'
import type { Database } from '../packages/server/src/platform/db/database.ts'
import { readBooks } from '../packages/server/src/platform/usage/books.ts'
import { monthOfInstant, shiftMonth } from '../packages/server/src/platform/usage/months.ts'
import { recordUsage, type UsageEvent } from '../packages/server/src/platform/usage/record.ts'
import { addUpUsage } from '../packages/server/src/platform/usage/sums.ts'
import { makeCosts } from '../packages/server/src/features/billing/costs/make.ts'
import { proveBooks } from '../packages/server/src/features/billing/costs/prove.ts'
import { openMonth } from '../packages/server/src/features/billing/spend/read-month.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'
import { report } from './figure.ts'
import { median } from './process-figures.ts'
import { withDatabase } from './with-database.ts'

const batch = 1_000
const batches = 60
/** Events of the month that is asked for: `BEY_BENCH_EVENTS`, else 10 million. */
const crowd = Number(process.env['BEY_BENCH_EVENTS'] ?? 10_000_000)
const subjects = 1_000

/** Usage events per second, written and added up; and how long a month takes by each of five dimensions. */
export async function run(): Promise<void> {
  await withDatabase(async (database) => {
    const { id } = await createGiven(database).organization()
    const names = Array.from({ length: subjects }, (_none, index) => ({
      cluster: { id: index % 5, name: `cluster-${index % 5}` },
      namespace: `namespace-${index % 40}`,
      workload: `Deployment/app-${index}`,
      owner: { id: 1 + (index % 20), name: `Owner ${index % 20}` },
      labels: { team: `team-${index % 12}` },
    }))
    const startedAt = performance.now()
    for (let round = 0; round < batches; round += 1) {
      const events = Array.from({ length: batch }, (_none, index): UsageEvent => ({
        source: 'bench',
        id: `${round}/${index}`,
        meter: 'cpu_requested',
        value: '0.25',
        at: new Date(),
        subject: names[index % subjects] ?? {},
      }))
      await database.withTenant(id, (db) => recordUsage(db, id, events))
    }
    const writtenAt = performance.now()
    await addUpUsage(database)
    const perSecond = (ms: number) => (batch * batches) / (ms / 1000)
    report({
      name: 'usage events written and added up',
      value: perSecond(performance.now() - startedAt),
      unit: '/s',
      goal: 10_000,
      isAtLeast: true,
      detail: `${Math.round(perSecond(writtenAt - startedAt))} /s written, in batches of ${batch}`,
    })
    const nodes = Array.from({ length: 5 }, (_none, index): UsageEvent => ({
      source: 'bench',
      id: `node/${index}`,
      meter: 'node_hours',
      value: '1',
      at: new Date(),
      subject: { cluster: { id: index, name: `cluster-${index}` }, nodeType: '16x64' },
    }))
    await database.withTenant(id, (db) => recordUsage(db, id, nodes))
    await addUpUsage(database)
    await fill(database, id)
    await benchMonth(database, id)
  })
}

/** A month of quarters of an hour of every workload, and of the nodes that carry them. */
async function fill(database: Database, id: number): Promise<void> {
  const { rows: checks } = await database.ownerPool.query<{ drop: string; add: string }>(
    `select 'drop index ' || indexname as drop, indexdef as add from pg_indexes
     where tablename = 'usage_events' and indexname like '%_idx'
     union all
     select 'alter table usage_events drop constraint ' || quote_ident(conname),
       'alter table usage_events add constraint ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid)
     from pg_constraint where conrelid = 'usage_events'::regclass and contype = 'f'`,
  )
  await database.asSystem('fill the ledger', async (db) => {
    // Millions of rows are checked and indexed afterwards, not one by one.
    for (const { drop } of checks) await db.execute(sql.raw(drop))
    const [month] = [shiftMonth(monthOfInstant(Date.now(), 'UTC'), -1)]
    // Four meters of each workload, and three of the nodes of each cluster.
    const perSubject = Math.ceil(crowd / subjects)
    await db.execute(sql`
      insert into usage_events (organization_id, source, event_id, meter, subject_id, value, at)
      select ${id}, 'fill', s.id || '/' || n,
        (array['cpu_requested', 'cpu_used', 'memory_requested', 'memory_used'])[1 + n % 4], s.id, 0.25,
        ${`${month}-01`}::timestamptz + (n * interval '28 days' / ${perSubject})
      from usage_subjects s, generate_series(1, ${perSubject}::int) n
      where s.organization_id = ${id} and s.workload is not null`)
    await db.execute(sql`
      insert into usage_events (organization_id, source, event_id, meter, subject_id, value, at)
      select ${id}, 'fill', s.id || '/' || n, (array['cpu_capacity', 'memory_capacity', 'node_hours'])[1 + n % 3], s.id,
        100, ${`${month}-01`}::timestamptz + (n * interval '28 days' / 8064)
      from usage_subjects s, generate_series(1, 8064) n where s.organization_id = ${id} and s.workload is null`)
    await db.execute(sql`
      insert into usage_hours (organization_id, hour, meter, subject_id, value, event_count)
      select organization_id, date_trunc('hour', at, 'UTC'), meter, subject_id, sum(value), count(*) from usage_events
      where organization_id = ${id} and source = 'fill' group by 1, 2, 3, 4`)
    await db.execute(sql`
      insert into usage_days (organization_id, day, meter, subject_id, value, event_count)
      select organization_id, hour::date, meter, subject_id, sum(value), sum(event_count) from usage_hours
      where organization_id = ${id} and hour < ${`${shiftMonth(month, 1)}-01`}::timestamptz group by 1, 2, 3, 4`)
    await db.execute(sql`
      insert into usage_cost_days (organization_id, day, event_count)
      select organization_id, day, sum(event_count) from usage_days where organization_id = ${id} group by 1, 2
      on conflict do nothing`)
  })
  for (const { add } of checks) await database.ownerPool.query(add)
  await makeCosts(database)
  for (const table of [
    'usage_costs',
    'usage_cost_days',
    'usage_events',
    'usage_hours',
    'usage_days',
    'usage_subjects',
    'usage_pending',
  ]) {
    await database.ownerPool.query(`vacuum analyze ${table}`)
  }
}

async function benchMonth(database: Database, id: number): Promise<void> {
  const name = shiftMonth(monthOfInstant(Date.now(), 'UTC'), -1)
  for (const by of ['service', 'cluster', 'namespace', 'owner', 'label:team']) {
    const times: number[] = []
    for (let round = 0; round < 7; round += 1) {
      times.push(
        await database.readTenant(id, async (db) => {
          const month = await openMonth(db, id, name, await readBooks(db, id))
          const startedAt = performance.now()
          await month.sums(by, {}, 50)
          return performance.now() - startedAt
        }),
      )
    }
    report({
      name: `a month by ${by}, of ${crowd.toLocaleString('en-US')} events`,
      value: median(times),
      unit: 'ms',
      goal: 100,
    })
  }
  const startedAt = performance.now()
  await proveBooks(database, id, new Date())
  report({ name: 'the daily proof of these events', value: performance.now() - startedAt, unit: 'ms' })
}
