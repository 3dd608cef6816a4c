import type { ErrorGroup } from '@bey/contract'
import { errorGroupStatuses, errorKinds } from '@bey/contract'
import { Bug } from 'lucide-react'
import { useState } from 'react'
import type { ErrorListQuery } from '../../data/error-log.ts'
import { useList, useRead } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { listQuery, oneOf, tableControls, useListLocation } from '../../lib/list-location.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Select } from '../../ui/select.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { Status } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { ErrorMenu } from './error-menu.tsx'
import { kindLabels, statusOf, trendLabel } from './error-text.ts'
import type { StatusChange } from './status-undo-bar.tsx'
import { StatusUndoBar } from './status-undo-bar.tsx'

const sorts = ['lastSeenAt', 'firstSeenAt', 'occurrenceCount', 'userCount'] as const
const periods = ['24h', '14d'] as const

/** What consoles of the organization reported, grouped by what is the same error. */
export function ErrorListPage() {
  const listLocation = useListLocation()
  const query = queryOf(listLocation)
  const list = useList('errors.list', { query })
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch errors', list)
  const [change, setChange] = useState<StatusChange>()
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  // Errors that left the list are no longer selected: actions apply to visible rows only.
  const selected = data?.groups.filter((group) => keys.has(group.id)) ?? []
  return (
    <ListPage
      title="Errors"
      summary={data && `${formatCount(data.total, 'error')} ${statusText(query)}`}
      search={{ value: listLocation.search.q ?? '', onChange: (q) => listLocation.change({ q }) }}
      filters={<Filters listLocation={listLocation} query={query} />}
      bulkBar={
        selected.length > 0 ? (
          <BulkBar
            selected={selected}
            onChange={setChange}
            onSelect={(groups) => setKeys(new Set(groups.map((group) => group.id)))}
          />
        ) : null
      }
      notice={change ? <StatusUndoBar change={change} onDone={() => setChange(undefined)} /> : null}
      page={data}
      onPageChange={(page) => listLocation.change({ page })}
      columns={columnsFor(query)}
      rows={data?.groups}
      rowKey={(group) => group.id}
      rowHref={(group) => `/errors/${group.id}`}
      rowLabel={(group) => group.message}
      selection={{ selected: new Set(selected.map((group) => group.id)), onChange: setKeys }}
      rowActions={(group) => <ErrorMenu group={group} onChange={setChange} />}
      {...tableControls(
        listLocation,
        query,
        { key: 'lastSeenAt', direction: 'desc' },
        filterWords(listLocation),
      )}
      isRefreshing={isPlaceholderData}
      error={failure && <ErrorState {...failure} />}
      empty={<NoErrors />}
    />
  )
}

function Filters({ listLocation, query }: { listLocation: ListLocation; query: ErrorListQuery }) {
  const releases = useRead('errors.releases', {}).data?.releases ?? []
  return (
    <>
      <Select
        aria-label="Status"
        controlSize="small"
        value={listLocation.search.status === 'all' ? 'all' : (query.status ?? 'open')}
        onChange={({ target }) =>
          listLocation.change({ status: target.value === 'open' ? '' : target.value })
        }
        options={[
          ...errorGroupStatuses.map((value) => ({ value, label: value })),
          { value: 'all', label: 'All statuses' },
        ]}
      />
      <FilterSelect
        label="Kind"
        all="All kinds"
        value={query.kind}
        options={errorKinds.map((value) => ({ value, label: kindLabels[value] }))}
        onChange={(type) => listLocation.change({ type })}
      />
      <FilterSelect
        label="Release"
        all="All releases"
        value={listLocation.search.release}
        options={releases}
        onChange={(release) => listLocation.change({ release })}
      />
      <Select
        aria-label="Trend of"
        controlSize="small"
        value={query.period ?? '24h'}
        onChange={({ target }) => listLocation.change({ period: target.value === '24h' ? '' : target.value })}
        options={[
          { value: '24h', label: 'Trend: 24 hours' },
          { value: '14d', label: 'Trend: 14 days' },
        ]}
      />
    </>
  )
}

/** Under one status the column of statuses says the same in each row: its room is the message's. */
const columnsFor = ({ status, period = '24h' }: ErrorListQuery): readonly Column<ErrorGroup>[] =>
  columns(period).filter(({ key }) => key !== 'status' || status === undefined)

const columns = (period: '24h' | '14d'): readonly Column<ErrorGroup>[] => [
  {
    key: 'message',
    header: 'Error',
    cell: (group) => <Truncated>{group.message}</Truncated>,
  },
  {
    key: 'culprit',
    header: 'Where',
    width: '11rem',
    cell: ({ culprit }) => (
      <code className="block truncate font-mono text-small" data-tooltip={culprit || undefined}>
        {culprit.slice(culprit.lastIndexOf('/') + 1) || '—'}
      </code>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    width: '6rem',
    cell: (group) => <Status status={statusOf(group)} />,
    isVital: true,
  },
  {
    key: 'trend',
    header: 'Trend',
    width: '6.25rem',
    cell: ({ trend }) => <Sparkline values={trend} label={trendLabel(trend, period)} width={80} />,
  },
  {
    key: 'occurrenceCount',
    header: 'Events',
    sortKey: 'occurrenceCount',
    align: 'end',
    width: '5.25rem',
    cell: (group) => formatNumber(group.occurrenceCount),
  },
  {
    key: 'userCount',
    header: 'People',
    sortKey: 'userCount',
    align: 'end',
    width: '5.25rem',
    cell: (group) => formatNumber(group.userCount),
  },
  {
    key: 'release',
    header: 'Release',
    width: '6.5rem',
    cell: ({ lastRelease }) => (
      <code className="block truncate font-mono text-small" data-tooltip={lastRelease}>
        {lastRelease}
      </code>
    ),
  },
  {
    key: 'lastSeenAt',
    header: 'Last seen',
    sortKey: 'lastSeenAt',
    align: 'end',
    width: '6.5rem',
    cell: (group) => <RelativeTime at={group.lastSeenAt} />,
  },
  {
    key: 'firstSeenAt',
    header: 'First seen',
    sortKey: 'firstSeenAt',
    align: 'end',
    width: '6.5rem',
    cell: (group) => <RelativeTime at={group.firstSeenAt} />,
    isExtra: true,
  },
]

function NoErrors() {
  return (
    <EmptyState
      icon={<Bug size={24} strokeWidth={1.5} aria-hidden />}
      title="No open errors"
      description="Errors in the console of any member are reported here automatically, without anything that looks like a credential: uncaught errors, unhandled rejections, errors printed to the console, and pages that broke."
    />
  )
}

function queryOf({ search }: ListLocation): ErrorListQuery {
  const query: ErrorListQuery = listQuery(search, sorts)
  const status = search.status === 'all' ? undefined : (oneOf(errorGroupStatuses, search.status) ?? 'open')
  const kind = oneOf(errorKinds, search.type)
  const period = oneOf(periods, search.period)
  if (status) query.status = status
  if (kind) query.kind = kind
  if (search.release) query.release = search.release
  if (period) query.period = period
  return query
}

function statusText({ status }: ErrorListQuery): string {
  return status ?? 'in total'
}

function filterWords({ search }: ListLocation): readonly (string | undefined)[] {
  const kind = oneOf(errorKinds, search.type)
  return [search.q, search.status, kind && kindLabels[kind], search.release]
}
