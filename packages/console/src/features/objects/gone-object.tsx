import type { Cluster } from '@bey/contract'
import { kindOfResource } from '@bey/contract'
import type { ReactNode } from 'react'
import { useObjectHistory } from '../../data/kubernetes-changes.ts'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { HistoryTab } from '../../entities/kubernetes/history/history-tab.tsx'
import { resourceListHref } from '../../entities/kubernetes/tab-resources.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** The page of an object that is not there any more: what it was while its changes were kept, else `otherwise`. */
export function GoneObject({
  cluster,
  address,
  otherwise,
}: {
  cluster: Cluster
  address: { resource: string; namespace: string; name: string }
  otherwise: ReactNode
}) {
  const { resource, namespace, name } = address
  const history = useObjectHistory(cluster.id, address, 'gone')
  const newest = history.data?.versions[0]
  if (history.isPending) return null
  if (!newest) return otherwise
  const kind = kindOfResource(resource) ?? resource
  const place = namespace === '' ? {} : { namespace }
  return (
    <>
      <PageHeader
        title={name}
        aside={<Badge>{kind}</Badge>}
        description={
          <>
            {newest.change === 'deleted' ? (
              <>
                Deleted <RelativeTime at={newest.at} />
                {newest.by ? ` by ${newest.by}` : ''}
              </>
            ) : (
              <>
                Not in the cluster any more, last changed <RelativeTime at={newest.at} />
              </>
            )}
            {' · '}
            <Link href={clusterHref(cluster.id)}>{cluster.title}</Link>
            {namespace ? ` · ${namespace}` : ''}
          </>
        }
        actions={
          <ButtonLink href={resourceListHref(cluster.id, { resource, kind, ...place })}>
            Open the list
          </ButtonLink>
        }
      />
      <HistoryTab clusterId={cluster.id} object={{ kind, ...address }} version="gone" />
    </>
  )
}
