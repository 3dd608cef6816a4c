import { deniedReason } from '@bey/contract'
import { Network as NetworkIcon, Plus, Route } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Network, NetworkListQuery } from '../../data/networks.ts'
import { useOrganizationId, useRole } from '../../data/session.ts'
import { useList, useRead } from '../../data/use-read.ts'
import { healthOf, HealthSelect } from '../../entities/health/health-select.tsx'
import { NetworkStatus } from '../../entities/networks/network-status.tsx'
import { attachedText, heldText, networkHref } from '../../entities/networks/network-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { listQuery, tableControls, useListLocation } from '../../lib/list-location.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { Column } from '../../ui/table.tsx'
import { NetworkMenu } from './network-menu.tsx'
import { PartTicks } from './part-ticks.tsx'
import { SpaceStrip } from './space-strip.tsx'
import { summaryText } from './summary-text.ts'

const DeleteNetworkDialog = lazyPart(async () => ({
  default: (await import('../../entities/networks/delete-network-dialog.tsx')).DeleteNetworkDialog,
}))

const sorts = ['name', 'health', 'createdAt'] as const

/** The networks of the organization. */
export function NetworkListPage() {
  const listLocation = useListLocation()
  const query: NetworkListQuery = listQuery(listLocation.search, sorts)
  const health = healthOf(listLocation)
  if (health) query.health = health
  const list = useList('networks.list', { query })
  const space = useRead('networks.space', {})
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch networks', list)
  const [deleting, setDeleting] = useState<Network>()
  usePageCommands([apiCommand('List these networks', 'networks.list', { query }, useOrganizationId())])
  return (
    <>
      <ListPage
        title="Networks"
        summary={data && summaryText(data.summary)}
        actions={
          <>
            <ButtonLink href="/networking/reachability" icon={<Route size={14} aria-hidden />}>
              Check reachability
            </ButtonLink>
            <CreateNetworkLink />
          </>
        }
        above={<SpaceStrip space={space.data} />}
        search={{ value: listLocation.search.q ?? '', onChange: (q) => listLocation.change({ q }) }}
        filters={<HealthSelect listLocation={listLocation} />}
        page={data}
        onPageChange={(page) => listLocation.change({ page })}
        columns={columns}
        rows={data?.networks}
        rowKey={({ id }) => id}
        rowHref={({ id }) => networkHref(id)}
        rowLabel={({ name }) => name}
        rowActions={(network) => <NetworkMenu network={network} onDelete={() => setDeleting(network)} />}
        {...tableControls(listLocation, query, { key: 'health', direction: 'asc' }, [
          query.search,
          query.health,
        ])}
        isRefreshing={isPlaceholderData}
        error={failure && <ErrorState {...failure} />}
        empty={
          <EmptyState
            icon={<NetworkIcon size={24} strokeWidth={1.5} aria-hidden />}
            title="No network yet"
            description="A network is a range of addresses with what takes part in it: clusters, namespaces, databases. Bey keeps it apart from the others, and can close it to them."
            action={<CreateNetworkLink />}
          />
        }
      />
      <Suspense fallback={null}>
        {deleting ? <DeleteNetworkDialog network={deleting} onClose={() => setDeleting(undefined)} /> : null}
      </Suspense>
    </>
  )
}

/** Beside the status: why it is so, unless the status says how many policies drifted. */
function asideText({ status, isIsolated, driftCount, reason }: Network): string | null {
  if (status === 'active' || driftCount > 0) return isIsolated ? 'isolated' : null
  return reason
}

const columns: readonly Column<Network>[] = [
  { key: 'name', header: 'Name', sortKey: 'name', width: '16%', cell: ({ name }) => name },
  {
    key: 'health',
    header: 'Health',
    sortKey: 'health',
    cell: (network) => (
      <span className="flex min-w-0 items-center gap-2">
        <NetworkStatus network={network} />
        <span className="truncate text-text-3" title={network.reason ?? undefined}>
          {asideText(network)}
        </span>
      </span>
    ),
  },
  {
    key: 'cidr',
    header: 'Range',
    width: '9rem',
    cell: ({ cidr, cidr6 }) => (
      <code className="text-small" title={cidr6 ?? undefined}>
        {cidr}
      </code>
    ),
  },
  {
    key: 'space',
    header: 'Space, 16 parts',
    width: '8rem',
    isExtra: true,
    cell: (network) => <PartTicks network={network} />,
  },
  { key: 'held', header: 'In use', align: 'end', width: '8rem', cell: heldText },
  {
    key: 'attached',
    header: 'Attached',
    width: '9.5rem',
    cell: (network) => (
      <span className="block truncate" title={attachedText(network)}>
        {attachedText(network)}
      </span>
    ),
  },
  {
    key: 'createdAt',
    header: 'Created',
    sortKey: 'createdAt',
    align: 'end',
    width: '6rem',
    isExtra: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]

function CreateNetworkLink() {
  return (
    <ButtonLink
      href="/networking/create"
      variant="primary"
      icon={<Plus size={14} aria-hidden />}
      disabledReason={deniedReason(useRole(), 'networks.create')}
    >
      Create network
    </ButtonLink>
  )
}
