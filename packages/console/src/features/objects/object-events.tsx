import type { EventGroup, EventRow } from '@bey/contract'
import { noNamespace, objectPath, resourceOfKind } from '@bey/contract'
import { useState } from 'react'
import { useObjectEvents } from '../../data/kubernetes.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { Status } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { asKubernetesObject } from './kubernetes-object.ts'
import type { ObjectSubject } from './object-tabs.tsx'

/** What the cluster reported about the object and everything that belongs to it, by reason: warnings first. */
export function ObjectEvents({ cluster, detail }: ObjectSubject) {
  const { metadata } = asKubernetesObject(detail.object)
  const query = useObjectEvents({
    id: cluster.id,
    resource: detail.resource.resource,
    namespace: metadata?.namespace ?? noNamespace,
    name: metadata?.name ?? '',
  })
  const [open, setOpen] = useState<string>()
  const failure = failureOf('Failed to fetch events', query)
  const groups = query.data?.groups
  return (
    <Table
      label="Events"
      columns={columnsOf(open, setOpen)}
      rows={groups}
      rowKey={keyOf}
      rowLabel={({ reason }) => reason}
      expansion={{
        current: open,
        content: (group) => <GroupEvents clusterId={cluster.id} group={group} />,
      }}
      error={failure && !groups ? <ErrorState {...failure} /> : undefined}
      empty={
        <EmptyState
          title="No events"
          description="Kubernetes keeps events for about an hour. There were none in that time about this object or what belongs to it."
        />
      }
    />
  )
}

const keyOf = ({ type, reason }: EventGroup) => `${type} ${reason}`

function columnsOf(
  open: string | undefined,
  setOpen: (key: string | undefined) => void,
): readonly Column<EventGroup>[] {
  return [
    {
      key: 'reason',
      header: 'Reason',
      width: '15rem',
      cell: (group) => {
        const isOpen = open === keyOf(group)
        return (
          <button
            type="button"
            data-row-target=""
            aria-expanded={isOpen}
            onClick={() => setOpen(isOpen ? undefined : keyOf(group))}
            className="max-w-full truncate rounded-badge text-left font-medium hover:underline"
            data-tooltip={group.reason}
          >
            {group.reason}
          </button>
        )
      },
    },
    {
      key: 'type',
      header: 'Type',
      width: '7rem',
      cell: ({ type }) => <Status status={type} />,
      isVital: true,
    },
    {
      key: 'message',
      header: 'Latest',
      cell: ({ events }) => (
        <span className="block truncate" data-tooltip={latestText(events[0])}>
          {events[0]?.message}
        </span>
      ),
    },
    {
      key: 'objects',
      header: 'Objects',
      align: 'end',
      width: '5.5rem',
      isExtra: true,
      cell: ({ objects }) => formatNumber(objects),
    },
    {
      key: 'spans',
      header: 'Last hour',
      width: '8rem',
      cell: (group) => (
        <span data-tooltip="Of what is repeated, the first and the last time are known; the rest is spread evenly between them.">
          <Sparkline values={group.spans} label={spanText(group)} width={96} height={18} />
        </span>
      ),
    },
    {
      key: 'count',
      header: 'Count',
      align: 'end',
      width: '5rem',
      cell: ({ count }) => formatNumber(count),
    },
    {
      key: 'lastSeenAt',
      header: 'Last seen',
      align: 'end',
      width: '8rem',
      cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} />,
    },
  ]
}

const latestText = (event: EventRow | undefined) => event && `${event.object}\n${event.message}`

/** "12 in the last hour, most of them 4 min ago" needs no more than how many. */
function spanText({ spans, reason }: EventGroup): string {
  const sum = Math.round(spans.reduce((total, value) => total + value, 0))
  return `${reason}: ${formatCount(sum, 'report')} in the last hour`
}

/** Each event of a group with its object. */
function GroupEvents({ clusterId, group }: { clusterId: number; group: EventGroup }) {
  return (
    <ul className="divide-y divide-line px-(--gutter) py-2">
      {group.events.map((event) => (
        <li
          key={event.uid}
          className="grid gap-x-4 gap-y-0.5 py-1.5 md:grid-cols-[minmax(0,18rem)_minmax(0,1fr)_auto]"
        >
          <EventObject clusterId={clusterId} event={event} />
          <span className="min-w-0 break-words text-text-2">{event.message}</span>
          <span className="text-small whitespace-nowrap text-text-2 tabular-nums">
            {event.count > 1 ? `${formatNumber(event.count)} × · ` : ''}
            <RelativeTime at={event.lastSeenAt} />
          </span>
        </li>
      ))}
      {group.objects > group.events.length ? (
        <li className="py-1.5 text-small text-text-2">
          The latest {formatNumber(group.events.length)} are shown.
        </li>
      ) : null}
    </ul>
  )
}

function EventObject({ clusterId, event }: { clusterId: number; event: EventRow }) {
  const [kind = '', ...rest] = event.object.split('/')
  const name = rest.join('/')
  const resource = resourceOfKind(kind)
  const isWithin = kind !== 'Node' && kind !== 'Namespace' && kind !== 'PersistentVolume'
  return (
    <span className="min-w-0 break-all">
      {resource && name !== '' ? (
        <Link
          href={objectPath({ clusterId, resource, namespace: isWithin ? event.namespace : '', name })}
          className="rounded-badge font-medium hover:text-accent-text hover:underline"
        >
          {name}
        </Link>
      ) : (
        <span className="font-medium">{name}</span>
      )}{' '}
      <span className="text-text-2">{kind}</span>
    </span>
  )
}
