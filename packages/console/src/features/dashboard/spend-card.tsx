import { spendRefreshMs } from '../../data/billing.ts'
import { useRead } from '../../data/use-read.ts'
import { MonthChart } from '../../entities/billing/month-chart.tsx'
import { moneyText, monthText } from '../../entities/billing/money.ts'
import { errorText } from '../../lib/error-text.ts'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const billingPath = '/workspaces/settings/billing'

/** What this month has cost and will cost against its budget. */
export function SpendCard({ hasFigures }: { hasFigures: boolean }) {
  // After the figures of the page, which are read first.
  const options = { refreshMs: spendRefreshMs, isEnabled: hasFigures }
  const spend = useRead('billing.spend', { query: {} }, options)
  const headline = useRead('billing.headline', {}, options)
  const budgets = useRead('budgets.list', {}, options)
  const { data } = spend
  const budget = budgets.data?.budgets.find(({ id }) => id === headline.data?.budgetId)
  const month = data ? monthText(data.month.month) : undefined
  return (
    <Section
      title={month === undefined ? 'Spend' : `Spend in ${month}`}
      aside={
        data && data.eventCount > 0 ? (
          <Link href={billingPath} className="hover:underline">
            <strong className="font-semibold text-text tabular-nums">
              {moneyText(data.total, data.currency)}
            </strong>
            {budget ? ` of ${moneyText(budget.amount, data.currency, 0)}` : ' so far'}
            {data.isSeeded ? ', seeded' : ''}
          </Link>
        ) : undefined
      }
    >
      {data && data.eventCount > 0 ? (
        <>
          <MonthChart spend={data} budget={budget} isByDay={false} />
          <p className="mt-1 text-small text-text-2">{headline.data?.title}</p>
        </>
      ) : (
        <div className="rounded-card border border-line p-4 text-text-2">
          {spend.error ? (
            errorText('The spend could not be read', spend.error).title
          ) : data ? (
            <>
              Nothing is metered yet: the first node-hour appears within the hour.{' '}
              <Link href={billingPath} className="text-accent-text underline">
                Billing
              </Link>
            </>
          ) : (
            <Skeleton className="h-40 w-full" />
          )}
        </div>
      )}
    </Section>
  )
}
