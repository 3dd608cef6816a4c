import type { OrganizationDetail } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useOrganizationId, useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useRead } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { useTimeStyle } from '../../ui/time-style.ts'
import { dateText } from '../../ui/time-text.ts'
import { DeleteOrganization } from './delete-organization.tsx'
import { LeaveOrganization } from './leave-organization.tsx'
import { OrganizationNameForm } from './organization-name-form.tsx'
import { OrganizationDefaultsForm } from './organization-defaults-form.tsx'

/** What the organization is called and how it behaves, how one leaves it, and how it ends. */
export function OrganizationSettingsPage() {
  const organization = useRead('organization.get', {})
  const failure = failureOf('Failed to fetch the organization', organization)
  const organizationId = useOrganizationId()
  usePageCommands([apiCommand('Show this organization', 'organization.get', {}, organizationId)])
  return (
    <>
      <PageHeader
        title="Workspace settings"
        description="Settings that apply to everyone in this organization."
      />
      {failure ? <ErrorState {...failure} /> : null}
      {organization.data ? (
        <Settings key={organization.data.id} organization={organization.data} />
      ) : failure ? null : (
        <DelayedSkeleton>
          <span className="grid gap-8 px-(--gutter) py-6">
            <Skeleton className="h-16 max-w-xl" />
            <Skeleton className="h-24 max-w-xl" />
            <Skeleton className="h-24 max-w-xl" />
          </span>
        </DelayedSkeleton>
      )}
    </>
  )
}

function Settings({ organization }: { organization: OrganizationDetail }) {
  const denied = deniedReason(useRole(), 'organization.update')
  const stale = useStaleReason()
  const deleting = organization.deletion
    ? 'The organization is being deleted and can only be read.'
    : undefined
  const reason = denied ?? deleting ?? stale
  return (
    <>
      <Identity organization={organization} />
      <SettingsSection title="Name" hint="At the top of the sidebar, in invitations and in the audit log.">
        <OrganizationNameForm key={organization.name} name={organization.name} disabledReason={reason} />
      </SettingsSection>
      <SettingsSection title="Defaults" hint="Each choice applies at once.">
        <OrganizationDefaultsForm organization={organization} disabledReason={reason} />
      </SettingsSection>
      <SettingsSection title="Members" hint="Who belongs here, with which role.">
        <ButtonLink href="/workspaces/members">
          {formatCount(organization.memberCount, 'member')}, {formatCount(organization.ownerCount, 'owner')}
        </ButtonLink>
      </SettingsSection>
      <SettingsSection
        title="Leave"
        hint="Your tokens and grants here end. What you started goes on, and you can be invited again."
      >
        <LeaveOrganization organization={organization} />
      </SettingsSection>
      <SettingsSection
        title="Delete"
        hint="An owner can undo it for seven days, in which the organization can only be read."
      >
        <DeleteOrganization organization={organization} />
      </SettingsSection>
    </>
  )
}

function Identity({ organization }: { organization: OrganizationDetail }) {
  useTimeStyle()
  return (
    <section
      aria-label="Organization"
      className="flex flex-wrap items-center gap-x-5 gap-y-3 border-b border-line px-(--gutter) py-6"
    >
      <Avatar email={`organization:${organization.id}`} size={64} />
      <div className="min-w-0">
        <p className="text-dialog font-semibold break-words">{organization.name}</p>
        <p className="mt-1 text-small text-text-3">
          Created on {dateText(new Date(organization.createdAt))} · Organization {organization.id} · The
          picture is made from that number.
        </p>
      </div>
    </section>
  )
}
