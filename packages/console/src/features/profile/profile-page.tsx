import type { User } from '@bey/contract'
import { useCurrentOrganization, useUser } from '../../data/session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { useTimeStyle } from '../../ui/time-style.ts'
import { dateText } from '../../ui/time-text.ts'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { TimeForm } from './time-form.tsx'

/** Who is signed in, and what they decide about their own account. */
export function ProfilePage() {
  const user = useUser()
  if (!user) return null
  return (
    <>
      <PageHeader
        title="Profile"
        description="Your profile, as other members of your organizations see it."
      />
      <Identity user={user} />
      <SettingsSection
        title="Name"
        hint="In the audit trail, beside what you did, and in the list of members."
      >
        <NameForm key={user.name} name={user.name} />
      </SettingsSection>
      <SettingsSection
        title="Password"
        hint="Changing it logs you out everywhere else. Downloaded kubeconfigs keep working until they expire or are revoked."
      >
        <PasswordForm email={user.email} />
      </SettingsSection>
      <SettingsSection title="Time and date" hint="The format of every absolute time in the console.">
        <TimeForm />
      </SettingsSection>
      <SettingsSection title="Appearance" hint="Theme, colours, density and motion.">
        <ButtonLink href="/workspaces/settings/appearance">Change appearance</ButtonLink>
      </SettingsSection>
      <SettingsSection title="Organizations" hint="Your organizations and your role in each.">
        <Memberships user={user} />
      </SettingsSection>
    </>
  )
}

function Identity({ user }: { user: User }) {
  useTimeStyle()
  return (
    <section
      aria-label="User"
      className="flex flex-wrap items-center gap-x-5 gap-y-3 border-b border-line px-(--gutter) py-6"
    >
      <Avatar email={user.email} size={64} />
      <div className="min-w-0">
        <p className="text-dialog font-semibold break-words">{user.name}</p>
        <p className="break-all text-text-2">{user.email}</p>
        <p className="mt-1 text-small text-text-3">
          Member since {dateText(new Date(user.createdAt))} · The picture is made from your email address.
        </p>
      </div>
    </section>
  )
}

function Memberships({ user }: { user: User }) {
  const current = useCurrentOrganization()
  return (
    <div className="flex max-w-xl flex-col gap-4">
      {user.organizations.length > 0 ? (
        <ul className="divide-y divide-line rounded-card border border-line">
          {user.organizations.map((membership) => (
            <li key={membership.id} className="flex min-h-9 items-center justify-between gap-4 px-3 py-1.5">
              <span className="inline-flex min-w-0 items-center gap-2 font-medium">
                <span className="min-w-0 break-words">{membership.name}</span>
                {membership.id === current?.id ? <Badge tone="accent">current</Badge> : null}
              </span>
              <span className="text-text-2">{membership.role}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-text-2">You belong to none yet.</p>
      )}
      <div>
        <ButtonLink href="/workspaces/create">Create organization</ButtonLink>
      </div>
    </div>
  )
}
