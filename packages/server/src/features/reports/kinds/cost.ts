import type { HandlerOutput } from '@bey/contract'
import { type Decimal, decimalOf, decimalText, sumOf } from '../../../platform/decimal.ts'
import { counted, createDraft, type Draft, figure, lead, type Material, table } from '../draft.ts'
import type { Span } from '../period.ts'

/** Rows of each dimension that are read of a month; the rest is one row. */
const maxRows = 200
const dimensions = ['service', 'owner', 'workload'] as const
type Dimension = (typeof dimensions)[number]
type Spend = HandlerOutput<'billing.spend'>

/** What one period cost: by key of each dimension, to the last digit. */
type Cost = { months: Spend[]; days: number; total: Decimal; by: Record<Dimension, Map<string, Decimal>> }

/** What a period cost, by service, owner and workload: whole days of the ledger, estimated at the prices of their time. */
export async function cost(material: Material): Promise<Draft> {
  const { parameters, span, before } = material
  const draft = createDraft()
  const now = await costOf(material, span)
  const earlier = parameters.isCompared ? await costOf(material, before) : undefined
  const [latest] = now.months.slice(-1)
  const currency = latest?.currency ?? ''
  const money = (amount: Decimal) => `${decimalText(amount, 2)} ${currency}`
  noteGaps(draft, now, span, parameters.timeZone)

  const source = draft.source(
    'Spend',
    `usage ledger, ${counted(now.days, 'day')} of ${latest?.timeZone ?? parameters.timeZone}`,
    '/workspaces/settings/billing',
  )
  const unowned = now.by.owner.get('Without an owner') ?? 0n
  const forecast = latest?.forecast.state === 'ready' && latest.month.isCurrent ? latest.forecast : undefined
  draft.section(
    'summary',
    '',
    lead(
      now.total === 0n
        ? `Nothing that has a price was used from ${span.label}.`
        : `${span.label} cost ${money(now.total)}${earlier ? changeText(material, now.total - earlier.total, money) : ''}.`,
    ),
    {
      kind: 'figures',
      figures: [
        figure('total', 'Cost', money(now.total), {
          before: earlier ? `${money(earlier.total)}, ${before.label}` : null,
          isEstimate: true,
          source,
        }),
        figure('day', 'A day', money(perDay(now.total, span)), {
          isEstimate: true,
          source,
        }),
        figure('unowned', 'Without an owner', money(unowned), { isEstimate: true, source }),
        ...(forecast
          ? [
              figure('forecast', 'Forecast of the month', money(decimalOf(forecast.amount)), {
                before: `${money(decimalOf(forecast.low))} to ${money(decimalOf(forecast.high))}`,
                isEstimate: true,
                source,
              }),
            ]
          : []),
      ],
    },
    { kind: 'text', text: basisText(now), isLead: false },
  )
  const part = (id: string, title: string, by: Dimension, column: string) =>
    draft.section(
      id,
      title,
      table(
        '',
        [column, `Cost, ${currency} #`, 'Part #', ...(earlier ? [`Before, ${currency} #`] : [])],
        rowsOf(now, earlier, by),
        {
          emptyText: 'Nothing that has a price was used.',
          note: `These rows add up to ${decimalText(sumOf(now.by[by].values()))} ${currency}.`,
          source,
        },
      ),
    )
  part('services', 'Services', 'service', 'Service')
  part('owners', 'Owners', 'owner', 'Owner')
  part('workloads', 'Workloads', 'workload', 'Workload')
  const dates = datesOf(span, parameters.timeZone)
  const unusual = now.months.flatMap(({ anomalies }) => anomalies).filter(({ date }) => dates.includes(date))
  draft.section(
    'unusual',
    'Unusual days',
    table(
      '',
      ['Day', `Cost, ${currency} #`, `Usual, ${currency} #`, 'Why'],
      unusual.map(({ date, amount, usual, text }) => [
        date,
        decimalText(decimalOf(amount), 2),
        decimalText(decimalOf(usual), 2),
        text,
      ]),
      { emptyText: `No day cost unlike the two weeks before it.`, source },
    ),
  )
  return draft.finish()
}

