import type { HandlerOutput, ParsedInput, Spend } from '@bey/contract'
import { billingBounds, sharedCostTexts } from '@bey/contract/billing/usage-meters'

import type { Member } from '../../../platform/act.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { readBooks } from '../../../platform/usage/books.ts'
import { dayOf, hoursOfDays, monthName, monthOfInstant, shiftMonth } from '../../../platform/usage/months.ts'
import {
  approximately,
  type Decimal,
  decimalOf,
  decimalText,
  estimated,
  sumOf,
} from '../../../platform/decimal.ts'
import { eventFacts, listGaps } from '../ledger/store.ts'
import { readProof } from '../costs/prove.ts'
import { withActs } from './acts.ts'
import { anomaliesOf, anomalyText } from './anomalies.ts'
import { amountOf, begunDays, byDay } from './day-sums.ts'
import { needsWorkloads } from './dimensions.ts'
import { forecastOfBooks } from './forecast.ts'
import { type MonthOfBooks, openMonth } from './read-month.ts'
import { columnsOf, presentRows } from './rows.ts'
import { scopeOf } from './scope.ts'
import { readClusterNames, readNames, type SumRow } from './sums.ts'
import { type ComparedDay, movesOf, presentWhy } from './why.ts'

type Query = ParsedInput<'billing.spend'>['query']

