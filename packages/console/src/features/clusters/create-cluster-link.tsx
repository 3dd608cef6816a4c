import { deniedReason } from '@bey/contract'
import { Plus } from 'lucide-react'
import { useRole } from '../../data/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'

/** The way to a new cluster, or the reason why there is none for this role. */
export function CreateClusterLink() {
  const reason = deniedReason(useRole(), 'clusters.create')
  const icon = <Plus size={14} aria-hidden />
  if (reason) {
    return (
      <Button variant="primary" icon={icon} disabledReason={reason}>
        Create cluster
      </Button>
    )
  }
  return (
    <ButtonLink variant="primary" icon={icon} href="/kubernetes/clusters/create">
      Create cluster
    </ButtonLink>
  )
}
