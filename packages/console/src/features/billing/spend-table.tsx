import type { SpendRow } from '@bey/contract'
import { usageMeters } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useList, useRead } from '../../data/use-read.ts'
import type { Spend } from '../../data/billing.ts'
import { downloadText } from '../../lib/download.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table-types.ts'
import { TrendLine } from '../../ui/trend-line.tsx'
import { billingHref, type BillingSearch, drillHref, filtersOf } from './billing-search.ts'
import { figureText, moneyText, quantityText, unitText } from '../../entities/billing/money.ts'

const switches = [
  { value: 'service', label: 'Service' },
  { value: 'cluster', label: 'Cluster' },
  { value: 'namespace', label: 'Namespace' },
  { value: 'owner', label: 'Owner' },
  { value: 'person', label: 'Person' },
  { value: 'label', label: 'Label' },
] as const

/** What the month went to, by a dimension; each row leads to what it consists of. */
export function SpendTable({
  spend,
  search,
  isRefreshing,
}: {
  spend: Spend
  search: BillingSearch
  isRefreshing: boolean
}) {
  const navigate = useNavigate()
  const by = search.by ?? 'service'
  const isLabel = by.startsWith('label:')
  const month = search.month === undefined ? {} : { month: search.month }
  const labels = useRead('billing.labels', { query: month }, { isEnabled: true }).data?.keys ?? []
  const show = (next: string) =>
    void navigate({
      href: billingHref({ ...search, by: next === 'label' ? `label:${labels[0]?.key ?? 'app'}` : next }),
      replace: true,
    })
  const current = isLabel ? 'label' : switches.find(({ value }) => value === by)?.value
  return (
    <Section
      title="What it went to"
      aside={
        <span className="flex flex-wrap items-center gap-2">
          <Segmented
            label="Add up by"
            options={labels.length > 0 ? switches : switches.slice(0, -1)}
            value={current}
            onChange={show}
          />
          {isLabel && labels.length > 1 ? (
            <Select
              aria-label="Label"
              controlSize="small"
              value={by.slice(6)}
              options={labels.map(({ key }) => ({ value: key, label: key }))}
              onChange={(event) => show(`label:${event.target.value}`)}
            />
          ) : null}
          {spend.scope === 'all' ? <OwnerSelect search={search} /> : null}
          <Button
            size="small"
            icon={<Download size={14} aria-hidden />}
            onClick={() => downloadRows(spend, by)}
          >
            CSV
          </Button>
        </span>
      }
    >
      <Filters search={search} spend={spend} />
      <div className="overflow-hidden rounded-card border border-line">
        <Table
          label="What it went to"
          columns={columnsOf(spend, by)}
          rows={spend.rows}
          rowKey={({ key }) => key}
          rowLabel={({ name }) => name}
          rowHref={({ key }) => drillHref(search, by, key)}
          isRefreshing={isRefreshing}
          empty={<p className="px-4 py-6 text-text-2">Nothing of this was used in the month.</p>}
        />
      </div>
      <p className="mt-2 flex justify-between gap-3 px-1">
        <span className="text-text-2">
          {spend.rest ? `and ${spend.rest.count} more, ${moneyText(spend.rest.amount, spend.currency)}` : ''}
        </span>
        <span>
          Total{' '}
          <strong className="font-semibold tabular-nums">{moneyText(spend.total, spend.currency)}</strong>
        </span>
      </p>
    </Section>
  )
}

