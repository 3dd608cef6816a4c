import type { LedgerEvent } from '@bey/contract'
import { usageMeters } from '@bey/contract'
import { useList } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table-types.ts'
import { momentText } from '../../ui/time-text.ts'
import { billingHref, type BillingSearch, filtersOf } from './billing-search.ts'
import { quantityText, unitText } from '../../entities/billing/money.ts'

const lateMs = 24 * 3_600_000

const columns: readonly Column<LedgerEvent>[] = [
  {
    key: 'meter',
    header: 'Meter',
    cell: ({ meter, isSeeded }) => (
      <span className="block truncate" title={usageMeters[meter].meaning}>
        {usageMeters[meter].title} {isSeeded ? <span className="font-normal text-text-2">seeded</span> : null}
      </span>
    ),
  },
  {
    key: 'value',
    header: 'Quantity',
    align: 'end',
    width: '14%',
    isVital: true,
    cell: ({ value, unit }) => (
      <>
        {quantityText(value)}{' '}
        <span className="text-text-3">{Number(value) === 1 ? unit : unitText(unit)}</span>
      </>
    ),
  },
  {
    key: 'subject',
    header: 'Of',
    width: '30%',
    cell: ({ cluster, namespace, workload, resource, person }) => (
      <span className="block truncate">
        {[cluster, namespace, workload, resource, person].filter((part) => part !== null).join(' / ') || '—'}
      </span>
    ),
  },
  { key: 'at', header: 'Used', width: '13%', cell: ({ at }) => momentText(at) },
  {
    key: 'recorded',
    header: 'Recorded',
    width: '13%',
    isExtra: true,
    cell: ({ at, recordedAt }) =>
      `${momentText(recordedAt)}${Date.parse(recordedAt) - Date.parse(at) > lateMs ? ', late' : ''}`,
  },
  {
    key: 'source',
    header: 'Source',
    width: '18%',
    isExtra: true,
    cell: ({ source, id }) => (
      <span className="block truncate font-mono text-small" title={`${source} ${id}`}>
        {source} {id}
      </span>
    ),
  },
]

/** Every event behind the amounts, the newest first, with the filters of the page. */
export function LedgerTab({ search }: { search: BillingSearch }) {
  const { month, day, cursor } = search
  const query = {
    ...filtersOf(search),
    ...(month && { month }),
    ...(day && { day }),
    ...(cursor && { cursor }),
    limit: 100,
  }
  const list = useList('billing.ledger', { query })
  const failure = failureOf('Failed to fetch the ledger', list)
  const filters = Object.entries(filtersOf(search))
  const next = list.data?.nextCursor
  return (
    <div className="flex flex-col gap-3 px-(--gutter) py-4">
      <p className="text-text-2">
        {filters.length === 0
          ? 'Every event is recorded once and never changed.'
          : `Only ${filters.map(([key, value]) => `${key} ${value}`).join(', ')}.`}{' '}
        {filters.length === 0 ? null : (
          <Link href={billingHref({ tab: 'ledger', month })} className="text-accent-text hover:underline">
            Show everything
          </Link>
        )}
      </p>
      <div className="overflow-hidden rounded-card border border-line">
        <Table
          label="Events of the ledger"
          columns={columns}
          rows={list.data?.events}
          rowKey={({ seq }) => seq}
          isRefreshing={list.isPlaceholderData}
          error={failure && <ErrorState {...failure} />}
          empty={
            <p className="px-4 py-6 text-text-2">
              Nothing is metered yet. The first node-hour appears within the hour.
            </p>
          }
        />
      </div>
      <div className="flex gap-2">
        {cursor ? (
          <ButtonLink href={billingHref({ ...search, cursor: undefined })}>Newest events</ButtonLink>
        ) : null}
        {next ? <ButtonLink href={billingHref({ ...search, cursor: next })}>Older events</ButtonLink> : null}
      </div>
    </div>
  )
}
