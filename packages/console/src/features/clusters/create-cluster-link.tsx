import { deniedReason } from '@bey/contract'
import { FileInput, Plus } from 'lucide-react'
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

/** The way to clusters that exist already. */
export function ImportClustersLink() {
  return (
    <ButtonLink
      icon={<FileInput size={14} aria-hidden />}
      href="/kubernetes/clusters/import"
      disabledReason={deniedReason(useRole(), 'clusters.create')}
    >
      Import clusters
    </ButtonLink>
  )
}
