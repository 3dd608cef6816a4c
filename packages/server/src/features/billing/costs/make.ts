import { sql } from 'drizzle-orm'

import type { Database, Db } from '../../../platform/db/database.ts'
import { lockUntilCommit } from '../../../platform/db/locks.ts'
import { readBooks } from '../../../platform/usage/books.ts'
import { pricedLines, pricingRules, tieredMeters } from '../spend/lines.ts'
import { openMonth } from '../spend/read-month.ts'

/** Days of a round; what is left is made by the next one. */
const maxDays = 400

type Outdated = { organizationId: number; month: string; days: string[] }

/**
 * Makes the priced lines of days whose sums or rule of shared cost have changed, so that reading a month only adds them
 * up. Until a day is made, readers price its sums themselves, so nothing depends on it but speed. Answers how many days
 * were made.
 */
export async function makeCosts(database: Pick<Database, 'asSystem'>): Promise<number> {
  const outdated = await database.asSystem('find days of the ledger without priced lines', findOutdated)
  let made = 0
  for (const each of outdated) {
    made += await database.asSystem('make the priced lines of the ledger', (db) => makeLines(db, each))
  }
  return made
}

async function findOutdated(db: Db): Promise<Outdated[]> {
  const { rows } = await db.execute<Outdated>(sql`
    select organization_id as "organizationId", to_char(day, 'YYYY-MM') as month, array_agg(day::text order by day) as days
    from (
      select c.organization_id, c.day from usage_cost_days c left join usage_settings s using (organization_id)
      where c.rules is distinct from ${pricingRules} or c.shared_cost is distinct from coalesce(s.shared_cost, 'requests')
      order by c.day desc limit ${maxDays}
    ) d group by 1, 2 order by 2 desc, 1`)
  return rows
}

/** Under the lock of the sums: nothing is added to a day between reading its sums and keeping its lines. */
async function makeLines(db: Db, { organizationId, month: name, days }: Outdated): Promise<number> {
  await lockUntilCommit(db, 'usageSums')
  const books = await readBooks(db, organizationId)
  const month = await openMonth(db, organizationId, name, books)
  const of = { ...month, source: 'sums', onlyDays: days } as const
  await db.execute(sql`
    delete from usage_costs where organization_id = ${organizationId} and day = any(${sql.param(days)}::date[])`)
  await db.execute(sql`
    with ${pricedLines(of, month.rates, books.sharedCost)}, parted as (
      select case when meter <> 'node_hours' or cluster_id is null then 'other' else 'nodes' end as part, priced.* from priced
      union all select 'split', parts.* from parts where amount <> 0 or value <> 0
    )
    insert into usage_costs (organization_id, day, position, part, meter, cluster_id, subject_id, price_version, value, amount)
    select ${organizationId}, p.day, row_number() over (partition by p.day), p.part, p.meter, p.cluster_id, p.subject_id,
      v.version, p.value, p.amount
    from parted p left join spans v on v.n = p.span
    where p.meter <> all(${sql.param(tieredMeters(month.spans))}::text[])`)
  const { rows } = await db.execute(sql`
    update usage_cost_days set shared_cost = ${books.sharedCost}, rules = ${pricingRules}
    where organization_id = ${organizationId} and day = any(${sql.param(days)}::date[]) returning day`)
  return rows.length
}
