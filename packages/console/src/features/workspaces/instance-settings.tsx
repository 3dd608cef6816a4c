import type { Instance } from '@bey/contract'
import { useInstance } from '../../data/instance.ts'
import { codeOf, errorText } from '../../lib/error-text.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { GeneralForm } from './instance/general-form.tsx'
import { ReadOnlyForm } from './instance/read-only-form.tsx'
import { ProviderForm } from './instance/provider-form.tsx'
import { SmtpForm } from './instance/smtp-form.tsx'
import { InstanceTabs } from './instance-tabs.tsx'

/** Settings of the whole server, for the people who operate it. */
export function InstanceSettingsPage() {
  const instance = useInstance()
  return (
    <>
      <PageHeader
        title="Instance"
        description="Settings of this server, for all its organizations. Variables of its environment win and are shown as such."
      >
        <InstanceTabs current="settings" />
      </PageHeader>
      {instance.data ? (
        <Sections instance={instance.data} />
      ) : codeOf(instance.error) === 'forbidden' ? (
        <EmptyState
          title="These settings belong to the operator"
          description="An owner of the first organization of this server changes them here; so does its environment."
        />
      ) : instance.isError ? (
        <ErrorState
          {...errorText('The settings could not be loaded', instance.error)}
          onRetry={() => void instance.refetch()}
        />
      ) : (
        <div className="px-(--gutter) py-6">
          <Skeleton className="h-64 max-w-xl" />
        </div>
      )}
    </>
  )
}

const hints = {
  github: 'Register an OAuth app at GitHub, under Settings, Developer settings.',
  google: 'Make an OAuth client of the type web application in the Google Cloud console.',
  oidc: 'Any OpenID Connect provider, such as Keycloak, Entra ID, Okta or Dex.',
}

function Sections({ instance }: { instance: Instance }) {
  return (
    <>
      <SettingsSection title="General" hint="Where people find the console, and who may make an account.">
        <GeneralForm key={JSON.stringify([instance.publicUrl, instance.signup])} instance={instance} />
      </SettingsSection>
      <SettingsSection
        title="Read-only mode"
        hint="Everything can be read, changes are refused, steps under way end and no other begins: for upgrades and moves."
      >
        <ReadOnlyForm key={String(instance.readOnly.isOn)} readOnly={instance.readOnly} />
      </SettingsSection>
      <SettingsSection
        title="Mail"
        hint="Invitations, password links and notices leave by this server. Without it links are shown, or kept in a file."
      >
        <SmtpForm key={JSON.stringify(instance.smtp)} smtp={instance.smtp} />
      </SettingsSection>
      {instance.providers.map((provider) => (
        <SettingsSection
          key={provider.id}
          title={provider.id === 'oidc' ? 'Single sign-on' : provider.label}
          hint={hints[provider.id]}
        >
          <ProviderForm key={JSON.stringify(provider)} provider={provider} />
        </SettingsSection>
      ))}
    </>
  )
}
