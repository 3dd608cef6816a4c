import type { ClusterState, UnreadableCluster } from '@bey/contract'
import { useFollow } from '../../data/live.ts'
import { clusterHref } from '../clusters/cluster-text.ts'
import { sinceText } from '../../ui/time-text.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { Button } from '../../ui/button.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'

/** What a list over all clusters says of them. */
export interface ClustersRead {
  clusters: readonly ClusterState[]
  unreadable: readonly UnreadableCluster[]
  namespaces: readonly string[]
}

/** Narrows a list to one cluster and to one namespace. */
export function ClusterFilters({
  data,
  listLocation,
  hasNamespaces = true,
}: {
  data: ClustersRead | undefined
  listLocation: ListLocation
  hasNamespaces?: boolean
}) {
  const { search, change } = listLocation
  const all = [...(data?.clusters ?? []), ...(data?.unreadable ?? [])]
  return (
    <>
      <FilterSelect
        label="Cluster"
        className="w-40"
        all="All clusters"
        value={search.cluster}
        options={all.map(({ id, title }) => ({ value: String(id), label: title }))}
        onChange={(cluster) => change({ cluster, namespace: undefined })}
      />
      {hasNamespaces ? (
        <FilterSelect
          label="Namespace"
          className="w-40"
          all="All namespaces"
          value={search.namespace}
          options={data?.namespaces ?? []}
          onChange={(namespace) => change({ namespace })}
        />
      ) : null}
    </>
  )
}

/** The id of the cluster that the address asks for. */
export function askedCluster({ search }: ListLocation): number | undefined {
  const id = Number(search.cluster)
  return Number.isInteger(id) && id > 0 ? id : undefined
}

/** Which clusters are missing from the list and why, and which of them show what they said before. */
export function ClusterNotices({
  data,
  onRetry,
  isRetrying,
}: {
  data: ClustersRead
  onRetry: () => void
  isRetrying: boolean
}) {
  const old = data.clusters.flatMap(({ noAnswerSince, ...each }) =>
    noAnswerSince === null ? [] : [{ ...each, noAnswerSince }],
  )
  if (data.unreadable.length === 0 && old.length === 0) return null
  return (
    <div className="grid shrink-0 gap-2 border-t border-line px-(--gutter) py-2">
      {data.unreadable.map(({ id, title, reason }) => (
        <Notice
          key={id}
          tone="warn"
          title={
            <>
              <Link href={clusterHref(id)} className="rounded-badge underline underline-offset-2">
                {title}
              </Link>{' '}
              is missing from this list
            </>
          }
          actions={
            <Button size="small" onClick={onRetry} busy={isRetrying}>
              Try now
            </Button>
          }
        >
          {reason}
        </Notice>
      ))}
      {old.map(({ id, title, noAnswerSince }) => (
        <Notice key={id} tone="warn" title={`No answer from ${title} since ${sinceText(noAnswerSince)}`}>
          Its rows show what it said last.
        </Notice>
      ))}
    </div>
  )
}

/** Clusters whose changes a page hears of; what others change is seen when the list is read again. */
const maxFollowed = 20

/** Hears of what changes in the clusters of a list. */
export function FollowClusters({ clusters }: { clusters: readonly ClusterState[] }) {
  return clusters.slice(0, maxFollowed).map(({ id }) => <FollowCluster key={id} id={id} />)
}

function FollowCluster({ id }: { id: number }) {
  useFollow({ kind: 'cluster_resources', clusterId: id })
  return null
}
