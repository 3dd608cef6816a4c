import { deniedReason } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCreateApiKey } from '../../data/api-keys.ts'
import { useOrganizationId, useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { CommandDetails } from '../../ui/command-details.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Field } from '../../ui/field.tsx'
import { FormPage } from '../../ui/form-page.tsx'
import { Input } from '../../ui/input.tsx'
import { Section } from '../../ui/section.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { emptyDraft, permissionsOf, readDraft } from './key-draft.ts'
import type { KeyDraft } from './key-draft.ts'
import { keyHref, splitList } from './key-text.ts'
import { PermissionPicker } from './permission-picker.tsx'
import { ResourcePicker } from './resource-picker.tsx'
import { ShownToken } from './shown-token.tsx'

const expiries = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'never' },
]

/** Where it is said what a new key may do, and where its secret is shown once. */
export function ApiKeyCreatePage() {
  const [draft, setDraft] = useState(emptyDraft)
  const role = useRole()
  const stale = useStaleReason()
  const navigate = useNavigate()
  const { input, invalid } = readDraft(draft, role)
  const mutation = useCreateApiKey()
  const isManager = deniedReason(role, 'apiKeys.manage') === undefined
  const { errors, refusal, onChange, ...submission } = useSubmission({
    mutation,
    invalid,
    input,
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
        summary={<Summary draft={draft} />}
        refusal={refusal === undefined ? undefined : { title: 'The key was not made', detail: refusal }}
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
        <Section
          title="Permissions"
          aside={
            <Segmented
              label="Permissions"
              options={[
                { value: 'read', label: 'Read only' },
                { value: 'everything', label: `All of ${role}` },
                { value: 'chosen', label: 'Choose' },
              ]}
              value={draft.preset}
              onChange={(preset) =>
                change({ preset, ...(preset === 'chosen' && { chosen: permissionsOf(draft, role) }) })
              }
            />
          }
        >
          {draft.preset === 'chosen' ? (
            <PermissionPicker role={role} chosen={draft.chosen} onChange={(chosen) => change({ chosen })} />
          ) : (
            <p className="text-text-2">
              {draft.preset === 'read'
                ? 'It reads what you may read, and changes nothing.'
                : 'It may do what you may, except for giving access to others: members, keys and the organization itself.'}
            </p>
          )}
          <p role="alert" className={errors['permissions'] ? 'mt-2 text-small text-danger' : 'hidden'}>
            {errors['permissions']}
          </p>
        </Section>
        <Section
          title="Resources"
          aside={
            <Segmented
              label="Resources"
              options={[
                { value: 'all', label: 'All' },
                { value: 'some', label: 'Only some' },
              ]}
              value={draft.isLimited ? 'some' : 'all'}
              onChange={(value) => change({ isLimited: value === 'some' })}
            />
          }
        >
          {draft.isLimited ? (
            <ResourcePicker
              chosen={draft.resources}
              error={errors['resources']}
              onChange={(resources) => change({ resources })}
            />
          ) : (
            <p className="text-text-2">It reaches everything in the organization.</p>
          )}
        </Section>
        <div className="grid gap-6 sm:grid-cols-2">
          <Field label="Expires after">
            {(control) => (
              <Select
                {...control}
                className="w-full"
                value={draft.days}
                options={expiries}
                onChange={(event) => change({ days: event.target.value })}
              />
            )}
          </Field>
          <Field
            label="Requests per minute"
            required={false}
            hint="Empty: as many as a person may send."
            error={errors['requestsPerMinute']}
          >
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                value={draft.rate}
                onChange={(event) => change({ rate: event.target.value })}
              />
            )}
          </Field>
        </div>
        <Field
          label="Allowed addresses"
          required={false}
          hint="Networks in CIDR notation, such as 203.0.113.0/24. Empty: it works from everywhere."
          error={addressError}
        >
          {(control) => (
            <TextArea
              {...control}
              rows={2}
              spellCheck={false}
              className="font-mono text-small"
              value={draft.addresses}
              onChange={(event) => change({ addresses: event.target.value })}
            />
          )}
        </Field>
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

function Summary({ draft }: { draft: KeyDraft }) {
  const role = useRole()
  const organizationId = useOrganizationId()
  const { input } = readDraft(draft, role)
  const create = input && apiCommand('Create this key', 'apiKeys.create', { body: input }, organizationId)
  usePageCommands(create ? [create] : [])
  const networks = splitList(draft.addresses).length
  return (
    <Section title="What will be made" isCard>
      <Facts
        facts={[
          { label: 'Name', value: draft.name || '—' },
          { label: 'Belongs to', value: draft.isPersonal ? 'me' : 'the organization' },
          { label: 'Permissions', value: permissionsOf(draft, role).length },
          { label: 'Resources', value: draft.isLimited ? draft.resources.length : 'all' },
          { label: 'Networks', value: networks === 0 ? 'any' : networks },
          { label: 'Expires', value: draft.days === 'never' ? 'never' : `after ${draft.days} days` },
        ]}
      />
      {create ? <CommandDetails label="Command that creates this key" text={create.text} /> : null}
    </Section>
  )
}
