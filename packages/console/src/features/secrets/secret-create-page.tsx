import type { SecretType } from '@bey/contract'
import { deniedReason, secretTypeLabels, secretTypes } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { NewSecret } from '../../data/secrets.ts'
import { useOrganizationId, useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { secretHref, secretReference } from '../../entities/secrets/secret-text.ts'
import { fieldErrorsOf } from '../../lib/error-text.ts'
import type { FieldErrors } from '../../lib/use-submission.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { CommandDetails } from '../../ui/command-details.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Field } from '../../ui/field.tsx'
import { FormPage } from '../../ui/form-page.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { emptyDraft, nameError, lostText, readDraft } from './secret-draft.ts'
import type { SecretDraft } from './secret-draft.ts'
import { readValue } from './value-draft.ts'
import { ValueFacts } from './value-facts.tsx'
import { ValueFields } from './value-fields.tsx'

/** Where a secret is described and its value typed, pasted or generated. */
export function SecretCreatePage() {
  const [draft, setDraft] = useState(emptyDraft)
  const inspect = useChange('secrets.inspect', { isSecret: true })
  const navigate = useNavigate()
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'secrets.create')
  const { input, invalid } = readDraft(draft)
  const { errors, refusal, onChange, ...submission } = useSubmission({
    mutation: useChange('secrets.create', { isSecret: true }),
    invalid,
    input: input && { body: input },
    lost: lostText(draft),
    fieldOfCode: { name_taken: 'name' },
    onSaved: ({ id }) => void navigate({ href: secretHref(id) }),
  })
  const shown: FieldErrors = { ...fieldErrorsOf(inspect.error), ...errors }
  const inspectValue = () => {
    const isReadable = draft.type === 'certificate' || draft.type === 'kubeconfig'
    const value = readValue(draft.type, draft.value)
    if (isReadable && 'value' in value && !inspect.data && !denied)
      inspect.mutate({ body: { type: draft.type, value: value.value } })
  }
  const change = (part: Partial<SecretDraft>) => {
    setDraft({ ...draft, ...part })
    onChange()
  }

  return (
    <FormPage
      title="Create secret"
      description="The value is encrypted with your organization's own key before it is stored."
      {...submission}
      notice={
        denied ? (
          <Notice tone="warn" title="You can view secrets, but not create them">
            {denied}
          </Notice>
        ) : null
      }
      summary={
        <>
          <Summary draft={draft} input={input} />
          {inspect.data ? <ValueFacts facts={inspect.data} type={draft.type} isCard /> : null}
        </>
      }
      refusal={refusal === undefined ? undefined : { title: 'The secret was not stored', detail: refusal }}
      disabledReason={denied ?? stale}
      cancelHref="/secrets"
    >
      <Field label="Type">
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={draft.type}
            options={secretTypes.map((type) => ({ value: type, label: secretTypeLabels[type] }))}
            onChange={(event) => change({ type: event.target.value as SecretType })}
          />
        )}
      </Field>
      <Field
        label="Name"
        required
        hint="Workflows use this name. Slashes group secrets: shop/db-password."
        error={nameError(draft.name) ?? shown['name']}
      >
        {(control) => (
          <Input
            {...control}
            value={draft.name}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Field>
      {/* Read once a field is left, so that a certificate can be checked before it is stored. */}
      <div onBlur={inspectValue}>
        <ValueFields
          type={draft.type}
          draft={draft.value}
          errors={shown}
          onChange={(next) => {
            if (inspect.data || inspect.error) inspect.reset()
            change({ value: next })
          }}
        />
      </div>
      <Field label="Description" required={false} error={shown['description']}>
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            maxLength={2_000}
            value={draft.description}
            onChange={(event) => change({ description: event.target.value })}
          />
        )}
      </Field>
      <div className="grid gap-6 sm:grid-cols-2">
        <Field label="Labels" required={false} hint="For example: team=web, app=shop" error={shown['labels']}>
          {(control) => (
            <Input
              {...control}
              value={draft.labels}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => change({ labels: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Expires on"
          required={false}
          hint={draft.type === 'certificate' ? 'Read from the certificate when left empty.' : undefined}
          error={shown['expiresAt']}
        >
          {(control) => (
            <Input
              {...control}
              type="date"
              value={draft.expiresOn}
              onChange={(event) => change({ expiresOn: event.target.value })}
            />
          )}
        </Field>
      </div>
      <Checkbox
        label="A new value must name the version that it replaces"
        hint="Of two people or programs that change it at once, the second is refused instead of overwriting the first."
        checked={draft.requireCas}
        onChange={(event) => change({ requireCas: event.target.checked })}
      />
    </FormPage>
  )
}

function Summary({ draft, input }: { draft: SecretDraft; input: NewSecret | undefined }) {
  const organizationId = useOrganizationId()
  // The value stays in the form: a command is kept in the history of a shell.
  const body = input && { ...input, value: typeof input.value === 'string' ? '…' : blank(input.value) }
  const create = body && apiCommand('Create this secret', 'secrets.create', { body }, organizationId)
  usePageCommands(create ? [create] : [])
  return (
    <Section title="What will be stored" isCard>
      <Facts
        facts={[
          { label: 'Name', value: draft.name || '—' },
          { label: 'Type', value: secretTypeLabels[draft.type] },
          { label: 'In a workflow', value: <Reference name={draft.name} /> },
          { label: 'You', value: 'manage it' },
          { label: 'Members', value: 'use it in workflows, without seeing it' },
        ]}
      />
      {create ? <CommandDetails label="Command that creates this secret" text={create.text} /> : null}
    </Section>
  )
}

const blank = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, '…']))

function Reference({ name }: { name: string }) {
  return <code className="font-mono text-small break-all">{secretReference(name || 'name')}</code>
}
