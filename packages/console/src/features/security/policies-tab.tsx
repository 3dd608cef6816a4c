import type { SecurityPolicies } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import type { SubmitEvent } from 'react'
import { useState } from 'react'
import { usePolicies, useSavePolicies } from '../../data/policies.ts'
import { useRole } from '../../data/session.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { toast } from '../../ui/toast.ts'
import { SignInPolicies } from './sign-in-policies.tsx'
import { idleChoices, lifeChoices, linesOf, retentionChoices, withCurrent } from './policy-choices.ts'

/** Who may come in, from where and for how long. */
export function PoliciesTab() {
  const query = usePolicies()
  const failure = failureOf('Failed to fetch the policies', query)
  if (failure) return <ErrorState {...failure} />
  if (query.data === undefined) {
    return (
      <DelayedSkeleton>
        <span className="block px-(--gutter) py-6">
          <Skeleton className="h-64 max-w-xl" />
        </span>
      </DelayedSkeleton>
    )
  }
  // A change of somebody else starts the form again.
  return <PolicyForm key={JSON.stringify(query.data)} policies={query.data} />
}

function PolicyForm({ policies }: { policies: SecurityPolicies }) {
  const reason = deniedReason(useRole(), 'policies.update')
  const mutation = useSavePolicies()
  const [draft, setDraft] = useState(policies)
  const [domains, setDomains] = useState(policies.allowedDomains.join('\n'))
  const [networks, setNetworks] = useState(policies.allowedNetworks.join('\n'))
  const input = { ...draft, allowedDomains: linesOf(domains), allowedNetworks: linesOf(networks) }
  const isChanged = JSON.stringify(input) !== JSON.stringify(policies)
  const form = useSubmission({
    mutation,
    invalid: {},
    input,
    lost: isChanged ? 'the policies that you changed' : undefined,
    hasField: (path) => path.startsWith('allowed') || path === 'twoFactorFrom',
    onSaved: () => toast('success', 'Policies saved', { description: 'They hold from now on.' }),
  })
  const change = (part: Partial<SecurityPolicies>) => {
    form.onChange()
    setDraft({ ...draft, ...part })
  }
  const errorAt = (field: string) =>
    Object.entries(form.errors).find(([path]) => path === field || path.startsWith(`${field}.`))?.[1]
  const isDisabled = reason !== undefined
  const number = (value: string) => (value === '' ? null : Number(value))
  return (
    <form
      aria-label="Security policies"
      className="min-h-0 flex-1 overflow-y-auto"
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        form.onSubmit()
      }}
    >
      <SignInPolicies
        draft={draft}
        saved={policies}
        disabled={isDisabled}
        errorAt={errorAt}
        onChange={change}
      />
      <SettingsSection
        title="Sessions"
        hint="For everybody in the organization, whichever of their organizations they work in."
      >
        <div className="grid max-w-xl gap-4 sm:grid-cols-2">
          <Field label="End a session after" hint="Counted from signing in.">
            {(control) => (
              <Select
                {...control}
                className="w-full"
                disabled={isDisabled}
                value={String(draft.sessionLifeHours ?? '')}
                options={withCurrent(lifeChoices, draft.sessionLifeHours, 'hours')}
                onChange={({ target }) => change({ sessionLifeHours: number(target.value) })}
              />
            )}
          </Field>
          <Field
            label="End an unused session after"
            hint="An open page counts as used while it asks for data."
          >
            {(control) => (
              <Select
                {...control}
                className="w-full"
                disabled={isDisabled}
                value={String(draft.sessionIdleMinutes ?? '')}
                options={withCurrent(idleChoices, draft.sessionIdleMinutes, 'minutes')}
                onChange={({ target }) => change({ sessionIdleMinutes: number(target.value) })}
              />
            )}
          </Field>
        </div>
      </SettingsSection>
      <SettingsSection
        title="Who may come in"
        hint="Members with another address keep their account and are refused here, with the reason."
      >
        <Field
          label="Domains of e-mail addresses"
          hint="One a line, such as example.com. Empty: any domain."
          error={errorAt('allowedDomains')}
          className="max-w-xl"
        >
          {(control) => (
            <TextArea
              {...control}
              rows={3}
              spellCheck={false}
              disabled={isDisabled}
              value={domains}
              onChange={({ target }) => {
                form.onChange()
                setDomains(target.value)
              }}
            />
          )}
        </Field>
      </SettingsSection>
      <SettingsSection
        title="From where"
        hint="Holds for the console, kubectl and open connections. Behind a proxy the server has to trust it (BEY_TRUSTED_PROXIES)."
      >
        <Field
          label="Networks"
          hint="One a line, such as 10.0.0.0/8 or 203.0.113.7. Empty: from anywhere."
          error={errorAt('allowedNetworks')}
          className="max-w-xl"
        >
          {(control) => (
            <TextArea
              {...control}
              rows={3}
              spellCheck={false}
              disabled={isDisabled}
              className="font-mono"
              value={networks}
              onChange={({ target }) => {
                form.onChange()
                setNetworks(target.value)
              }}
            />
          )}
        </Field>
      </SettingsSection>
      <SettingsSection
        title="Audit log"
        hint="Older entries are removed from the beginning, with a signed mark. Export them first if you must keep them longer."
      >
        <Field label="Keep entries for" className="max-w-xs">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              disabled={isDisabled}
              value={String(draft.auditRetentionDays ?? '')}
              options={withCurrent(retentionChoices, draft.auditRetentionDays, 'days')}
              onChange={({ target }) => change({ auditRetentionDays: number(target.value) })}
            />
          )}
        </Field>
      </SettingsSection>
      <div className="flex flex-col items-start gap-3 px-(--gutter) py-6">
        {form.refusal ? (
          <Notice
            tone="danger"
            title="The policies were not saved"
            actions={
              draft.twoFactorFrom !== null || !draft.allowsPassword ? (
                <Link href="/profile">Open your profile</Link>
              ) : null
            }
          >
            {form.refusal}
          </Notice>
        ) : null}
        <Button
          type="submit"
          variant="primary"
          busy={form.isBusy}
          disabledReason={reason ?? (isChanged ? undefined : 'Nothing was changed.')}
        >
          Save policies
        </Button>
      </div>
    </form>
  )
}
