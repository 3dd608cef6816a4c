import type { HandlerOutput, MeterPrice, ParsedInput } from '@bey/contract'
import { type pricedMeters, usageMeters } from '@bey/contract/billing/usage-meters'
import { sql } from 'drizzle-orm'

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { readBooks } from '../../../platform/usage/books.ts'
import { type Month, monthName, monthOf, monthOfInstant } from '../../../platform/usage/months.ts'
import { approximately, type Decimal, decimalOf, decimalText, sumOf } from '../../../platform/decimal.ts'
import { byDay, amountOf } from '../spend/day-sums.ts'
import { forecastOf } from '../spend/forecast.ts'
import { type LinesOf, pricedLines, readRates } from '../spend/lines.ts'
import { priceSpans } from '../spend/spans.ts'
import { readSums, type SumRow } from '../spend/sums.ts'
import { listVersions } from './store.ts'
import { examplePrices } from './example.ts'

type Draft = ParsedInput<'prices.preview'>['body']
type Meter = (typeof pricedMeters)[number]
type MeterRow = {
  meter: Meter
  provider: string | null
  region: string | null
  nodeType: string | null
  value: string
  amount: string
}

const maxVersions = 10

/** What the current month costs under a draft, as if it had held from its beginning, and under each version. */
export async function previewPrices(
  db: Db,
  clock: Clock,
  organizationId: number,
  draft: Draft,
): Promise<HandlerOutput<'prices.preview'>> {
  const nowMs = clock.now().getTime()
  const { timeZone, sharedCost } = await readBooks(db, organizationId)
  const month = monthOf(monthOfInstant(nowMs, timeZone), timeZone)
  const base = { organizationId, month, timeZone }
  const actual: LinesOf = { ...base, spans: await priceSpans(db, organizationId, month) }
  const under = (prices: readonly MeterPrice[], currency: string): LinesOf => ({
    ...base,
    spans: [{ version: 0, currency, prices, fromMs: month.fromMs }],
  })
  const drafted = under(draft.prices, draft.currency)
  const currency = actual.spans[0]?.currency ?? draft.currency
  const isComparable = currency === draft.currency

  const now = await byMeter(db, actual)
  const then = new Map((await byMeter(db, drafted)).map((row) => [keyOf(row), row]))
  const totals = (of: LinesOf) => readTotals(db, of, sharedCost)
  const current = estimateOf(month, await totals(actual), nowMs)
  const ofDraft = estimateOf(month, await totals(drafted), nowMs)
  const felt = isComparable ? await readFelt(db, actual, drafted, sharedCost) : new Map<string, Felt[]>()
  const versions = await listVersions(db, organizationId)
  const listed = [
    ...versions.map(({ version, currency: own, prices, holdsFrom }) => ({
      version,
      currency: own,
      prices,
      holdsFrom: holdsFrom.toISOString(),
    })),
    { version: 0, ...examplePrices, holdsFrom: null },
  ].slice(0, maxVersions)
  const amounts = []
  for (const { prices, ...version } of listed) {
    const { amount } = estimateOf(month, await totals(under(prices, version.currency)), nowMs)
    amounts.push({ ...version, isExample: version.version === 0, amount: decimalText(amount) })
  }
  return {
    currency: draft.currency,
    month: month.month,
    text: textOf(month, current.amount, ofDraft.amount, draft.currency, isComparable),
    isForecast: current.isForecast,
    meters: now.map((row) => {
      const amount = then.get(keyOf(row))?.amount ?? '0'
      return {
        meter: row.meter,
        provider: row.provider,
        region: row.region,
        nodeType: row.nodeType,
        quantity: decimalText(decimalOf(row.value), 9),
        unit: usageMeters[row.meter].unit,
        current: decimalText(decimalOf(row.amount)),
        draft: decimalText(decimalOf(amount)),
        change: isComparable ? decimalText(decimalOf(amount) - decimalOf(row.amount)) : null,
        felt: amount === row.amount ? [] : (felt.get(row.meter) ?? []),
      }
    }),
    versions: [
      {
        version: null,
        currency: draft.currency,
        isExample: false,
        holdsFrom: null,
        amount: decimalText(ofDraft.amount),
      },
      ...amounts,
    ],
  }
}

