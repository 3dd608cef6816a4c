import { useUser } from '../../data/session.ts'
import { readJson, storage } from '../../lib/storage.ts'
import { Facts } from '../../ui/facts.tsx'

/** Which organization each part of the console believes to be in: they must agree. */
export function OrganizationBlock() {
  const user = useUser()
  return (
    <Facts
      facts={[
        { label: 'Selected organization', value: storedName() ?? '—' },
        { label: 'Active organization id', value: user?.active_organization_id ?? '—' },
        { label: 'Stored organization id', value: storage.read('organizationId') ?? '—' },
        { label: 'Available organizations', value: user?.organizations.length ?? 0 },
      ]}
    />
  )
}

function storedName(): string | undefined {
  const stored = readJson(storage, 'selectedOrganization')
  if (typeof stored !== 'object' || stored === null || !('name' in stored)) return undefined
  return String(stored.name)
}
