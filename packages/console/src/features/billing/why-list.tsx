import type { Spend, SpendCause } from '@bey/contract'
import { momentText } from '../../ui/time-text.ts'
import { Section } from '../../ui/section.tsx'
import { changeText, moneyText, monthText } from '../../entities/billing/money.ts'

type Bar = { name: string; detail: string; amount: string; from: number; to: number; isEnd: boolean }

const detailOf = ({ text, act }: SpendCause) =>
  [text, act && `${act.text}, ${act.by.name}, ${momentText(act.at)}`].filter(Boolean).join(' · ')

/** Why the month does not cost what the one before did: each change with its price, from the one sum to the other. */
export function WhyList({ spend }: { spend: Spend }) {
  const { why, currency, lastMonth, month } = spend
  const before = monthText(lastMonth.month, month.month)
  const basis =
    why.basis === 'forecast'
      ? 'changes with their price a month'
      : why.basis === 'until_now'
        ? 'the same days of both months'
        : 'both whole months'
  const bars = barsOf(spend)
  const scale = Math.max(1e-9, ...bars.flatMap(({ from, to }) => [from, to]))
  const least = Math.min(...bars.filter(({ isEnd }) => !isEnd).flatMap(({ from, to }) => [from, to]), scale)
  // Where all changes are small against the sums, the axis begins just below them.
  const origin = Math.max(0, least - (scale - least) * 0.4)
  const at = (value: number) => `${(Math.max(0, value - origin) / Math.max(1e-9, scale - origin)) * 100}%`
  return (
    <Section title={`Why it is not ${before}`} aside={basis}>
      {why.note === null ? null : <p className="mb-2 text-small text-text-2">{why.note}</p>}
      {why.causes.length === 0 && why.restCount === 0 ? (
        <p className="border-t border-line py-2.5 text-text-2">Nothing changed against {before}.</p>
      ) : (
        <ol className="border-t border-line">
          {bars.map((bar, index) => (
            <li
              // Names may repeat; the order does not change.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              className="flex min-h-9.75 items-center gap-3 border-b border-line py-1.5"
            >
              <span className="min-w-0 flex-1">
                <span className={bar.isEnd ? 'font-medium' : 'font-medium wrap-anywhere'}>{bar.name}</span>{' '}
                <span className="text-small text-text-2 wrap-anywhere">{bar.detail}</span>
              </span>
              <span aria-hidden className="relative h-2 w-26 shrink-0 max-sm:hidden">
                <span
                  className={`absolute inset-y-0 min-w-0.5 rounded-[2px] ${bar.isEnd ? 'bg-control' : bar.to >= bar.from ? 'bg-chart-1' : 'bg-chart-2'}`}
                  style={{
                    left: at(Math.min(bar.from, bar.to)),
                    right: `calc(100% - ${at(Math.max(bar.from, bar.to))})`,
                  }}
                />
              </span>
              <span className={`w-20 shrink-0 text-right tabular-nums ${bar.isEnd ? 'font-semibold' : ''}`}>
                {bar.isEnd ? moneyText(bar.amount, currency, 0) : changeText(bar.amount, currency)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}

function barsOf({ why, lastMonth, month }: Spend): Bar[] {
  let sum = Number(why.from)
  const bars: Bar[] = [
    {
      name: monthText(lastMonth.month, month.month),
      detail: '',
      amount: why.from,
      from: 0,
      to: sum,
      isEnd: true,
    },
  ]
  const add = (name: string, detail: string, amount: string) => {
    bars.push({ name, detail, amount, from: sum, to: sum + Number(amount), isEnd: false })
    sum += Number(amount)
  }
  for (const cause of why.causes) add(cause.name, detailOf(cause), cause.amount)
  if (why.restCount > 0) add('Everything else', `${why.restCount} small changes`, why.restAmount)
  const name = monthText(month.month)
  const end =
    why.basis === 'forecast' ? `${name}, forecast` : why.basis === 'until_now' ? `${name} so far` : name
  return [...bars, { name: end, detail: '', amount: why.to, from: 0, to: Number(why.to), isEnd: true }]
}
