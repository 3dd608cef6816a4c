import type { SecurityPolicies } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import type { SubmitEvent } from 'react'
import { useState } from 'react'
import { useRole } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { useChange } from '../../data/use-change.ts'
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
import { toast } from '../../ui/toast.ts'
import { AccessPolicies } from './access-policies.tsx'
import { policySentence } from './policy-sentence.ts'
import { SessionPolicies } from './session-policies.tsx'
import { SignInPolicies } from './sign-in-policies.tsx'
import { chosenNumber, linesOf, retentionChoices, withCurrent } from './policy-choices.ts'

/** Who may access the organization, from where and for how long. */
export function PoliciesTab() {
  const query = useRead('policies.get', {})
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
  const mutation = useChange('policies.update')
  const [draft, setDraft] = useState(policies)
  const [domains, setDomains] = useState(policies.allowedDomains.join('\n'))
  const [networks, setNetworks] = useState(policies.allowedNetworks.join('\n'))
  const input = { ...draft, allowedDomains: linesOf(domains), allowedNetworks: linesOf(networks) }
  const isChanged = JSON.stringify(input) !== JSON.stringify(policies)
  const form = useSubmission({
    mutation,
    invalid: {},
    input: { body: input },
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
  return (
    <form
      aria-label="Security policies"
      className="min-h-0 flex-1 overflow-y-auto"
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        form.onSubmit()
      }}
    >
      <p className="border-b border-line px-(--gutter) py-3 font-medium">{policySentence(policies)}</p>
      <SignInPolicies
        draft={draft}
        saved={policies}
        disabled={isDisabled}
        errorAt={errorAt}
        onChange={change}
      />
      <SessionPolicies draft={draft} disabled={isDisabled} onChange={change} />
      <AccessPolicies
        domains={domains}
        networks={networks}
        disabled={isDisabled}
        errorAt={errorAt}
        onDomainsChange={(next) => {
          form.onChange()
          setDomains(next)
        }}
        onNetworksChange={(next) => {
          form.onChange()
          setNetworks(next)
        }}
      />
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
              onChange={({ target }) => change({ auditRetentionDays: chosenNumber(target.value) })}
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
