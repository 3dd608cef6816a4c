import type { CallOutput, ClusterCaches, KindCacheFigures } from '@bey/contract'
import { useState } from 'react'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatBytes, formatCount, formatDuration, formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Meter } from '../../ui/meter.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { useRead } from '../../data/use-read.ts'

type Caches = CallOutput<'kubernetes.caches'>
type Row = KindCacheFigures & { cluster: string; clusterId: number }

/** How many of the largest are shown at once. */
const shownFirst = 12

/** What the server keeps of clusters in its memory, for whom, and what it costs. */
export function CacheSection({ isAllowed }: { isAllowed: boolean }) {
  const query = useRead('kubernetes.caches', {}, { isEnabled: isAllowed, refreshMs: 30_000 })
  const failure = failureOf('Failed to fetch the caches', query)
  const { data } = query
  return (
    <>
      <Section title="Quotas of this organization">
        {data ? <Quotas quotas={data.quotas} /> : <Waiting />}
      </Section>
      <Section
        title="Watch caches"
        aside={
          data
            ? `${formatCount(data.watches, 'watch', 'watches')}, ${formatCount(data.rows, 'row')}, about ${formatBytes(data.bytes)}`
            : null
        }
      >
        <p className="mb-3 max-w-prose text-text-2">
          Every kind of a cluster is watched once, however many people look at it
          {data ? `, and for ${formatDuration(data.idleMs)} after its last reader` : ''}. The bytes are those
          of the rows as JSON, estimated from a sample.
        </p>
        {failure && !data ? <ErrorState {...failure} isCompact /> : <Kinds caches={data} />}
      </Section>
      <Section title="Open streams">{data ? <Streams clusters={data.clusters} /> : <Waiting />}</Section>
    </>
  )
}

function Quotas({ quotas }: { quotas: Caches['quotas'] }) {
  return (
    <div className="grid gap-x-10 gap-y-4 lg:grid-cols-2">
      <Meter
        label="Sandboxes of this organization"
        used={quotas.sandboxes.used}
        total={quotas.sandboxes.most}
        format={formatNumber}
      />
      <Meter
        label="Imported clusters"
        used={quotas.imported.used}
        total={quotas.imported.most}
        format={formatNumber}
      />
    </div>
  )
}

function Kinds({ caches }: { caches: Caches | undefined }) {
  const [isWhole, setWhole] = useState(false)
  const rows = caches?.clusters
    .flatMap(({ id, title, kinds }) => kinds.map((kind): Row => ({ ...kind, cluster: title, clusterId: id })))
    .toSorted((a, b) => b.bytes - a.bytes)
  const rest = (rows?.length ?? 0) - shownFirst
  return (
    <div className="flex flex-col items-start gap-2">
      <TableCard>
        <Table
          label="Watch caches"
          columns={columns}
          rows={isWhole ? rows : rows?.slice(0, shownFirst)}
          rowKey={(row) => `${row.clusterId}/${row.name}`}
          rowLabel={(row) => `${row.name} of ${row.cluster}`}
          skeletonRows={6}
          empty={
            <EmptyState
              title="Nothing is watched"
              description="A kind is watched from the moment somebody opens it in a running cluster."
            />
          }
        />
      </TableCard>
      {rest > 0 && !isWhole ? (
        <Button size="small" onClick={() => setWhole(true)}>
          Show {formatCount(rest, 'smaller one')}
        </Button>
      ) : null}
    </div>
  )
}

function Streams({ clusters }: { clusters: readonly ClusterCaches[] }) {
  const open = clusters.filter(({ openStreams }) => openStreams > 0)
  if (open.length === 0) {
    return <p className="text-text-2">No watch, log or session is open through this server.</p>
  }
  return (
    <ul className="max-w-xl divide-y divide-line border-y border-line">
      {open.map(({ id, title, openStreams }) => (
        <li key={id} className="flex justify-between gap-4 py-2">
          <Link href={clusterHref(id)} className="truncate underline-offset-2 hover:underline">
            {title}
          </Link>
          <span className="text-text-2">
            {formatCount(openStreams, 'watch, log or session', 'watches, logs and sessions')}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Waiting() {
  return (
    <DelayedSkeleton>
      <Skeleton className="h-10 w-full" />
    </DelayedSkeleton>
  )
}

const readerTexts = { health: 'health', changes: 'change history', pages: 'open pages' } as const

const columns: readonly Column<Row>[] = [
  {
    key: 'name',
    header: 'Kind',
    cell: ({ name }) => (name.startsWith('rows of ') ? `${name.slice(8)} (list)` : name),
  },
  {
    key: 'cluster',
    header: 'Cluster',
    width: '10rem',
    cell: ({ cluster, clusterId }) => (
      <Link href={clusterHref(clusterId)} className="underline-offset-2 hover:underline">
        {cluster}
      </Link>
    ),
  },
  { key: 'rows', header: 'Rows', width: '5rem', align: 'end', cell: ({ rows }) => formatNumber(rows) },
  { key: 'bytes', header: 'Bytes', width: '6rem', align: 'end', cell: ({ bytes }) => formatBytes(bytes) },
  {
    key: 'readers',
    header: 'Readers',
    width: '14rem',
    cell: ({ readers, lastReadAt }) =>
      readers.length > 0 ? (
        readers.map((reader) => readerTexts[reader]).join(', ')
      ) : (
        <>
          none, read <RelativeTime at={lastReadAt} />
        </>
      ),
  },
  {
    key: 'isLive',
    header: 'State',
    width: '8rem',
    cell: ({ isLive, failure, asOf }) =>
      isLive ? (
        <Status status="healthy" label="live" />
      ) : (
        <span data-tooltip={failure ?? undefined}>
          <Status status="warning" label="as of" /> <RelativeTime at={asOf} />
        </span>
      ),
  },
  {
    key: 'startedAt',
    header: 'Since',
    width: '7rem',
    align: 'end',
    cell: ({ startedAt }) => <RelativeTime at={startedAt} />,
  },
]