/** Estimated spend of a month; see the contract. Everything in it is of one moment and adds up. */
export async function readSpend(
  db: Db,
  clock: Clock,
  caller: Pick<Member, 'organizationId' | 'role' | 'user'>,
  { month: asked, by, limit, ...filters }: Query,
): Promise<HandlerOutput<'billing.spend'>> {
  const { organizationId } = caller
  const now = clock.now()
  const nowMs = now.getTime()
  const books = await readBooks(db, organizationId)
  const name = asked ?? monthOfInstant(nowMs, books.timeZone)
  const scope = scopeOf(caller, filters)
  const current = await openMonth(db, organizationId, name, books)
  const before = await openMonth(db, organizationId, shiftMonth(name, -1), books)

  const main = await current.sums(by, scope.filters, limit)
  const keys = [...new Set(main.rows.filter(({ isRest }) => !isRest).map(({ key }) => key))]
  const mainBefore = await before.sums(by, scope.filters, limit, keys)
  const causeDimension = needsWorkloads(by, scope.filters) ? 'workload-cause' : 'cause'
  const causes = await current.sums(causeDimension, scope.filters, billingBounds.maxRows)
  const causesBefore = await before.sums(causeDimension, scope.filters, billingBounds.maxRows)
  const names = await readNames(db, organizationId, subjectIds(main.rows, causes.rows, causesBefore.rows))
  const clusterNames = await readClusterNames(db, organizationId)
  const { month } = current
  const days = begunDays(month, main.rows, nowMs)
  const daysOfBefore = before.month.days.map(({ date }) => date)
  const amounts = byDay(main.rows, days)
  const amountsBefore = byDay(mainBefore.rows, daysOfBefore)
  const total = sumOf(amounts)
  const facts = await eventFacts(db, organizationId, days, month.fromMs, month.toMs)
  const gaps = await listGaps(db, organizationId, month.fromMs, month.toMs)

  const untilNow = share(nowMs, current)
  const forecast = await forecastOfBooks(current, scope.filters, amounts, nowMs)
  const basis =
    forecast.state === 'ready' ? 'forecast' : forecast.state === 'over' ? 'whole_month' : 'until_now'
  const { moves, ...why } = movesOf({
    current: causes.rows,
    before: causesBefore.rows,
    days: comparedDays(current, nowMs, basis === 'whole_month' ? Infinity : days.length),
    daysBefore: comparedDays(before, nowMs, basis === 'until_now' ? untilNow : Infinity),
    forecast: forecast.state === 'ready' ? decimalOf(forecast.amount) : null,
    names,
    clusterNames,
  })
  // Who reads all spend may read the audit trail; others see what moved, not who did it.
  const acts = (all: typeof moves, fromMs: number, toMs: number) =>
    withActs(db, organizationId, scope.scope === 'all' ? all : [], new Date(fromMs), new Date(toMs)).then(
      (found) => (scope.scope === 'all' ? found : all.map((move) => withoutAct(move))),
    )
  const anomalies = anomaliesOf(
    [...causesBefore.rows, ...causes.rows],
    [...comparedDays(before, nowMs, Infinity), ...comparedDays(current, nowMs, Infinity)].filter(
      ({ isComplete }) => isComplete,
    ),
    new Set(days),
    { names, clusterNames },
  )
  const presented: Spend['anomalies'] = []
  for (const anomaly of anomalies) {
    const index = month.days.findIndex(({ date }) => date === anomaly.date)
    const fromMs = month.days[index]?.fromMs ?? month.fromMs
    presented.push({
      date: anomaly.date,
      amount: decimalText(anomaly.amount),
      usual: decimalText(anomaly.usual),
      percent: anomaly.percent,
      text: anomalyText(
        anomaly,
        (date) => monthName(date.slice(0, 7)),
        unmeteredText(gaps, fromMs, month.days[index + 1]?.fromMs ?? month.toMs),
      ),
      causes: await acts(anomaly.moves, fromMs - dayMs, month.days[index + 1]?.fromMs ?? month.toMs),
    })
  }
  const clusters = columnsOf(main.rows, clusterNames)
  const rest = main.rows.filter(({ isRest }) => isRest)
  return {
    asOf: now.toISOString(),
    timeZone: books.timeZone,
    currency: current.currency,
    month: {
      month: name,
      from: new Date(month.fromMs).toISOString(),
      to: new Date(month.toMs).toISOString(),
      isCurrent: month.fromMs <= nowMs && nowMs < month.toMs,
    },
    by,
    scope: scope.scope,
    scopeText: scope.scopeText,
    total: decimalText(total),
    lastMonth: {
      month: before.month.month,
      total: decimalText(sumOf(amountsBefore)),
      totalUntilNow: decimalText(partOf(amountsBefore, untilNow)),
    },
    days: days.map((date, index) => ({ date, amount: decimalText(amounts[index] ?? 0n) })),
    lastMonthDays: daysOfBefore.map((date, index) => ({
      date,
      amount: decimalText(amountsBefore[index] ?? 0n),
    })),
    clusters,
    rows: presentRows({
      by,
      rows: main.rows.filter(({ isRest }) => !isRest),
      before: mainBefore.rows.filter(({ isRest }) => !isRest),
      names,
      clusterNames,
      clusters: clusters.map(({ key }) => Number(key)),
      days,
      total,
    }),
    rest:
      main.restCount === 0
        ? null
        : {
            count: main.restCount,
            amount: decimalText(amountOf(rest)),
            byDay: byDay(rest, days).map((each) => decimalText(each)),
          },
    forecast,
    why: presentWhy(why, await acts(moves, before.month.fromMs, month.toMs), {
      basis,
      note: meteredFromText(before),
    }),
    anomalies: presented,
    gaps: (scope.scope === 'all' ? gaps : []).map((gap) => presentGap(gap, books.timeZone)),
    prices: {
      versions: [...new Set(current.spans.map(({ version }) => version))],
      isExample: current.spans.some(({ version }) => version === 0),
    },
    sharedCost: { rule: books.sharedCost, text: sharedCostTexts[books.sharedCost] },
    eventCount: facts.count,
    proof: scope.scope === 'all' ? await readProof(db, organizationId, name) : null,
    lastEventAt: facts.lastAtMs === null ? null : new Date(facts.lastAtMs).toISOString(),
    isSeeded: facts.isSeeded,
  }
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const withoutAct = ({
  key,
  name,
  text,
  amount,
}: {
  key: string
  name: string
  text: string | null
  amount: Decimal
}) => ({
  key,
  name,
  text,
  amount: decimalText(amount),
  act: null,
})

const subjectIds = (...all: (readonly SumRow[])[]) => [
  ...new Set(all.flat().flatMap(({ subjectId }) => (subjectId === null ? [] : [subjectId]))),
]

/** The first days of a month as they are compared, `count` of them: 22.5 are 22 days and half of the next one. */
function comparedDays({ month, meteredFromMs }: MonthOfBooks, nowMs: number, count: number): ComparedDay[] {
  const hours = hoursOfDays(month)
  return month.days.slice(0, Math.ceil(count)).map(({ date, fromMs }, index) => ({
    date,
    hours: hours.get(date) ?? 24,
    share: Math.min(1, count - index),
    isComplete:
      index + 1 <= count &&
      (month.days[index + 1]?.fromMs ?? month.toMs) <= nowMs &&
      meteredFromMs !== null &&
      fromMs >= meteredFromMs,
  }))
}

/** `October is metered from the 20th on.`: such a month is no whole one to compare with. */
function meteredFromText({ month, meteredFromMs, timeZone }: MonthOfBooks): string | null {
  const name = monthName(month.month)
  if (meteredFromMs === null || meteredFromMs >= month.toMs) return `${name} is not metered.`
  if (meteredFromMs < (month.days[1]?.fromMs ?? month.fromMs)) return null
  return `${name} is metered from ${Number(dayOf(meteredFromMs, timeZone).slice(8))} ${name} on.`
}

/** `14 hours of prod-us are not metered`; null where less than an hour of a day is. */
function unmeteredText(
  gaps: readonly { name: string; fromMs: number; toMs: number }[],
  fromMs: number,
  toMs: number,
): string | null {
  const parts = [...Map.groupBy(gaps, ({ name }) => name)].flatMap(([name, all]) => {
    const ms = all.reduce((sum, gap) => {
      return sum + Math.max(0, Math.min(toMs, gap.toMs) - Math.max(fromMs, gap.fromMs))
    }, 0)
    const hours = Math.round(ms / hourMs)
    return hours === 0 ? [] : [`${hours} ${hours === 1 ? 'hour' : 'hours'} of ${name}`]
  })
  return parts.length === 0 ? null : `${parts.join(' and ')} are not metered`
}

/** How much of a month is over, in days: 22.5 at noon of the 23rd. */
function share(nowMs: number, { month }: MonthOfBooks): number {
  if (nowMs >= month.toMs) return 31
  const today = month.days.findLastIndex(({ fromMs }) => fromMs <= nowMs)
  const from = month.days[today]?.fromMs
  if (from === undefined) return 0
  return today + (nowMs - from) / ((month.days[today + 1]?.fromMs ?? month.toMs) - from)
}

/** The first days of a month; of the last one a part, as if a day cost the same in each hour. */
function partOf(amounts: readonly Decimal[], days: number): Decimal {
  const whole = Math.floor(days)
  const part = approximately(amounts[whole] ?? 0n) * (days - whole)
  return sumOf(amounts.slice(0, whole)) + estimated(part)
}

function presentGap(
  gap: { name: string; fromMs: number; toMs: number },
  timeZone: string,
): Spend['gaps'][number] {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  })
  return {
    name: gap.name,
    from: new Date(gap.fromMs).toISOString(),
    to: new Date(gap.toMs).toISOString(),
    text: `No samples of ${gap.name} from ${time.format(gap.fromMs)} to ${time.format(gap.toMs)}: this time is not metered.`,
  }
}
