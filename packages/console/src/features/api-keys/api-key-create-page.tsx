import { deniedReason } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { Field } from '../../ui/field.tsx'
import { FormPage } from '../../ui/form-page.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { emptyDraft, readDraft } from './key-draft.ts'
import type { KeyDraft } from './key-draft.ts'
import { KeyLimitFields } from './key-limit-fields.tsx'
import { KeyPermissions, KeyResources } from './key-rights-fields.tsx'
import { KeySummary } from './key-summary.tsx'
import { keyHref } from './key-text.ts'
import { ShownToken } from './shown-token.tsx'

/** The form of a new key; its secret is shown once, after it is made. */
export function ApiKeyCreatePage() {
  const [draft, setDraft] = useState(emptyDraft)
  const role = useRole()
  const stale = useStaleReason()
  const navigate = useNavigate()
  const { input, invalid } = readDraft(draft, role)
  const mutation = useChange('apiKeys.create', { isSecret: true })
  const isManager = deniedReason(role, 'apiKeys.manage') === undefined
  const { errors, refusal, onChange, ...submission } = useSubmission({
    mutation,
    invalid,
    input: input && { body: input },
    lost: draft.name === '' ? undefined : 'the key that you describe',
    fieldOfCode: { name_taken: 'name' },
    onSaved: () => undefined,
  })
  const change = (part: Partial<KeyDraft>) => {
    setDraft({ ...draft, ...part })
    onChange()
  }
  const addressError = Object.entries(errors).find(([path]) => path.startsWith('allowedAddresses'))?.[1]
  return (
    <>
      <FormPage
        title="Create API key"
        description="For a program that calls the API, follows live events or speaks to clusters."
        {...submission}
        summary={<KeySummary draft={draft} />}
        refusal={refusal === undefined ? undefined : { title: 'The key was not created', detail: refusal }}
        disabledReason={deniedReason(role, 'apiKeys.create') ?? stale}
        cancelHref="/workspaces/settings/api-keys"
      >
        <Field
          label="Name"
          required
          hint="What uses it: deploys from CI, for example."
          error={errors['name']}
        >
          {(control) => (
            <Input
              {...control}
              value={draft.name}
              autoComplete="off"
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Belongs to"
          hint={
            draft.isPersonal
              ? 'It never exceeds your role, and ends when you leave the organization.'
              : 'It keeps the role that you have now, also after you have left.'
          }
        >
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={draft.isPersonal ? 'me' : 'organization'}
              options={[
                { value: 'me', label: 'me' },
                {
                  value: 'organization',
                  label: isManager ? 'the organization' : 'the organization (only owners and admins)',
                  disabled: !isManager,
                },
              ]}
              onChange={(event) => change({ isPersonal: event.target.value === 'me' })}
            />
          )}
        </Field>
        <KeyPermissions draft={draft} error={errors['permissions']} onChange={change} role={role} />
        <KeyResources draft={draft} error={errors['resources']} onChange={change} />
        <KeyLimitFields
          draft={draft}
          rateError={errors['requestsPerMinute']}
          addressError={addressError}
          onChange={change}
        />
      </FormPage>
      {mutation.data ? (
        <ShownToken
          made={mutation.data}
          onDone={() => void navigate({ href: keyHref(mutation.data.key.id), replace: true })}
        />
      ) : null}
    </>
  )
}
