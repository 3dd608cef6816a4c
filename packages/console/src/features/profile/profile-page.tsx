import { useCurrentOrganization, useUser } from '../../data/session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'

type Membership = NonNullable<ReturnType<typeof useUser>>['organizations'][number]

/** Who is signed in, and the organizations that they belong to. */
export function ProfilePage() {
  const user = useUser()
  const current = useCurrentOrganization()
  if (!user) return null
  const columns: Column<Membership>[] = [
    {
      key: 'name',
      header: 'Organization',
      cell: (membership) => (
        <span className="inline-flex items-center gap-2">
          {membership.name}
          {membership.id === current?.id ? <Badge tone="accent">current</Badge> : null}
        </span>
      ),
    },
    { key: 'role', header: 'Your role', cell: (membership) => membership.role, width: '10rem' },
  ]
  return (
    <>
      <PageHeader title="Profile" description="You, as colleagues in your organizations see you." />
      <section aria-label="User" className="flex items-center gap-4 border-b border-line px-(--gutter) py-5">
        <Avatar email={user.email} size={48} />
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5">
          <dt className="text-text-3">Name</dt>
          <dd className="font-medium">{user.name}</dd>
          <dt className="text-text-3">Email</dt>
          <dd className="break-all">{user.email}</dd>
          <dt className="text-text-3">Member since</dt>
          <dd>
            <RelativeTime at={user.createdAt} />
          </dd>
        </dl>
      </section>
      <div className="flex items-center justify-between gap-4 px-(--gutter) pt-5 pb-2">
        <h2 className="font-semibold">Organizations</h2>
        <ButtonLink href="/workspaces/create" size="small">
          Create organization
        </ButtonLink>
      </div>
      <Table
        label="Organizations"
        columns={columns}
        rows={user.organizations}
        rowKey={(membership) => String(membership.id)}
        minWidth="20rem"
        empty={null}
      />
    </>
  )
}
