import type { Webhook } from '@bey/contract'
import { deniedReason, entities } from '@bey/contract'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useOrganizationId, useRole } from '../../data/session.ts'
import type { WebhookListQuery } from '../../data/webhooks.ts'
import { useList } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
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
import { lastDeliveryText, webhookHref } from './webhook-text.ts'

const sorts = ['name', 'createdAt'] as const
const statuses = ['enabled', 'failing', 'paused', 'auto_disabled'] as const
const statusLabels = {
  enabled: 'Enabled',
  failing: 'Failing',
  paused: 'Paused',
  auto_disabled: 'Disabled by the server',
}

/** The webhooks of the organization. */
export function WebhookListPage() {
  const listLocation = useListLocation()
  const query = queryOf(listLocation)
  const list = useList('webhooks.list', { query })
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch webhooks', list)
  usePageCommands([apiCommand('List these webhooks', 'webhooks.list', { query }, useOrganizationId())])
  return (
    <ListPage
      title="Webhooks"
      summary={data && formatCount(data.total, 'webhook')}
      actions={<CreateWebhookLink />}
      search={{ value: listLocation.search.q ?? '', onChange: (q) => listLocation.change({ q }) }}
      filters={
        <FilterSelect
          label="Status"
          all="All statuses"
          value={query.status}
          options={statuses.map((value) => ({ value, label: statusLabels[value] }))}
          onChange={(status) => listLocation.change({ status })}
        />
      }
      page={data}
      onPageChange={(page) => listLocation.change({ page })}
      columns={columns}
      rows={data?.webhooks}
      rowKey={({ id }) => id}
      rowHref={({ id }) => webhookHref(id)}
      rowLabel={entities.webhook.label}
      {...tableControls(listLocation, query, { key: 'name', direction: 'asc' }, [
        query.search,
        query.status && statusLabels[query.status],
      ])}
      isRefreshing={isPlaceholderData}
      error={failure && <ErrorState {...failure} />}
      empty={<NoWebhooks />}
    />
  )
}

const columns: readonly Column<Webhook>[] = [
  {
    key: 'name',
    header: 'Name',
    sortKey: 'name',
    cell: ({ name, host }) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <span className="min-w-0 truncate" title={name}>
          {name}
        </span>
        <span className="hidden min-w-0 flex-1 truncate font-normal text-text-3 lg:inline">{host}</span>
      </span>
    ),
  },
  {
    key: 'events',
    header: 'Events',
    width: '11rem',
    isExtra: true,
    cell: ({ events }) => (
      <span className="block truncate" title={events.join(', ')}>
        {events.length === 1 ? events[0] : formatCount(events.length, 'event')}
      </span>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    width: '8rem',
    isVital: true,
    cell: ({ status }) => <Status status={status} />,
  },
  {
    key: 'waiting',
    header: 'Waiting',
    align: 'end',
    width: '6rem',
    cell: ({ waiting }) => (waiting === 0 ? '—' : waiting),
  },
  {
    key: 'answer',
    header: 'Last answer',
    align: 'end',
    width: '8rem',
    cell: (webhook) => lastDeliveryText(webhook),
  },
  {
    key: 'last',
    header: 'Last sent',
    align: 'end',
    width: '8rem',
    cell: ({ lastDelivery }) => <RelativeTime at={lastDelivery?.at} />,
  },
]

function CreateWebhookLink() {
  return (
    <ButtonLink
      href="/workspaces/settings/webhooks/create"
      variant="primary"
      icon={<Plus size={14} aria-hidden />}
      disabledReason={deniedReason(useRole(), 'webhooks.manage')}
    >
      Create webhook
    </ButtonLink>
  )
}

function NoWebhooks() {
  return (
    <EmptyState
      icon={<WebhookIcon size={24} strokeWidth={1.5} aria-hidden />}
      title="No webhooks yet"
      description="A webhook calls a system of yours when a run ends, a cluster changes or a secret is read. Messages are signed by Standard Webhooks, tried again for three days, and can be replayed from their log."
      action={<CreateWebhookLink />}
    />
  )
}

function queryOf({ search }: ListLocation): WebhookListQuery {
  const query: WebhookListQuery = listQuery(search, sorts)
  const status = oneOf(statuses, search.status)
  if (status) query.status = status
  return query
}
