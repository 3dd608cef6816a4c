import { databaseProviders, deniedReason } from '@bey/contract'
import { Archive, Database as DatabaseIcon, Plug, Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Database, DatabaseListQuery } from '../../data/databases.ts'
import { useOrganizationId, useRole } from '../../data/session.ts'
import { useList } from '../../data/use-read.ts'
import { DatabaseStatus } from '../../entities/databases/database-status.tsx'
import { DrillTicks } from './drill-ticks.tsx'
import {
  databaseHref,
  engineText,
  placeText,
  rateLabel,
  ratePerSecond,
} from '../../entities/databases/database-text.ts'
import { healthOf, HealthSelect } from '../../entities/health/health-select.tsx'
import { healthGroupWords } from '../../entities/health/health-words.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatBytes, formatNumber } from '../../lib/format.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { listQuery, oneOf, tableControls, useListLocation } from '../../lib/list-location.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { ConnectionShare } from './connection-share.tsx'
import { useDatabaseListKeys } from './database-keys.ts'
import { DatabaseMenu } from './database-menu.tsx'
import { Runway } from './runway.tsx'
import { summaryWithProofs } from './summary-text.ts'
import { useGrowths } from './use-growth.ts'

const DeleteDatabaseDialog = lazyPart(async () => ({
  default: (await import('../../entities/databases/delete-database-dialog.tsx')).DeleteDatabaseDialog,
}))

const sorts = ['name', 'health', 'createdAt'] as const
const placeLabels = { embedded: 'This machine', external: 'External', cnpg: 'On a cluster' } as const

/** The databases of the organization. */
export function DatabaseListPage() {
  const listLocation = useListLocation()
  const query = queryOf(listLocation)
  const list = useList('databases.list', { query })
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch databases', list)
  const [deleting, setDeleting] = useState<Database>()
  const growths = useGrowths(data?.databases ?? none)
  const isByHealth = (query.sort ?? 'health') === 'health'
  useDatabaseListKeys(data?.databases)
  usePageCommands([apiCommand('List these databases', 'databases.list', { query }, useOrganizationId())])
  return (
    <>
      <ListPage
        title="Databases"
        summary={data && summaryWithProofs(data.summary)}
        actions={
          <>
            <ButtonLink href="/databases/backup-targets" icon={<Archive size={14} aria-hidden />}>
              Backup targets
            </ButtonLink>
            <ConnectExternalLink />
            <CreateDatabaseLink />
          </>
        }
        search={{ value: listLocation.search.q ?? '', onChange: (q) => listLocation.change({ q }) }}
        filters={
          <>
            <FilterSelect
              label="Where"
              all="All places"
              value={listLocation.search.type}
              options={databaseProviders.map((value) => ({ value, label: placeLabels[value] }))}
              onChange={(type) => listLocation.change({ type })}
            />
            <HealthSelect listLocation={listLocation} />
          </>
        }
        page={data}
        onPageChange={(page) => listLocation.change({ page })}
        columns={columnsWith(growths)}
        group={isByHealth ? groupOf : undefined}
        rows={data?.databases}
        rowKey={({ id }) => id}
        rowHref={({ id }) => databaseHref(id)}
        rowLabel={({ name }) => name}
        rowActions={(database) => <DatabaseMenu database={database} onDelete={() => setDeleting(database)} />}
        {...tableControls(listLocation, query, { key: 'health', direction: 'asc' }, [
          query.search,
          query.provider,
          query.health,
        ])}
        isRefreshing={isPlaceholderData}
        error={failure && <ErrorState {...failure} />}
        empty={
          <EmptyState
            icon={<DatabaseIcon size={24} strokeWidth={1.5} aria-hidden />}
            title="No database yet"
            description="The first is ready in a few seconds on this machine: a PostgreSQL server of its own, with its password among the secrets. One that exists already is taken in by its address."
            action={
              <>
                <CreateDatabaseLink />
                <ConnectExternalLink />
              </>
            }
          />
        }
      />
      <Suspense fallback={null}>
        {deleting ? (
          <DeleteDatabaseDialog database={deleting} onClose={() => setDeleting(undefined)} />
        ) : null}
      </Suspense>
    </>
  )
}

