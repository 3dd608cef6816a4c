import { Trash2 } from 'lucide-react'
import { useCurrentOrganization } from '../../data/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** Shown on every page while the organization waits to be deleted. */
export default function DeletionBanner() {
  const organization = useCurrentOrganization()
  if (!organization?.deletesAt) return null
  return (
    <section
      aria-label="Deletion of the organization"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-warn-soft px-3 py-1.5"
    >
      <Trash2 size={16} aria-hidden className="shrink-0 text-warn" />
      <p className="min-w-0 flex-1 basis-56">
        <strong className="font-semibold">{organization.name}</strong> is deleted{' '}
        <RelativeTime at={organization.deletesAt} /> and can only be read until then.
      </p>
      <ButtonLink size="small" href="/workspaces/settings">
        {organization.role === 'OWNER' ? 'Undo' : 'See who can undo it'}
      </ButtonLink>
    </section>
  )
}
