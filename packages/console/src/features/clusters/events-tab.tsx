import type { Cluster, EventRow } from '@bey/contract'
import { objectPath, resourceOfKind } from '@bey/contract'
import { useMemo, useState } from 'react'
import type { EventQuery } from '../../data/kubernetes.ts'
import { useKubernetesEvents } from '../../data/kubernetes.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { oneOf, useListLocation } from '../../lib/list-location.ts'
import { Button } from '../../ui/button.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { NamespaceSelect, ResourceList } from '../../entities/kubernetes/resource-list.tsx'
import type { FoldedEvents } from './fold-events.ts'
import { eachEvent, foldEvents } from './fold-events.ts'

const types = ['Normal', 'Warning'] as const
/** As many as a page can have: what is folded must be on one. */
const readEvents = 200

export function EventsTab({ cluster }: { cluster: Cluster }) {
  const listLocation = useListLocation()
  const list = useKubernetesEvents(cluster.id, queryOf(listLocation), cluster.status === 'RUNNING')
  const [showsEach, setShowsEach] = useState(false)
  const events = list.data?.events
  const rows = useMemo(() => events && (showsEach ? eachEvent : foldEvents)(events), [events, showsEach])
  return (
    <ResourceList
      cluster={cluster}
      noun="events"
      columns={columns}
      list={list}
      rows={rows}
      kubectlResources="events"
      rowHref={({ event }) => eventObjectPath(cluster.id, event)}
      listLocation={listLocation}
      defaultSort={{ key: 'lastSeenAt', direction: 'desc' }}
      emptyText="Kubernetes keeps events for about an hour. There were none in that time."
      filters={
        <>
          <NamespaceSelect cluster={cluster} listLocation={listLocation} />
          <FilterSelect
            label="Type"
            all="All types"
            value={oneOf(types, listLocation.search.type)}
            options={types}
            onChange={(type) => listLocation.change({ type })}
          />
          {events && (showsEach || (rows && rows.length < events.length)) ? (
            <Button
              size="small"
              variant="ghost"
              aria-pressed={showsEach}
              onClick={() => setShowsEach(!showsEach)}
            >
              {showsEach ? 'Fold equal ones' : `Show each of ${formatCount(events.length, 'event')}`}
            </Button>
          ) : null}
        </>
      }
    />
  )
}

/** The page of the object that an event is about; the custom resources where its kind is none of Kubernetes' own. */
function eventObjectPath(clusterId: number, { object, namespace }: EventRow): string {
  const [kind = '', ...rest] = object.split('/')
  const name = rest.join('/')
  const resource = resourceOfKind(kind)
  if (!resource || name === '') return clusterHref(clusterId, 'custom')
  const isWithin = kind !== 'Node' && kind !== 'Namespace' && kind !== 'PersistentVolume'
  return objectPath({ clusterId, resource, namespace: isWithin ? namespace : '', name })
}

const columns: readonly Column<FoldedEvents>[] = [
  {
    key: 'reason',
    header: 'Reason',
    width: '12rem',
    cell: ({ event }) => event.reason,
  },
  { key: 'type', header: 'Type', width: '7rem', cell: ({ event }) => <Status status={event.type} /> },
  {
    key: 'object',
    header: 'Object',
    width: '22%',
    cell: ({ event, object, objectCount }) => (
      <Truncated
        tooltip={`${objectCount > 1 ? `The newest of ${objectCount}: ` : ''}${event.object}\nNamespace ${event.namespace}`}
        keepsEnd={objectCount === 1}
      >
        {objectCount > 1 ? `${object} × ${objectCount}` : event.object}
      </Truncated>
    ),
  },
  {
    key: 'message',
    header: 'Message',
    cell: ({ event }) => <Truncated>{event.message}</Truncated>,
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
    cell: ({ event }) => <RelativeTime at={event.lastSeenAt} />,
  },
]

function queryOf({ search }: ListLocation): EventQuery {
  const query: EventQuery = { limit: readEvents }
  const type = oneOf(types, search.type)
  if (search.page) query.page = search.page
  if (search.q) query.search = search.q
  if (search.namespace) query.namespace = search.namespace
  if (type) query.type = type
  return query
}