function queryOf(listLocation: ListLocation): DatabaseListQuery {
  const query: DatabaseListQuery = listQuery(listLocation.search, sorts)
  const provider = oneOf(databaseProviders, listLocation.search.type)
  const health = healthOf(listLocation)
  if (provider) query.provider = provider
  if (health) query.health = health
  return query
}

const none: readonly Database[] = []
const groupWords = { ...healthGroupWords, degraded: 'Needs attention' } as const

/** Rows of one state of health stand under its heading; how many there are elsewhere the page does not know. */
function groupOf({ health }: Database) {
  return { key: health.state, heading: <Status status={health.state} label={groupWords[health.state]} /> }
}

const columnsWith = (growths: ReturnType<typeof useGrowths>): readonly Column<Database>[] => [
  {
    key: 'name',
    header: 'Name',
    sortKey: 'name',
    width: '20%',
    cell: (database) => (
      <>
        {database.name} <span className="font-normal text-text-3">{engineText(database)}</span>
      </>
    ),
  },
  {
    key: 'health',
    header: 'Health',
    sortKey: 'health',
    cell: (database) => (
      <span className="flex min-w-0 items-center gap-2">
        <DatabaseStatus database={database} />
        <span className="truncate text-text-3" title={database.reason ?? undefined}>
          {database.status === 'available' ? '' : database.reason}
        </span>
      </span>
    ),
  },
  { key: 'where', header: 'Where', width: '8rem', cell: (database) => placeText(database) },
  {
    key: 'size',
    header: 'Size',
    align: 'end',
    width: '6rem',
    cell: ({ figures }) => formatBytes(figures?.sizeBytes),
  },
  {
    key: 'runway',
    header: 'Days until full',
    headContent: (
      <>
        Full in <span className="font-normal text-text-3">30, 60, 90 d</span>
      </>
    ),
    width: '8.5rem',
    isExtra: true,
    cell: ({ id }) => <Runway growth={growths.get(id)} />,
  },
  {
    key: 'drills',
    header: 'Proven',
    width: '9rem',
    isExtra: true,
    cell: ({ provider, drills }) => {
      const last = drills.at(-1)
      if (provider === 'external') return <span className="text-text-3">not backed up</span>
      return (
        <span className="inline-flex items-end gap-2">
          <DrillTicks drills={drills} />
          {last === undefined ? null : <RelativeTime at={last.at} />}
        </span>
      )
    },
  },
  {
    key: 'connections',
    header: 'Connections',
    align: 'end',
    width: '7.5rem',
    cell: ({ status, figures }) =>
      figures === null || status === 'hibernated' ? '—' : <ConnectionShare figures={figures} />,
  },
  {
    key: 'transactions',
    header: 'Load/s',
    align: 'end',
    width: '5rem',
    isExtra: true,
    cell: (database) => {
      const rate = database.status === 'available' ? ratePerSecond(database) : null
      return rate === null ? (
        '—'
      ) : (
        <span title={`${rateLabel(database)} a second`}>{formatNumber(Number(rate.toFixed(1)))}</span>
      )
    },
  },
]

function CreateDatabaseLink() {
  return (
    <ButtonLink
      href="/databases/create"
      variant="primary"
      icon={<Plus size={14} aria-hidden />}
      disabledReason={deniedReason(useRole(), 'databases.create')}
    >
      Create database
    </ButtonLink>
  )
}

function ConnectExternalLink() {
  return (
    <ButtonLink
      href="/databases/create?where=external"
      icon={<Plug size={14} aria-hidden />}
      disabledReason={deniedReason(useRole(), 'databases.create')}
    >
      Connect external
    </ButtonLink>
  )
}
