import { useSearch } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'
import { useClusters } from '../../data/clusters.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { ClusterDebug } from './cluster-debug.tsx'
import { useChosen } from './use-chosen.ts'

/** Clusters as the API has them, for people who look for what went wrong. */
export function DebugClustersPage() {
  const list = useClusters({ limit: 200 })
  const { data } = list
  const failure = failureOf('Failed to fetch clusters', list)
  const search: Record<string, unknown> = useSearch({ strict: false })
  const { chosen, isDeleted } = useChosen(data?.clusters, Number(search['cluster']))
  return (
    <>
      <PageHeader
        title="Debug clusters"
        description="Raw records, runs and live messages. Actions are real; deleting asks first."
      />
      {failure && <ErrorState {...failure} />}
      {data && !chosen ? (
        <EmptyState
          icon={<Boxes size={24} strokeWidth={1.5} aria-hidden />}
          title="No clusters yet"
          description="A cluster shows here with everything that the server knows about it."
          action={<ButtonLink href="/kubernetes/clusters/create">Create cluster</ButtonLink>}
        />
      ) : null}
      {!data && !failure ? (
        <DelayedSkeleton>
          <Skeleton className="mx-(--gutter) my-6 h-60" />
        </DelayedSkeleton>
      ) : null}
      {data && chosen ? (
        <div className="grid gap-6 px-(--gutter) py-5 lg:grid-cols-[15rem_minmax(0,1fr)]">
          <nav aria-label="Clusters" className="max-h-60 overflow-y-auto lg:max-h-none">
            <p className="px-2 pb-1 text-small text-text-3">
              {data.total > data.clusters.length
                ? `The newest ${data.clusters.length} of ${data.total}`
                : formatCount(data.total, 'cluster')}
            </p>
            <ul>
              {data.clusters.map((cluster) => (
                <li key={cluster.id}>
                  <Link
                    href={`/debug-clusters?cluster=${cluster.id}`}
                    aria-current={cluster.id === chosen.id ? 'page' : undefined}
                    className={cx(
                      'flex min-h-8 items-center justify-between gap-2 rounded-control px-2 hover:bg-hover touch:min-h-9',
                      cluster.id === chosen.id && 'bg-active font-medium',
                    )}
                  >
                    <span className="min-w-0 truncate">{cluster.title}</span>
                    <Status status={cluster.status} />
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <ClusterDebug key={chosen.id} cluster={chosen} isDeleted={isDeleted} />
        </div>
      ) : null}
    </>
  )
}
