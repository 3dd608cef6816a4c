import type { User } from '@bey/contract'
import type { ReactNode } from 'react'
import { useCurrentOrganization, useUser } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { errorText } from '../../lib/error-text.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useTimeStyle } from '../../ui/time-style.ts'
import { dateText } from '../../ui/time-text.ts'
import { LinkedAccountsSection } from './linked-accounts-section.tsx'
import { NameForm } from './name-form.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordForm } from './password-form.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { SetPassword } from './set-password.tsx'
import { TokensSection } from './tokens-section.tsx'
import { TwoFactorSection } from './two-factor-section.tsx'
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
      <SignInSections email={user.email} />
      <SettingsSection
        title="Sessions and devices"
        hint="Where you are logged in. An ended session is cut off within a second."
      >
        <SessionsSection />
      </SettingsSection>
      <SettingsSection
        title="Keys and kubeconfigs"
        hint="What acts for you without a session, in all your organizations."
      >
        <TokensSection />
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

/** What secures the account. */
function SignInSections({ email }: { email: string }) {
  const security = useRead('account.security', {})
  const { data } = security
  const whenKnown = (draw: (known: NonNullable<typeof data>) => ReactNode) => {
    if (data) return draw(data)
    if (!security.isError) return <Skeleton className="h-16 max-w-xl" />
    return (
      <ErrorState
        {...errorText('This could not be loaded', security.error)}
        onRetry={() => void security.refetch()}
        isCompact
      />
    )
  }
  return (
    <>
      <SettingsSection
        title="Password"
        hint="Changing it logs you out everywhere else. Downloaded kubeconfigs keep working until they expire or are revoked."
      >
        {data?.hasPassword === false ? <SetPassword email={email} /> : <PasswordForm email={email} />}
      </SettingsSection>
      <SettingsSection
        title="Two-factor authentication"
        hint="A second proof beside your password: what you know, and what you have."
      >
        {whenKnown((known) => (
          <TwoFactorSection security={known} email={email} />
        ))}
      </SettingsSection>
      <SettingsSection title="Passkeys" hint="They log you in alone, and count as a second factor.">
        {whenKnown((known) => (
          <PasskeysSection passkeys={known.passkeys} />
        ))}
      </SettingsSection>
      <SettingsSection title="Linked accounts" hint="Accounts of other providers that log you in here.">
        {whenKnown((known) => (
          <LinkedAccountsSection accounts={known.linkedAccounts} />
        ))}
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
