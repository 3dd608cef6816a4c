import { clusterCan, deniedReason } from '@bey/contract'
import { useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useCluster } from '../../data/clusters.ts'
import { useRole, useUser } from '../../data/session.ts'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { EditorSkeleton } from '../../entities/kubernetes/yaml/yaml-tab.tsx'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

const ManifestForm = lazyPart(async () => ({ default: (await import('./manifest-form.tsx')).ManifestForm }))

/** Where objects of a cluster are written, pasted or dropped, reviewed and applied. */
export function ManifestCreatePage() {
  const params: { id?: string } = useParams({ strict: false })
  const id = Number(params.id)
  const cluster = useCluster(id)
  const user = useUser()
  const denied = deniedReason(useRole(), 'kubernetes.write')
  const failure = failureOf('Failed to fetch cluster', cluster)
  const { data } = cluster
  usePageTitle('Create objects', data ? [{ label: data.title, href: clusterHref(data.id) }] : [])
  if (isMissing(cluster)) {
    return (
      <>
        <PageHeader title="Cluster not found" />
        <EmptyState
          title={`There is no cluster ${params.id ?? ''} in this organization`}
          description="It may have been deleted, or the address is not right."
          action={<ButtonLink href="/kubernetes/clusters">All clusters</ButtonLink>}
        />
      </>
    )
  }
  const reason = data && clusterCan.connect(data)
  return (
    <>
      <PageHeader
        title="Create objects"
        description={
          data ? (
            <>
              In <Link href={clusterHref(data.id)}>{data.title}</Link>: one object or several, nothing is
              applied before you have seen what it does.
            </>
          ) : (
            ' '
          )
        }
      />
      {failure && !data ? <ErrorState {...failure} /> : null}
      {reason ? <EmptyState title="Nothing can be created now" description={reason} /> : null}
      {data && user && !reason ? (
        <Suspense fallback={<EditorSkeleton />}>
          <ManifestForm cluster={data} userId={user.id} denied={denied} />
        </Suspense>
      ) : null}
    </>
  )
}
