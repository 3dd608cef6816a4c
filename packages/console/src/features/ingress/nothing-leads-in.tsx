import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { IngressAnswer } from './ingress-page.tsx'

/** An empty list of this service: whether there is no cluster, or nothing of the kind in the clusters. */
export function NothingLeadsIn({
  data,
  title,
  what,
}: {
  data: IngressAnswer | undefined
  title: string
  /** What is listed, as in "Hosts of all running clusters": in lower case. */
  what: string
}) {
  const hasClusters = (data?.clusters.length ?? 0) + (data?.unreadable.length ?? 0) > 0
  return hasClusters ? (
    <EmptyState
      title={title}
      description={`The ${what} of all running clusters appear here as soon as one is applied to one of them.`}
      action={<ButtonLink href="/kubernetes/clusters">Open the clusters</ButtonLink>}
    />
  ) : (
    <EmptyState
      title="No cluster runs yet"
      description={`The ${what} of all running clusters are listed here, what needs attention first.`}
      action={
        <ButtonLink variant="primary" href="/kubernetes/clusters/create">
          Create cluster
        </ButtonLink>
      }
    />
  )
}