async function costOf({ read, parameters }: Material, span: Span): Promise<Cost> {
  const dates = datesOf(span, parameters.timeZone)
  const names = [...new Set(dates.map((date) => date.slice(0, 7)))]
  const by = { service: new Map(), owner: new Map(), workload: new Map() } satisfies Cost['by'] as Cost['by']
  const months: Spend[] = []
  for (const month of names) {
    for (const dimension of dimensions) {
      const spend = await read('billing.spend', { query: { month, by: dimension, limit: maxRows } })
      const chosen = spend.days.flatMap(({ date }, index) => (dates.includes(date) ? [index] : []))
      const sums = by[dimension]
      const add = (name: string, byDay: readonly string[]) => {
        const amount = sumOf(chosen.map((index) => decimalOf(byDay[index] ?? '0')))
        if (amount !== 0n) sums.set(name, (sums.get(name) ?? 0n) + amount)
      }
      for (const { name, detail, byDay, isShared } of spend.rows) {
        add(dimension === 'workload' && detail !== null && !isShared ? `${detail}/${name}` : name, byDay)
      }
      if (spend.rest) add(counted(spend.rest.count, 'other'), spend.rest.byDay)
      if (dimension === 'service') months.push(spend)
    }
  }
  return { months, days: dates.length, total: sumOf(by.service.values()), by }
}

/** Days of a span that have begun, as the ledger names them: `2026-11-24`. */
function datesOf({ from, to }: Span, timeZone: string): string[] {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const dates = new Set<string>()
  // Hour by hour: a day has 23 to 25 of them.
  for (let ms = from.getTime(); ms < to.getTime(); ms += 3_600_000) dates.add(format.format(ms))
  return [...dates]
}

function rowsOf(now: Cost, earlier: Cost | undefined, by: Dimension): string[][] {
  const names = [...new Set([...now.by[by].keys(), ...(earlier?.by[by].keys() ?? [])])]
  const amountOf = (name: string) => now.by[by].get(name) ?? 0n
  return names
    .toSorted((a, b) => (amountOf(a) < amountOf(b) ? 1 : amountOf(a) > amountOf(b) ? -1 : a.localeCompare(b)))
    .map((name) => [
      name,
      decimalText(amountOf(name), 6),
      now.total === 0n ? '—' : `${(Number((amountOf(name) * 1000n) / now.total) / 10).toFixed(1)} %`,
      ...(earlier ? [decimalText(earlier.by[by].get(name) ?? 0n, 6)] : []),
    ])
}

function noteGaps(
  draft: ReturnType<typeof createDraft>,
  { months }: Cost,
  span: Span,
  timeZone: string,
): void {
  for (const { gaps, proof, timeZone: booksZone } of months) {
    if (proof?.isEqual === false) draft.missing(proof.text)
    if (booksZone !== timeZone)
      draft.missing(
        `Days of the ledger are those of ${booksZone}, not of ${timeZone}: hours at the edges may differ.`,
      )
    for (const gap of gaps) {
      if (Date.parse(gap.to) > span.from.getTime() && Date.parse(gap.from) < span.to.getTime())
        draft.missing(gap.text)
    }
  }
}

/** How the amounts came about: whose prices, which rule, and whether some of it was made up. */
function basisText({ months }: Cost): string {
  const latest = months.at(-1)
  if (latest === undefined) return ''
  const { prices, sharedCost } = latest
  const of = prices.isExample
    ? 'The prices are an example until an owner saves prices.'
    : `Estimated at the prices of version ${prices.versions.join(', ')}.`
  const seeded = months.some(({ isSeeded }) => isSeeded) ? ' Seeded usage is among it.' : ''
  return `${of} Shared cost: ${sharedCost.text.toLowerCase()}.${seeded}`
}

/** A period that is not over is held against nothing: the one before is named with its days. */
function changeText(
  { span, before, now }: Material,
  difference: Decimal,
  money: (amount: Decimal) => string,
): string {
  if (span.to >= now) return ` so far`
  if (difference === 0n) return `, the same as ${before.label}`
  return `, ${money(difference < 0n ? -difference : difference)} ${difference > 0n ? 'more' : 'less'} than ${before.label}`
}

/** The mean of 24 hours, of the time that is over. */
function perDay(total: Decimal, { from, to }: Span): Decimal {
  const ms = to.getTime() - from.getTime()
  return ms <= 0 ? 0n : (total * 86_400_000n) / BigInt(ms)
}
