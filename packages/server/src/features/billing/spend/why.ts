import type { Spend, SpendCause } from '@bey/contract'
import { type UsageMeter, usageMeters, usageServiceTitles } from '@bey/contract/billing/usage-meters'

import {
  approximately,
  type Decimal,
  decimalOf,
  decimalText,
  estimated,
  sumOf,
} from '../../../platform/decimal.ts'
import { amountOf, valueOf } from './day-sums.ts'
import type { SubjectNames, SumRow } from './sums.ts'

const maxCauses = 8

/** How one thing moved between two times. */
export type Move = {
  key: string
  name: string
  text: string | null
  amount: Decimal
  subject: Subject | null
  /** The day on which its use changed most, `2026-11-12`: acts of other days are no reason. Null: of any day. */
  changedOn: string | null
}
/** What acts of the audit trail are looked for. */
type Subject = { type: 'cluster' | 'database' | 'workflow' | 'secret'; id: string }

type Names = { names: ReadonlyMap<string, SubjectNames>; clusterNames: ReadonlyMap<number, string> }

/** What a key is called and which thing it is. */
export function causeOf(key: string | null, rows: readonly SumRow[], { names, clusterNames }: Names) {
  const meter = (rows[0]?.meter ?? 'runs') as UsageMeter
  const newest = names.get(rows.map(({ subjectId }) => subjectId).findLast((id) => id !== null) ?? '')
  if (key?.startsWith('cluster:')) {
    const id = Number(key.slice('cluster:'.length))
    const name = clusterNames.get(id) ?? `Cluster ${id}`
    return { name, meter, subject: { type: 'cluster', id: String(id) } satisfies Subject as Subject }
  }
  if (key === 'idle') return { name: 'Idle nodes', meter, subject: null }
  if (key?.startsWith('workload:')) return { name: key.slice('workload:'.length), meter, subject: null }
  if (key?.startsWith('resource:')) {
    const id = key.split(':').slice(2).join(':')
    const type = meter === 'database_gb_hours' ? 'database' : meter === 'secret_reads' ? 'secret' : 'workflow'
    const subject: Subject | null = meter === 'webhook_attempts' ? null : { type, id }
    return { name: newest?.resource ?? id, meter, subject }
  }
  const { service, title } = usageMeters[meter]
  return { name: `${usageServiceTitles[service]}: ${title}`, meter, subject: null }
}

/** `3.0 to 9.0 nodes`: quantities by the hour where they last, otherwise by the day. Both are given by the hour. */
export function quantityText(meter: UsageMeter, before: number, after: number): string | null {
  const isLasting = meter === 'node_hours' || meter === 'database_gb_hours'
  const hours = isLasting ? 1 : 24
  const [from, to] = [shortNumber(before * hours), shortNumber(after * hours)]
  if (from === to) return null
  const unit = { node_hours: 'nodes', database_gb_hours: 'GB', log_gb: 'GB a day' }[meter as string]
  return `${from} to ${to} ${unit ?? `${usageMeters[meter].unit}s a day`}`
}

const shortNumber = (value: number) =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1)

/** A day that is compared. */
export type ComparedDay = {
  date: string
  hours: number
  /** How much of it is compared, from 0 to 1: of the day that corresponds to today, the part that is over today. */
  share: number
  /** It is over and was metered from its beginning, so quantities are averaged over it. */
  isComplete: boolean
}

export type WhyOf = Names & {
  current: readonly SumRow[]
  before: readonly SumRow[]
  /** Days of each that are compared: of the month so far and of the one before. */
  days: readonly ComparedDay[]
  daysBefore: readonly ComparedDay[]
  /** With which amounts of this month are multiplied: 1, or what the forecast is of the month so far. */
  forecast: Decimal | null
}

