import { sql } from 'drizzle-orm'

import { act, type Member, serverItself } from '../../../platform/act.ts'
import type { Db } from '../../../platform/db/database.ts'
import { lockUntilCommit } from '../../../platform/db/locks.ts'
import { type Books, readBooks } from '../../../platform/usage/books.ts'
import { monthName, monthOf, monthOfInstant, shiftMonth } from '../../../platform/usage/months.ts'
import { statementLines, statements } from '../../../tables/statements.ts'
import { decimalOf, decimalText } from '../../../platform/decimal.ts'
import { pricedMeters } from '@bey/contract/billing/usage-meters'
import { pricedLines } from '../spend/lines.ts'
import { type MonthOfBooks, openMonth } from '../spend/read-month.ts'

/** Earlier months that a statement corrects; what changes in older ones stays out. */
const correctedMonths = 24
/** Rows of one insert. */
const batch = 2_000

/** When a month is frozen: on the 1st at 02:00 UTC, or at its end where the time zone lies so far west that it ends later. */
export function freezeMs(month: string, timeZone: string): number {
  const first = Date.parse(`${shiftMonth(month, 1)}-01T02:00:00Z`)
  return Math.max(first, monthOf(month, timeZone).toMs)
}

type Line = {
  month: string
  day: string
  meter: string
  subjectId: string
  priceVersion: number
  currency: string
  quantity: string
  amount: string
}

/**
 * Freezes every month that is due, the oldest first, in the caller's transaction; answers the numbers of the new
 * statements. The lock makes two processes freeze a month once, and the numbers have no gaps.
 */
export async function freezeMonths(
  db: Db,
  organizationId: number,
  now: Date,
  /** The member who closes the month by hand; undefined where the server closes it on its schedule. */
  closer?: Member,
): Promise<number[]> {
  await lockUntilCommit(db, 'statementNumber', organizationId)
  const books = await readBooks(db, organizationId)
  const { rows } = await db.execute<{ number: number; month: string }>(sql`
    select number, month from statements where organization_id = ${organizationId} order by number`)
  const last = rows.at(-1)
  let month = last ? shiftMonth(last.month, 1) : await firstMonth(db, organizationId, books)
  let number = (last?.number ?? 0) + 1
  const frozen = rows.map((row) => row.month)
  const made: number[] = []
  while (month !== undefined && freezeMs(month, books.timeZone) <= now.getTime()) {
    await freezeMonth(db, organizationId, { books, month, number, frozen, now, closer })
    made.push(number)
    frozen.push(month)
    number += 1
    month = shiftMonth(month, 1)
  }
  return made
}

/** Months that could be frozen now and are not, the oldest first. */
export async function dueMonths(db: Db, organizationId: number, books: Books, now: Date): Promise<string[]> {
  const { rows } = await db.execute<{ month: string | null }>(sql`
    select max(month) as month from statements where organization_id = ${organizationId}`)
  const last = rows[0]?.month
  let month = last ? shiftMonth(last, 1) : await firstMonth(db, organizationId, books)
  const due: string[] = []
  while (month !== undefined && due.length < 120 && freezeMs(month, books.timeZone) <= now.getTime()) {
    due.push(month)
    month = shiftMonth(month, 1)
  }
  return due
}

/** The month of the first usage. */
async function firstMonth(db: Db, organizationId: number, { timeZone }: Books): Promise<string | undefined> {
  const { rows } = await db.execute<{ at: Date | string | null }>(sql`
    select min(at) as at from usage_events where organization_id = ${organizationId}`)
  const at = rows[0]?.at
  return at === null || at === undefined ? undefined : monthOfInstant(new Date(at).getTime(), timeZone)
}

type Freeze = {
  books: Books
  month: string
  number: number
  frozen: readonly string[]
  now: Date
  closer: Member | undefined
}

