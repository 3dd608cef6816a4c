import { deniedReason } from '@bey/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Pencil, Plus, ReceiptText } from 'lucide-react'
import { type Budget, type Spend, spendRefreshMs, useSavings } from '../../data/billing.ts'
import { useOrganizationId, useRole } from '../../data/session.ts'
import { useList, useRead } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type TabLink, Tabs } from '../../ui/tabs.tsx'
import { momentText } from '../../ui/time-text.ts'
import { billingHref, type BillingTab, filterKeys, filtersOf, parseBillingSearch } from './billing-search.ts'
import { BudgetsTab } from './budgets-tab.tsx'
import { LedgerTab } from './ledger-tab.tsx'
import { estimateText, moneyText, monthText, shiftMonth } from '../../entities/billing/money.ts'
import { PricesTab } from './prices-tab.tsx'
import { SavingsTab } from './savings-tab.tsx'
import { SpendTab } from './spend-tab.tsx'
import { StatementsTab } from './statements-tab.tsx'

/** What the month costs and will cost, against its budget; savings, budgets, prices, statements and the ledger behind it. */
export function BillingPage() {
  const search = parseBillingSearch(useSearch({ strict: false }))
  const { tab = 'spend', month, by } = search
  const role = useRole()
  const isAll = deniedReason(role, 'billing.readAll') === undefined
  const options = { refreshMs: spendRefreshMs }
  const query = { ...filtersOf(search), ...(month && { month }), ...(by && { by }) }
  const spendQuery = useList('billing.spend', { query }, options)
  const headline = useRead('billing.headline', {}, { ...options, isEnabled: isAll }).data
  const budgets = useRead('budgets.list', {}, { ...options, isEnabled: isAll })
  const statements = useRead('statements.list', {}, { isEnabled: isAll })
  const prices = useRead('prices.list', {})
  const savings = useSavings()
  const { data: spend, isPlaceholderData } = spendQuery
  const failure = failureOf('Failed to fetch the spend', spendQuery)
  const isFiltered = filterKeys.some((key) => search[key] !== undefined)
  const isEmpty = spend?.eventCount === 0 && month === undefined && !isFiltered
  usePageTitle('Billing')
  usePageCommands([apiCommand('Read this spend', 'billing.spend', { query }, useOrganizationId())])
  const budget = budgets.data?.budgets.find(({ id }) => id === headline?.budgetId)
  const version = prices.data?.versions.find(({ holdsNow }) => holdsNow)
  return (
    <>
      <PageHeader
        title={isFiltered && spend ? partTitle(spend) : titleOf(spend, headline?.title, isEmpty)}
        aside={spend?.isSeeded ? <Badge>seeded</Badge> : undefined}
        description={descriptionOf(spend, isFiltered ? headline?.title : headline?.text, isEmpty)}
        actions={
          <>
            {spend ? <MonthLinks spend={spend} /> : null}
            <HeadActions budget={budget} latest={statements.data?.statements[0]} isAll={isAll} />
          </>
        }
      >
        <Tabs
          label="Billing"
          tabs={tabsOf(tab, isAll, {
            savings: savings.data && estimateText(savings.data.total, savings.data.currency),
            budgets: budgets.data?.budgets.length,
            prices: version && (version.isExample ? 'example' : `version ${version.version}`),
            statements: statements.data?.statements.length,
          })}
        />
      </PageHeader>
      {tab === 'prices' ? (
        <PricesTab
          list={prices.data}
          failure={failureOf('Failed to fetch the prices', prices)}
          spend={spend}
        />
      ) : tab === 'savings' ? (
        <SavingsTab
          list={savings.data}
          failure={failureOf('Failed to fetch the savings', savings)}
          openId={search.saving}
        />
      ) : tab === 'ledger' ? (
        <LedgerTab search={search} />
      ) : tab === 'budgets' && isAll ? (
        <BudgetsTab list={budgets.data} failure={failureOf('Failed to fetch the budgets', budgets)} />
      ) : tab === 'statements' && isAll ? (
        <StatementsTab
          list={statements.data}
          failure={failureOf('Failed to fetch the statements', statements)}
          number={search.number}
        />
      ) : failure ? (
        <ErrorState {...failure} />
      ) : spend === undefined ? (
        <div className="flex flex-col gap-4 px-(--gutter) py-6">
          <Skeleton className="h-5 w-48" />
          <Skeleton className="h-64 w-full" />
        </div>
      ) : isEmpty ? (
        <EmptyState
          icon={<ReceiptText size={20} aria-hidden />}
          title="Nothing is metered yet"
          description="The first node-hour appears within the hour."
          action={<ButtonLink href="/kubernetes/clusters/create">Create a cluster</ButtonLink>}
          command="bey clusters create"
        />
      ) : (
        <SpendTab
          spend={spend}
          // The budget and the savings are those of everything, not of the part that is shown.
          budget={spend.month.isCurrent && !isFiltered ? budget : undefined}
          savings={spend.month.isCurrent && !isFiltered ? savings.data : undefined}
          search={search}
          isRefreshing={isPlaceholderData}
        />
      )}
      {spend && !isEmpty && tab === 'spend' ? <Foot spend={spend} next={statements.data?.next.text} /> : null}
    </>
  )
}

