import type { Webhook, WebhookDelivery } from '@bey/contract'
import { deliveryStatuses, deniedReason, isWebhookEvent, webhookEventNames } from '@bey/contract'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useRole } from '../../data/session.ts'
import type { DeliveryListQuery } from '../../data/webhooks.ts'
import { useList } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { oneOf, useListLocation } from '../../lib/list-location.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { statusLook } from '../../ui/status-table.ts'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import type { FoldedDelivery } from './fold-deliveries.ts'
import { foldDeliveries } from './fold-deliveries.ts'
import { answerText } from './webhook-text.ts'

/** The log of a webhook. A row opens what was sent and answered. */
export function DeliveriesTab({ webhook }: { webhook: Webhook }) {
  const listLocation = useListLocation()
  const query = queryOf(listLocation)
  const list = useList('webhooks.deliveries', { params: { id: webhook.id }, query })
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch deliveries', list)
  const denied = deniedReason(useRole(), 'webhooks.manage')
  const [openId, setOpenId] = useState<string>()
  const [isReplaying, setReplaying] = useState(false)
  const [showsEach, setShowsEach] = useState(false)
  const folded = data && foldDeliveries(data.deliveries)
  const foldedCount = (data?.deliveries.length ?? 0) - (folded?.length ?? 0)
  const filter = [query.status && statusLook(query.status).label, query.type].filter(Boolean).join(' · ')
  return (
    <>
      <Toolbar
        pages={data ? <Pagination {...data} onPageChange={(page) => listLocation.change({ page })} /> : null}
      >
        <FilterSelect
          label="Status"
          all="All statuses"
          value={query.status}
          options={deliveryStatuses.map((value) => ({ value, label: statusLook(value).label }))}
          onChange={(status) => listLocation.change({ status })}
        />
        <FilterSelect
          label="Event"
          all="All events"
          value={query.type}
          options={[...new Set([...webhookEventNames, ...webhook.events])]}
          onChange={(type) => listLocation.change({ type })}
        />
        <Button
          size="small"
          icon={<RotateCw size={14} aria-hidden />}
          disabledReason={denied}
          onClick={() => setReplaying(true)}
        >
          Replay…
        </Button>
        {foldedCount > 0 ? (
          <Button
            size="small"
            variant="ghost"
            aria-pressed={showsEach}
            onClick={() => setShowsEach(!showsEach)}
          >
            {showsEach
              ? 'Fold equal ones'
              : `Show each of ${formatCount(data?.deliveries.length ?? 0, 'message')}`}
          </Button>
        ) : null}
      </Toolbar>
      <Table
        label="Deliveries"
        isFilled
        columns={columns(setOpenId)}
        rows={showsEach ? data?.deliveries.map(asRow) : folded}
        rowKey={({ delivery }) => delivery.id}
        rowLabel={({ delivery }) => delivery.type}
        peek={{ current: openId, open: setOpenId }}
        isRefreshing={isPlaceholderData}
        error={failure && <ErrorState {...failure} />}
        filter={filter ? { query: filter, onClear: listLocation.clear } : undefined}
        empty={
          <EmptyState
            title="Nothing was sent yet"
            description="Messages appear here with what was sent and answered, for 30 days. Send a test to see whether the receiver works."
          />
        }
      />
      {openId ? (
        <DeliveryDrawer webhook={webhook} deliveryId={openId} onClose={() => setOpenId(undefined)} />
      ) : null}
      {isReplaying ? <ReplayDialog webhook={webhook} onClose={() => setReplaying(false)} /> : null}
    </>
  )
}

const columns = (open: (id: string) => void): readonly Column<FoldedDelivery>[] => [
  {
    key: 'type',
    header: 'Event',
    cell: ({ delivery: { id, type, isTest }, count }) => (
      <span className="inline-flex max-w-full min-w-0 items-center gap-x-2 max-sm:flex-wrap">
        <button
          type="button"
          className="min-w-0 truncate rounded-badge text-left max-sm:whitespace-normal underline-offset-2 hover:underline"
          onClick={() => open(id)}
        >
          {type}
        </button>
        {count > 1 ? <span className="shrink-0 font-normal text-text-2">× {formatNumber(count)}</span> : null}
        {isTest ? <Badge>test</Badge> : null}
      </span>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    width: '9rem',
    isVital: true,
    cell: ({ delivery }) => <Status status={delivery.status} of="run" />,
  },
  {
    key: 'answer',
    header: 'Answer',
    width: '30%',
    cell: ({ delivery }) => (
      <span className="block truncate" data-tooltip={delivery.lastError ?? answerText(delivery)}>
        {answerText(delivery)}
      </span>
    ),
  },
  {
    key: 'attempts',
    header: 'Attempts',
    align: 'end',
    width: '6rem',
    cell: ({ delivery }) => delivery.attempts,
  },
  {
    key: 'next',
    header: 'Next attempt',
    align: 'end',
    width: '8rem',
    isExtra: true,
    cell: ({ nextAttemptAt }) => <RelativeTime at={nextAttemptAt} />,
  },
  {
    key: 'createdAt',
    header: 'Event at',
    align: 'end',
    width: '8rem',
    cell: ({ delivery }) => <RelativeTime at={delivery.createdAt} />,
  },
]

const asRow = (delivery: WebhookDelivery): FoldedDelivery => ({
  delivery,
  count: 1,
  nextAttemptAt: delivery.nextAttemptAt,
})

function queryOf({ search }: ListLocation): DeliveryListQuery {
  const query: DeliveryListQuery = {}
  const status = oneOf(deliveryStatuses, search.status)
  const type = search.type && isWebhookEvent(search.type) ? search.type : undefined
  if (search.page) query.page = search.page
  if (status) query.status = status
  if (type) query.type = type
  return query
}