/** Which things make the difference between two months. The causes and the rest add up to it exactly. */
export function movesOf(of: WhyOf): {
  from: Decimal
  to: Decimal
  moves: Move[]
  rest: Decimal
  restCount: number
} {
  const now = Map.groupBy(within(of.current, of.days), ({ isRest, key }) => (isRest ? null : key))
  const before = Map.groupBy(within(of.before, of.daysBefore), ({ isRest, key }) => (isRest ? null : key))
  const soFar = sumOf([...now.values()].map((rows) => sharedAmount(rows, of.days)))
  const to = of.forecast ?? soFar
  const from = sumOf([...before.values()].map((rows) => sharedAmount(rows, of.daysBefore)))
  const completeDays = [...of.daysBefore, ...of.days].filter(({ isComplete }) => isComplete)
  // What is to come is given to things as the month so far is.
  const scaled = (amount: Decimal) => (of.forecast === null || soFar === 0n ? amount : (amount * to) / soFar)
  const moves: Move[] = []
  for (const key of new Set([...now.keys(), ...before.keys()])) {
    if (key === null) continue
    const [a, b] = [before.get(key) ?? [], now.get(key) ?? []]
    const { name, meter, subject } = causeOf(key, b.length > 0 ? b : a, of)
    const [hourlyBefore, hourly] = [perHour(a, of.daysBefore), perHour(b, of.days)]
    moves.push({
      key,
      name,
      text: hourlyBefore === null || hourly === null ? null : quantityText(meter, hourlyBefore, hourly),
      amount: decimalOf(decimalText(scaled(sharedAmount(b, of.days)) - sharedAmount(a, of.daysBefore))),
      subject,
      changedOn: largestStep([...a, ...b], completeDays),
    })
  }
  const size = ({ amount }: Move) => (amount < 0n ? -amount : amount)
  const sorted = moves
    .filter(({ amount }) => amount !== 0n)
    .toSorted((a, b) => (size(b) > size(a) ? 1 : size(b) < size(a) ? -1 : a.key.localeCompare(b.key)))
  const shown = sorted.slice(0, maxCauses)
  const rest = to - from - sumOf(shown.map(({ amount }) => amount))
  return { from, to, moves: shown, rest, restCount: sorted.length - shown.length }
}

const within = (rows: readonly SumRow[], days: readonly ComparedDay[]) => {
  const dates = new Set(days.map(({ date }) => date))
  return rows.filter(({ day }) => dates.has(day))
}

/** Amounts of the days; of a day that is compared in part, as if it cost the same in each hour. */
function sharedAmount(rows: readonly SumRow[], days: readonly ComparedDay[]): Decimal {
  const parts = days.filter(({ share }) => share < 1)
  const reduced = parts.map(({ date, share }) => {
    const amount = amountOf(rows.filter(({ day }) => day === date))
    return amount - estimated(approximately(amount) * share)
  })
  return amountOf(rows) - sumOf(reduced)
}

/** The mean quantity of an hour of the complete days; null where no day is complete. */
function perHour(rows: readonly SumRow[], days: readonly ComparedDay[]): number | null {
  const complete = days.filter(({ isComplete }) => isComplete)
  const hours = complete.reduce((sum, day) => sum + day.hours, 0)
  return hours === 0 ? null : approximately(valueOf(within(rows, complete))) / hours
}

/** The day whose use an hour differs most from that of the day before. */
function largestStep(rows: readonly SumRow[], days: readonly ComparedDay[]): string | null {
  const values = days.map((each) => perHour(rows, [each]) ?? 0)
  const steps = values.slice(1).map((value, index) => Math.abs(value - (values[index] ?? 0)))
  const most = Math.max(0, ...steps)
  return most === 0 ? null : (days[steps.indexOf(most) + 1]?.date ?? null)
}

export function presentWhy(
  { from, to, rest, restCount }: Omit<ReturnType<typeof movesOf>, 'moves'>,
  causes: readonly SpendCause[],
  of: Pick<Spend['why'], 'basis' | 'note'>,
): Spend['why'] {
  return {
    from: decimalText(from),
    to: decimalText(to),
    ...of,
    causes: [...causes],
    restCount,
    restAmount: decimalText(rest),
  }
}
