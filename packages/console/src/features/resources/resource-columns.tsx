import { resourceKindOf, type ResourceRow } from '@bey/contract'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { Icon } from '../../entities/icon.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { Column } from '../../ui/table.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { kindLabel } from './resource-text.ts'

/** Where a resource lies: cluster and namespace. */
export function placeText({ cluster, namespace, kind }: ResourceRow): string {
  if (kind === 'cluster' || !cluster) return '—'
  return namespace === null ? cluster.title : `${cluster.title} / ${namespace}`
}

/** Who looks after it. */
export function OwnerName({ owner }: Pick<ResourceRow, 'owner'>) {
  if (!owner) return <span className="text-text-3">—</span>
  return (
    <span className={owner.isMember ? 'block truncate' : 'block truncate text-text-3'}>{owner.name}</span>
  )
}

export const resourceColumns: readonly Column<ResourceRow>[] = [
  {
    key: 'name',
    header: 'Name',
    sortKey: 'name',
    width: '26%',
    cell: ({ name, kind }) => (
      <span className="flex min-w-0 items-center gap-2">
        <Icon name={resourceKindOf(kind)?.icon ?? 'box'} size={14} />
        <span className="min-w-0 flex-1">
          <Truncated keepsEnd={kind === 'pod'}>{name}</Truncated>
        </span>
      </span>
    ),
  },
  { key: 'kind', header: 'Kind', sortKey: 'kind', width: '8.5rem', cell: ({ kind }) => kindLabel(kind) },
  {
    key: 'health',
    header: 'Health',
    sortKey: 'health',
    width: '10.5rem',
    isVital: true,
    cell: ({ health }) =>
      health ? <HealthStatus health={health} /> : <span className="text-text-3">—</span>,
  },
  {
    key: 'since',
    header: 'Since',
    align: 'end',
    width: '6.5rem',
    isExtra: true,
    cell: ({ health }) =>
      health && health.state !== 'healthy' ? <RelativeTime at={health.since} /> : <span>—</span>,
  },
  { key: 'owner', header: 'Owner', width: '9rem', cell: OwnerName },
  {
    key: 'place',
    header: 'Lives in',
    sortKey: 'cluster',
    width: '12rem',
    cell: (row) => <Truncated>{placeText(row)}</Truncated>,
  },
  {
    key: 'tags',
    header: 'Tags',
    width: '9rem',
    isExtra: true,
    cell: ({ tags }) => <Truncated>{tags.join(' ') || '—'}</Truncated>,
  },
  {
    key: 'createdAt',
    header: 'Age',
    sortKey: 'createdAt',
    align: 'end',
    width: '7.5rem',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]
