import { useNavigate } from '@tanstack/react-router'
import type { Budget, SavingList, Spend } from '../../data/billing.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { dayText } from '../../ui/time-text.ts'
import { billingHref, type BillingSearch } from './billing-search.ts'
import { MonthChart } from '../../entities/billing/month-chart.tsx'
import { moneyText, monthText } from '../../entities/billing/money.ts'
import { SavingsPanel } from './savings-panel.tsx'
import { SpendTable } from './spend-table.tsx'
import { WhyList } from './why-list.tsx'

const modes = [
  { value: 'sum', label: 'Sum' },
  { value: 'day', label: 'By the day' },
] as const

interface SpendTabProps {
  spend: Spend
  budget: Budget | undefined
  /** Undefined where the month is not the current one, or nothing was read. */
  savings: SavingList | undefined
  search: BillingSearch
  isRefreshing: boolean
}

/** The month over time, why it is not the one before, what could be saved, and what the money went to. On a phone in this order. */
export function SpendTab({ spend, budget, savings, search, isRefreshing }: SpendTabProps) {
  const navigate = useNavigate()
  const { month, forecast, currency } = spend
  const isByDay = search.chart === 'day'
  return (
    <div className="grid items-start gap-x-8 gap-y-8 px-(--gutter) py-4 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)] lg:grid-rows-[auto_1fr]">
      <div className="flex min-w-0 flex-col gap-3">
        {spend.proof?.isEqual === false ? <Notice tone="danger" title={spend.proof.text} /> : null}
        {spend.anomalies.map(({ date, text }) => (
          <Notice key={date} tone="warn" title={text} />
        ))}
        <Section
          title={`Spend of ${monthText(month.month)}`}
          aside={
            <Segmented
              label="Chart"
              options={modes}
              value={isByDay ? 'day' : 'sum'}
              onChange={(mode) =>
                void navigate({
                  href: billingHref({ ...search, chart: mode === 'day' ? 'day' : undefined }),
                  replace: true,
                })
              }
            />
          }
        >
          <MonthChart spend={spend} budget={budget} isByDay={isByDay} />
          <p className="mt-1 text-small text-text-3">
            {forecast.state === 'too_early'
              ? forecast.text
              : forecast.state === 'ready'
                ? forecast.method
                : ''}
          </p>
          <SavingReasons spend={spend} />
          <DayTable spend={spend} currency={currency} />
        </Section>
      </div>
      <div className="flex min-w-0 flex-col gap-8 lg:row-span-2">
        <WhyList spend={spend} />
        {savings ? <SavingsPanel list={savings} /> : null}
      </div>
      <div className="min-w-0 lg:col-start-1">
        <SpendTable spend={spend} search={search} isRefreshing={isRefreshing} />
        <div className="mt-4 flex flex-col gap-1 text-small text-text-2">
          <p>{spend.sharedCost.text}.</p>
          {spend.gaps.map(({ text }) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      </div>
    </div>
  )
}

/** Why the forecast is another one than measurements alone would say. */
function SavingReasons({ spend: { forecast, currency } }: { spend: Spend }) {
  if (forecast.state !== 'ready' || forecast.withoutSavings === null) return null
  return (
    <ul aria-label="Applied savings in the forecast" className="mt-1 text-small text-text-2">
      {forecast.savings.map(({ date, text }) => (
        <li key={`${date} ${text}`}>
          {dayText(new Date(date))}: {text}
        </li>
      ))}
      <li>
        Without applied savings the forecast is {moneyText(forecast.withoutSavings, currency)}, with them{' '}
        {moneyText(forecast.amount, currency)}.
      </li>
    </ul>
  )
}

/** The chart as a table. */
function DayTable({ spend, currency }: { spend: Spend; currency: string }) {
  return (
    <details className="mt-1 text-small">
      <summary className="w-fit cursor-pointer text-text-2 hover:text-text">Show as a table</summary>
      <table className="mt-2 w-full max-w-sm tabular-nums">
        <thead>
          <tr className="text-text-2">
            <th scope="col" className="py-1 text-left font-normal">
              Day
            </th>
            <th scope="col" className="py-1 text-right font-normal">
              Amount
            </th>
            <th scope="col" className="py-1 text-right font-normal">
              {monthText(spend.lastMonth.month)}
            </th>
          </tr>
        </thead>
        <tbody>
          {spend.days.map(({ date, amount }, index) => (
            <tr key={date} className="border-t border-line">
              <td className="py-1">{date}</td>
              <td className="py-1 text-right">{moneyText(amount, currency)}</td>
              <td className="py-1 text-right">{moneyText(spend.lastMonthDays[index]?.amount, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