/** Limits the page to what one member owns, or to what nobody does. */
function OwnerSelect({ search }: { search: BillingSearch }) {
  const navigate = useNavigate()
  const { data } = useList('members.list', { query: { limit: 100, sort: 'name' } })
  const members = (data?.members ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const { owner = '' } = search
  const isListed = owner === '' || owner === 'none' || members.some(({ value }) => value === owner)
  return (
    <Select
      aria-label="Owner"
      controlSize="small"
      className="max-w-40"
      value={owner}
      options={[
        { value: '', label: 'All owners' },
        ...members,
        ...(isListed ? [] : [{ value: owner, label: `Owner ${owner}, left` }]),
        { value: 'none', label: 'Without an owner' },
      ]}
      onChange={({ target }) =>
        void navigate({
          href: billingHref({ ...search, owner: target.value === '' ? undefined : target.value }),
          replace: true,
        })
      }
    />
  )
}

function Filters({ search, spend }: { search: BillingSearch; spend: Spend }) {
  const filters = Object.entries(filtersOf(search))
  const { data } = useList('members.list', { query: { limit: 100, sort: 'name' } })
  const names = new Map((data?.members ?? []).map(({ id, name }) => [String(id), name]))
  if (filters.length === 0) return null
  const { month, tab } = search
  const nameOf = (key: string, value: string) => {
    if (value === 'none') return 'none'
    if (key === 'cluster') return spend.clusters.find((cluster) => cluster.key === value)?.name ?? value
    if (key === 'owner' || key === 'person') return names.get(value) ?? `of id ${value}`
    return value
  }
  return (
    <p className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-text-2">
      <span className="min-w-0 wrap-anywhere">
        Only {filters.map(([key, value]) => `${key} ${nameOf(key, value)}`).join(', ')}
      </span>
      <Link href={billingHref({ month, tab })} className="text-accent-text hover:underline">
        Show everything
      </Link>
      <Link href={billingHref({ ...search, tab: 'ledger' })} className="text-accent-text hover:underline">
        Events
      </Link>
    </p>
  )
}

function columnsOf({ currency, clusters, rows }: Spend, by: string): Column<SpendRow>[] {
  const most = Math.max(...rows.flatMap(({ byDay }) => byDay.map(Number)), 1e-9)
  const shown = by === 'cluster' ? [] : clusters.slice(0, 3)
  return [
    {
      key: 'name',
      header: by.startsWith('label:') ? by.slice(6) : by.charAt(0).toUpperCase() + by.slice(1),
      cell: ({ name, detail, quantities }) => (
        <span className="block truncate" title={name}>
          {name} <span className="font-normal text-text-2">{detail ?? quantityOf(quantities)}</span>
        </span>
      ),
    },
    ...shown.map(({ key, name }, index): Column<SpendRow> => ({
      key,
      header: name,
      width: '14%',
      align: 'end',
      isExtra: true,
      cell: ({ byCluster }) => figureText(byCluster[index]),
    })),
    {
      key: 'amount',
      header: 'Total',
      width: '17%',
      align: 'end',
      isVital: true,
      cell: ({ amount }) => <span className="font-medium text-text">{moneyText(amount, currency)}</span>,
    },
    {
      key: 'days',
      header: 'By the day',
      width: '6rem',
      isExtra: true,
      cell: ({ name, byDay }) => (
        <TrendLine
          label={`${name} by the day`}
          values={byDay.map((amount) => Math.max(0, (Number(amount) / most) * 0.75))}
        />
      ),
    },
  ]
}

/** The quantity that most of it is, where there is one only. */
function quantityOf(quantities: SpendRow['quantities']): string {
  const priced = quantities.filter(({ meter }) => usageMeters[meter].isPriced)
  const [only] = priced
  return only && priced.length === 1 ? `${quantityText(only.value)} ${unitText(only.unit)}` : ''
}

function downloadRows(spend: Spend, by: string): void {
  const cell = (text: string) => {
    const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  const dates = spend.days.map(({ date }) => date)
  const lines = [
    [by, 'detail', 'amount', 'currency', 'last month', ...dates],
    ...spend.rows.map((row) => [
      row.name,
      row.detail ?? '',
      row.amount,
      spend.currency,
      row.lastMonth,
      ...row.byDay,
    ]),
  ]
  const text = lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('')
  downloadText(`spend-${spend.month.month}-by-${by.replace(':', '-')}.csv`, text, 'text/csv')
}