/** What the part that the filters leave costs; the whole is in the line below. */
function partTitle({ month, forecast, currency, total }: Spend): string {
  const part = `This part of ${monthText(month.month)}`
  if (forecast.state === 'ready') return `${part} will cost about ${moneyText(forecast.amount, currency, 0)}`
  return `${part} ${month.isCurrent ? 'has cost' : `${month.month.slice(0, 4)} cost`} ${moneyText(total, currency)}${month.isCurrent ? ' so far' : ''}`
}

function titleOf(
  spend: Spend | undefined,
  headline: string | undefined,
  isEmpty: boolean,
): string | undefined {
  if (spend === undefined || isEmpty) return 'Billing'
  if (spend.month.isCurrent) return headline ?? 'Billing'
  return `${monthText(spend.month.month)} ${spend.month.month.slice(0, 4)} cost ${moneyText(spend.total, spend.currency)}`
}

function descriptionOf(spend: Spend | undefined, headline: string | undefined, isEmpty: boolean): string {
  if (spend === undefined) return ' '
  if (isEmpty) return 'What the organization uses, and what it costs by your own prices.'
  if (spend.scopeText !== null) return spend.scopeText
  return spend.month.isCurrent ? (headline ?? ' ') : 'The month is over.'
}

interface Counts {
  /** The amount that could be saved a month. */
  savings: string | undefined
  budgets: number | undefined
  prices: string | undefined
  statements: number | undefined
}

function tabsOf(current: BillingTab, isAll: boolean, counts: Counts): TabLink[] {
  const tab = (id: BillingTab, label: string, count?: number | string): TabLink => ({
    href: billingHref({ tab: id === 'spend' ? undefined : id }),
    label,
    isCurrent: id === current,
    ...(count !== undefined && { count }),
  })
  return [
    tab('spend', 'Spend'),
    tab('savings', 'Savings', counts.savings),
    ...(isAll ? [tab('budgets', 'Budgets', counts.budgets)] : []),
    tab('prices', 'Prices', counts.prices),
    ...(isAll ? [tab('statements', 'Statements', counts.statements)] : []),
    tab('ledger', 'Ledger'),
  ]
}

function MonthLinks({ spend }: { spend: Spend }) {
  const navigate = useNavigate()
  const search = parseBillingSearch(useSearch({ strict: false }))
  const { month, isCurrent } = spend.month
  const show = (next: string | undefined) =>
    void navigate({ href: billingHref({ ...search, month: next, day: undefined, cursor: undefined }) })
  const before = shiftMonth(month, -1)
  return (
    <>
      <Button onClick={() => show(before)}>{monthText(before)}</Button>
      {isCurrent ? null : <Button onClick={() => show(undefined)}>This month</Button>}
    </>
  )
}

function HeadActions({
  budget,
  latest,
  isAll,
}: {
  budget: Budget | undefined
  latest: { number: number; month: string } | undefined
  isAll: boolean
}) {
  if (!isAll) return null
  return (
    <>
      {latest ? (
        <ButtonLink
          icon={<ReceiptText size={14} aria-hidden />}
          href={billingHref({ tab: 'statements', number: latest.number })}
        >
          Statement of {monthText(latest.month)}
        </ButtonLink>
      ) : null}
      <ButtonLink
        icon={budget ? <Pencil size={14} aria-hidden /> : <Plus size={14} aria-hidden />}
        href={billingHref({ tab: 'budgets' })}
      >
        {budget ? 'Edit budget' : 'Set a budget'}
      </ButtonLink>
    </>
  )
}

function Foot({ spend, next }: { spend: Spend; next: string | undefined }) {
  const { eventCount, lastEventAt, prices, asOf, proof } = spend
  return (
    <footer className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line px-(--gutter) py-2.5 text-small text-text-2">
      {spend.month.isCurrent && next ? <span>{next}</span> : null}
      <span>
        Ledger as of {momentText(lastEventAt ?? asOf)}, {eventCount.toLocaleString('en')} events
      </span>
      {proof?.isEqual ? (
        <span>
          {proof.text} Compared {momentText(proof.provedAt)}.
        </span>
      ) : null}
      {prices.isExample ? <span>The prices are an example until an owner saves prices.</span> : null}
    </footer>
  )
}
