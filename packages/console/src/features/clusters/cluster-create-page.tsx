import { deniedReason } from '@bey/contract'
import type { ClusterProvider } from '@bey/contract'
import { useClusterProviders } from '../../data/clusters.ts'
import { useRole } from '../../data/session.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { ClusterForm } from './cluster-form-view.tsx'

/** Where a new cluster is described, looked over and created. */
export function ClusterCreatePage() {
  const providers = useClusterProviders()
  const { data } = providers
  const failure = failureOf('Failed to fetch providers', providers)
  const denied = deniedReason(useRole(), 'clusters.create')
  return (
    <>
      <PageHeader
        title="Create cluster"
        description="Provisioning starts at once, and you can follow every step."
      />
      {denied ? (
        <div className="px-(--gutter) pt-4">
          <Notice tone="warn" title="You can view clusters, but not create them">
            {denied}
          </Notice>
        </div>
      ) : null}
      {data ? <Choice providers={data.providers} denied={denied} /> : null}
      {failure && <ErrorState {...failure} />}
      {data || failure ? null : <FormSkeleton />}
    </>
  )
}

function Choice({
  providers,
  denied,
}: {
  providers: readonly ClusterProvider[]
  denied: string | undefined
}) {
  const [first] = providers
  if (first) return <ClusterForm providers={providers} first={first} deniedReason={denied} />
  return (
    <EmptyState
      title="No provider to create a cluster with"
      description="This server offers no provider. Its operator can enable one."
      action={<ButtonLink href="/kubernetes/clusters">All clusters</ButtonLink>}
    />
  )
}

function FormSkeleton() {
  return (
    <DelayedSkeleton>
      <span className="flex max-w-2xl flex-col gap-6 px-(--gutter) py-6">
        <Skeleton className="h-20 w-full" />
        <Skeleton className="h-8 w-full" />
        <Skeleton className="h-8 w-full" />
        <Skeleton className="h-32 w-full" />
      </span>
    </DelayedSkeleton>
  )
}
