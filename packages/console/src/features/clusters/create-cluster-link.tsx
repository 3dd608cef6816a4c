import { deniedReason } from '@bey/contract'
import { Plus } from 'lucide-react'
import { useRole } from '../../data/session.ts'
import { ButtonLink } from '../../ui/button.tsx'

/** The way to a new cluster, or the reason why there is none for this role. */
export function CreateClusterLink() {
  return (
    <ButtonLink
      variant="primary"
      icon={<Plus size={14} aria-hidden />}
      href="/kubernetes/clusters/create"
      disabledReason={deniedReason(useRole(), 'clusters.create')}
    >
      Create cluster
    </ButtonLink>
  )
}