async function freezeMonth(
  db: Db,
  organizationId: number,
  { books, month, number, frozen, now, closer }: Freeze,
): Promise<void> {
  const opened = await openMonth(db, organizationId, month, books)
  const lines = await linesOf(db, opened)
  for (const earlier of frozen.slice(-correctedMonths))
    lines.push(...(await correctionsOf(db, organizationId, earlier, books)))
  const { rows } = await db.execute<{ isSeeded: boolean }>(sql`
    select exists (select 1 from usage_events where organization_id = ${organizationId} and is_seeded
      and at >= ${new Date(opened.month.fromMs).toISOString()}::timestamptz
      and at < ${new Date(opened.month.toMs).toISOString()}::timestamptz) as "isSeeded"`)
  await db.insert(statements).values({
    organizationId,
    number,
    month,
    fromAt: new Date(opened.month.fromMs),
    toAt: new Date(opened.month.toMs),
    timeZone: books.timeZone,
    currency: opened.currency,
    priceVersions: [...new Set(opened.spans.map(({ version }) => version))],
    isSeeded: rows[0]?.isSeeded ?? false,
    frozenAt: now,
  })
  for (let from = 0; from < lines.length; from += batch) {
    await db.insert(statementLines).values(
      lines.slice(from, from + batch).map((line, index) => ({
        ...line,
        // Names of meters come from the ledger.
        meter: line.meter as 'runs',
        subjectId: Number(line.subjectId),
        organizationId,
        number,
        position: from + index + 1,
      })),
    )
  }
  await act(db, closer ?? serverItself(organizationId), {
    action: 'statement.freeze',
    class: 'create',
    target: { type: 'statement', name: `Statement ${number}, ${monthName(month)} ${month.slice(0, 4)}` },
    diff: { lines: lines.length },
  })
}

/** The priced lines of a month as the ledger itself holds them now, never the lines that are kept for reading, without what costs nothing and has no quantity. */
export async function linesOf(db: Db, of: MonthOfBooks): Promise<Line[]> {
  const { rows } = await db.execute<Omit<Line, 'month' | 'priceVersion' | 'currency'> & { span: number }>(sql`
    with ${pricedLines({ ...of, source: 'ledger' }, of.rates, undefined)}
    select l.day::text, l.meter, l.subject_id::text as "subjectId", l.span, sum(l.value)::text as quantity, sum(l.amount)::text as amount
    from lines l where l.meter = any(${sql.param(pricedMeters)}::text[]) group by 1, 2, 3, 4
    having sum(l.value) <> 0 or sum(l.amount) <> 0 order by 1, 2, 3, 4`)
  return rows.map(({ span, ...line }) => ({
    ...line,
    month: of.month.month,
    priceVersion: of.spans[span]?.version ?? 0,
    currency: of.spans[span]?.currency ?? of.currency,
  }))
}

/** What the ledger holds of a frozen month beyond the lines of its statement and of the corrections before. */
async function correctionsOf(db: Db, organizationId: number, month: string, books: Books): Promise<Line[]> {
  const [lines, { rows: billed }] = [
    await linesOf(db, await openMonth(db, organizationId, month, books)),
    await db.execute<Omit<Line, 'month'>>(sql`
      select day::text, meter, subject_id::text as "subjectId", price_version as "priceVersion", currency,
        sum(quantity)::text as quantity, sum(amount)::text as amount
      from statement_lines where organization_id = ${organizationId} and month = ${month} group by 1, 2, 3, 4, 5`),
  ]
  const sums = new Map<string, { line: Line; quantity: bigint; amount: bigint }>()
  const add = (line: Line, sign: bigint) => {
    const key = [line.day, line.meter, line.subjectId, line.priceVersion, line.currency].join('\n')
    const known = sums.get(key) ?? { line, quantity: 0n, amount: 0n }
    known.quantity += sign * decimalOf(line.quantity)
    known.amount += sign * decimalOf(line.amount)
    sums.set(key, known)
  }
  for (const line of lines) add(line, 1n)
  for (const line of billed) add({ ...line, month }, -1n)
  return [...sums.values()]
    .filter(({ quantity, amount }) => quantity !== 0n || amount !== 0n)
    .map(({ line, quantity, amount }) => ({
      ...line,
      quantity: decimalText(quantity, 12),
      amount: decimalText(amount, 6),
    }))
}