const keyOf = ({ meter, provider, region, nodeType }: MeterRow) =>
  JSON.stringify([meter, provider, region, nodeType])

async function byMeter(db: Db, of: LinesOf): Promise<MeterRow[]> {
  const rates = await readRates(db, of)
  const { rows } = await db.execute<MeterRow>(sql`
    with ${pricedLines(of, rates, undefined)}
    select l.meter, s.provider, s.region, s.node_type as "nodeType", sum(l.value)::text as value, sum(l.amount)::text as amount
    from lines l join usage_subjects s on s.organization_id = ${of.organizationId} and s.id = l.subject_id
    group by 1, 2, 3, 4 order by sum(l.amount) desc limit 1000`)
  return rows
}

type Rule = Parameters<typeof pricedLines>[2] & string

async function readTotals(db: Db, of: LinesOf, rule: Rule): Promise<SumRow[]> {
  const rates = await readRates(db, of)
  return (await readSums(db, { ...of, by: 'meter', filters: {}, rule, limit: 200 }, rates)).rows
}

/** The forecast of a month, or what it has cost where it cannot be forecast yet. */
function estimateOf(
  month: Month,
  rows: readonly SumRow[],
  nowMs: number,
): { amount: Decimal; isForecast: boolean } {
  const days = month.days.filter(({ fromMs }) => fromMs <= nowMs).map(({ date }) => date)
  const amounts = byDay(rows, days)
  const forecast = forecastOf(month, amounts, nowMs)
  return forecast.state === 'ready'
    ? { amount: decimalOf(forecast.amount), isForecast: true }
    : { amount: sumOf(amounts), isForecast: false }
}

type Felt = { name: string; change: string }

/** Whom a draft costs more or less, by meter: namespaces for nodes, resources otherwise. */
async function readFelt(db: Db, actual: LinesOf, drafted: LinesOf, rule: Rule): Promise<Map<string, Felt[]>> {
  const read = async (of: LinesOf, by: string) =>
    (await readSums(db, { ...of, by, filters: {}, rule, limit: 200 }, await readRates(db, of))).rows
  const felt = new Map<string, Map<string, Decimal>>()
  for (const by of ['namespace', 'resource']) {
    const add = (rows: readonly SumRow[], sign: bigint) => {
      for (const row of rows) {
        if (row.isRest || row.key === null || (row.meter === 'node_hours') !== (by === 'namespace')) continue
        const ofMeter = felt.get(row.meter) ?? new Map<string, Decimal>()
        felt.set(row.meter, ofMeter.set(row.key, (ofMeter.get(row.key) ?? 0n) + sign * amountOf([row])))
      }
    }
    add(await read(drafted, by), 1n)
    add(await read(actual, by), -1n)
  }
  const ids = [...felt].flatMap(([meter, all]) => (meter === 'node_hours' ? [] : [...all.keys()]))
  const names = await resourceNames(db, actual.organizationId, ids)
  return new Map(
    [...felt].map(([meter, all]) => [
      meter,
      [...all]
        .filter(([, change]) => change !== 0n)
        .toSorted(([, a], [, b]) => Math.abs(approximately(b)) - Math.abs(approximately(a)))
        .slice(0, 5)
        .map(([key, change]) => ({
          name: key === 'idle' ? 'Idle nodes' : (names.get(key) ?? key),
          change: decimalText(change),
        })),
    ]),
  )
}

async function resourceNames(
  db: Db,
  organizationId: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await db.execute<{ id: string; name: string }>(sql`
    select distinct on (resource_id) resource_id as id, resource_name as name from usage_subjects s
    where organization_id = ${organizationId} and resource_id = any(${sql.param(ids)}::text[])
    order by resource_id, s.id desc`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function textOf(
  month: Month,
  current: Decimal,
  draft: Decimal,
  currency: string,
  isComparable: boolean,
): string {
  const name = monthName(month.month)
  if (!isComparable) return `With these prices ${name} would cost about ${decimalText(draft, 2)} ${currency}.`
  const change = draft - current
  if (change === 0n) return `With these prices ${name} would cost the same.`
  const size = decimalText(change < 0n ? -change : change, 2)
  return `With these prices ${name} would cost about ${size} ${currency} ${change < 0n ? 'less' : 'more'}.`
}
