import type { EventRow } from '@bey/contract'
import { formatNumber } from '../../lib/format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import type { ObjectSubject } from './object-tabs.tsx'

/** What the cluster reported about the object, the latest first. */
export function ObjectEvents({ detail }: Pick<ObjectSubject, 'detail'>) {
  return (
    <Table
      label="Events"
      columns={columns}
      rows={detail.events}
      rowKey={(event) => event.uid}
      empty={
        <EmptyState
          title="No events"
          description="Kubernetes keeps events for about an hour. There were none about this object in that time."
        />
      }
    />
  )
}

const columns: readonly Column<EventRow>[] = [
  { key: 'reason', header: 'Reason', width: '12rem', cell: (event) => event.reason },
  {
    key: 'type',
    header: 'Type',
    width: '7rem',
    cell: (event) => <Status status={event.type} />,
    isVital: true,
  },
  {
    key: 'message',
    header: 'Message',
    cell: (event) => <span className="break-words whitespace-normal">{event.message}</span>,
  },
  {
    key: 'count',
    header: 'Count',
    align: 'end',
    width: '5rem',
    cell: (event) => formatNumber(event.count),
  },
  {
    key: 'lastSeenAt',
    header: 'Last seen',
    align: 'end',
    width: '8rem',
    cell: (event) => <RelativeTime at={event.lastSeenAt} />,
  },
]
