import type { UsageMeter } from '@bey/contract/billing/usage-meters'
import { sql } from 'drizzle-orm'

import type { Database, Db } from '../../../platform/db/database.ts'
import { readBooks } from '../../../platform/usage/books.ts'
import { monthName, monthOfInstant, shiftMonth } from '../../../platform/usage/months.ts'
import { compareSums, type Difference } from '../ledger/store.ts'
import { type LineSource, pricedLines } from '../spend/lines.ts'
import { type MonthOfBooks, openMonth } from '../spend/read-month.ts'

export type Proof = {
  isEqual: boolean
  text: string
  eventCount: number
  differences: Difference[]
}

/**
 * Compares a month day by day: its events with their sums by hour and by day, and the lines that pages add up with those
 * that follow from the ledger itself. Days are compared alone, so that no statement takes long.
 */
export async function proveMonth(db: Db, organizationId: number, name: string): Promise<Proof> {
  const books = await readBooks(db, organizationId)
  const month = await openMonth(db, organizationId, name, books)
  const differences = new Map<UsageMeter, Difference>()
  const wrongDays: string[] = []
  let eventCount = 0
  for (const [index, { date, fromMs }] of month.month.days.entries()) {
    const toMs = month.month.days[index + 1]?.fromMs ?? month.month.toMs
    const found = await compareSums(db, organizationId, {
      fromMs,
      toMs,
      days: [date],
      timeZone: books.timeZone,
    })
    eventCount += found.eventCount
    // Of a meter that differs on several days, the first day is shown.
    for (const each of found.differences) if (!differences.has(each.meter)) differences.set(each.meter, each)
    for (const rule of [undefined, books.sharedCost]) {
      const of = { ...month, onlyDays: [date] }
      const [made, ledger] = [await linesText(db, of, 'made', rule), await linesText(db, of, 'ledger', rule)]
      if (made !== ledger && !wrongDays.includes(date)) wrongDays.push(date)
    }
  }
  return {
    isEqual: differences.size === 0 && wrongDays.length === 0,
    text: proofText(name, { eventCount, meterCount: differences.size, wrongDays }),
    eventCount,
    differences: [...differences.values()],
  }
}

/** A digest of the priced lines of chosen days, exact to the last digit. */
async function linesText(
  db: Db,
  of: MonthOfBooks & { onlyDays: readonly string[] },
  source: LineSource,
  rule: Parameters<typeof pricedLines>[2],
): Promise<string> {
  const { rows } = await db.execute<{ digest: string }>(sql`
    with ${pricedLines({ ...of, source }, of.rates, rule)}
    select count(*) || ' ' || coalesce(md5(string_agg(line, ',' order by line)), '') as digest
    from (select concat_ws('/', l.day, l.meter, coalesce(l.cluster_id::text, '-'), coalesce(l.subject_id::text, '-'),
      coalesce(l.span::text, '-'), trim_scale(l.value), trim_scale(l.amount)) as line from lines l) l`)
  return rows[0]?.digest ?? ''
}

function proofText(
  month: string,
  of: { eventCount: number; meterCount: number; wrongDays: readonly string[] },
): string {
  const { eventCount, meterCount, wrongDays } = of
  const wrong = [
    ...(meterCount === 0 ? [] : [`The sums of ${meterCount} meters differ from their events.`]),
    ...(wrongDays.length === 0
      ? []
      : [`The priced lines of ${wrongDays.join(', ')} differ from the ledger.`]),
  ]
  return wrong.length === 0
    ? `The sums of ${monthName(month)} equal its ${eventCount.toLocaleString('en-US')} events.`
    : `${wrong.join(' ')} Statements of ${monthName(month)} should wait until this is mended.`
}

/** Proves this month and the one before, and keeps the result. Everything is read at one moment. */
export async function proveBooks(
  database: Pick<Database, 'asSystem'>,
  organizationId: number,
  now: Date,
): Promise<Proof[]> {
  return database.asSystem('prove the ledger of an organization', async (db) => {
    await db.execute(sql`set transaction isolation level repeatable read`)
    const { timeZone } = await readBooks(db, organizationId)
    const current = monthOfInstant(now.getTime(), timeZone)
    const proofs: Proof[] = []
    for (const month of [current, shiftMonth(current, -1)]) {
      const proof = await proveMonth(db, organizationId, month)
      proofs.push(proof)
      await db.execute(sql`
        insert into usage_proofs (organization_id, month, proved_at, event_count, is_equal, text)
        values (${organizationId}, ${month}, ${now.toISOString()}::timestamptz, ${proof.eventCount}, ${proof.isEqual}, ${proof.text})
        on conflict (organization_id, month) do update set proved_at = excluded.proved_at,
          event_count = excluded.event_count, is_equal = excluded.is_equal, text = excluded.text`)
    }
    return proofs
  })
}

/** The newest proof of a month; null where there is none yet. */
export async function readProof(
  db: Db,
  organizationId: number,
  month: string,
): Promise<{ provedAt: string; isEqual: boolean; text: string } | null> {
  const { rows } = await db.execute<{ provedAt: Date | string; isEqual: boolean; text: string }>(sql`
    select proved_at as "provedAt", is_equal as "isEqual", text from usage_proofs
    where organization_id = ${organizationId} and month = ${month}`)
  const [row] = rows
  return row ? { ...row, provedAt: new Date(row.provedAt).toISOString() } : null
}
