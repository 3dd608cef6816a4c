import { deniedReason } from '@bey/contract'
import { useRole } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FormPagePlaceholder } from '../../ui/form-page.tsx'
import { ClusterForm, head } from './cluster-form-view.tsx'

/** Where a new cluster is described, looked over and created. */
export function ClusterCreatePage() {
  const providers = useRead('clusters.providers', {})
  const failure = failureOf('Failed to fetch providers', providers)
  const denied = deniedReason(useRole(), 'clusters.create')
  const [first, ...others] = providers.data?.providers ?? []
  if (first) return <ClusterForm providers={[first, ...others]} deniedReason={denied} />
  return (
    <FormPagePlaceholder {...head}>
      {failure && <ErrorState {...failure} />}
      {providers.data ? <NoProvider /> : undefined}
    </FormPagePlaceholder>
  )
}

function NoProvider() {
  return (
    <EmptyState
      title="No provider to create a cluster with"
      description="This server offers no provider. Its operator can enable one."
      action={<ButtonLink href="/kubernetes/clusters">All clusters</ButtonLink>}
    />
  )
}
