import type { SecretType } from '@bey/contract'
import { deniedReason, isValidSecretName, secretNameRule, secretTypeLabels, secretTypes } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { SubmitEvent } from 'react'
import { useCreateSecret, useInspectSecret } from '../../data/secrets.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { secretHref, secretReference } from '../../entities/secrets/secret-text.ts'
import { causeOf, codeOf, fieldErrorsOf } from '../../lib/error-text.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Section } from '../../ui/section.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { parseLabels } from './label-text.ts'
import { emptyValue, isEmptyValue, readValue } from './value-draft.ts'
import type { ValueDraft } from './value-draft.ts'
import { ValueFacts } from './value-facts.tsx'
import { ValueFields } from './value-fields.tsx'

type Draft = {
  name: string
  description: string
  type: SecretType
  value: ValueDraft
  labels: string
  expiresOn: string
  requireCas: boolean
}

const newDraft: Draft = {
  name: '',
  description: '',
  type: 'opaque',
  value: emptyValue,
  labels: '',
  expiresOn: '',
  requireCas: false,
}

/** Where a secret is described and its value typed, pasted or generated. */
export function SecretCreatePage() {
  const [draft, setDraft] = useState(newDraft)
  const [wasSubmitted, setSubmitted] = useState(false)
  const create = useCreateSecret()
  const inspect = useInspectSecret()
  const navigate = useNavigate()
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'secrets.create')
  const form = useRef<HTMLFormElement>(null)
  const isTyped = draft.name !== '' || !isEmptyValue(draft.value)
  const saved = useUnsaved(isTyped && !create.isSuccess ? lostWords(draft) : undefined)

  const value = readValue(draft.type, draft.value)
  const labels = parseLabels(draft.labels)
  const own: Record<string, string> = {
    ...(isValidSecretName(draft.name) ? {} : { name: draft.name === '' ? 'Enter a name.' : secretNameRule }),
    ...('errors' in value ? value.errors : {}),
    ...('error' in labels ? { labels: labels.error } : {}),
  }
  const refused =
    codeOf(create.error) === 'name_taken' ? { name: causeOf(create.error) } : fieldErrorsOf(create.error)
  const errors = { ...fieldErrorsOf(inspect.error), ...refused, ...(wasSubmitted ? own : {}) }
  const liveNameError = draft.name === '' || isValidSecretName(draft.name) ? undefined : secretNameRule
  const failure = create.error && Object.keys(refused).length === 0 ? causeOf(create.error) : undefined

  const inspectValue = () => {
    const isReadable = draft.type === 'certificate' || draft.type === 'kubeconfig'
    if (isReadable && 'value' in value && !inspect.data && !denied)
      inspect.mutate({ type: draft.type, value: value.value })
  }
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part })
    if (create.isError) create.reset()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (Object.keys(own).length > 0 || 'errors' in value || 'error' in labels)
      return focusFirstError(form.current)
    const { name, description, type, expiresOn, requireCas } = draft
    create.mutate(
      {
        name,
        description,
        type,
        requireCas,
        value: value.value,
        labels: labels.labels,
        ...(expiresOn === '' ? {} : { expiresAt: new Date(`${expiresOn}T23:59:59`).toISOString() }),
      },
      {
        onSuccess: ({ id }) => {
          saved()
          void navigate({ href: secretHref(id) })
        },
        onError: () => focusFirstError(form.current),
      },
    )
  }

  return (
    <>
      <PageHeader
        title="Create secret"
        description="The value is encrypted with your organization's own key before it is stored."
      />
      <form
        ref={form}
        noValidate
        aria-label="Create secret"
        onSubmit={submit}
        className="grid items-start gap-x-10 gap-y-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,40rem)_minmax(18rem,24rem)]"
      >
        <div className="flex min-w-0 flex-col gap-6">
          {denied ? (
            <Notice tone="warn" title="You can look, but not create">
              {denied}
            </Notice>
          ) : null}
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
            error={liveNameError ?? errors['name']}
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
              errors={errors}
              onChange={(next) => {
                if (inspect.data || inspect.error) inspect.reset()
                change({ value: next })
              }}
            />
          </div>
          <Field label="Description" required={false} error={errors['description']}>
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
            <Field
              label="Labels"
              required={false}
              hint="For example: team=web, app=shop"
              error={errors['labels']}
            >
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
              error={errors['expiresAt']}
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
        </div>
        <div className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-6">
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
          </Section>
          {inspect.data ? <ValueFacts facts={inspect.data} type={draft.type} isCard /> : null}
          {failure ? (
            <Notice tone="danger" title="The secret was not stored">
              {failure}
            </Notice>
          ) : null}
          <div className="flex gap-2">
            <Button
              type="submit"
              variant="primary"
              busy={create.isPending}
              disabledReason={denied ?? stale}
              className="flex-1"
            >
              Create secret
            </Button>
            <ButtonLink href="/secrets">Cancel</ButtonLink>
          </div>
        </div>
      </form>
    </>
  )
}

function Reference({ name }: { name: string }) {
  return <code className="font-mono text-small break-all">{secretReference(name || 'name')}</code>
}

function lostWords({ name }: Draft): string {
  return name === '' ? 'the secret that you describe' : `the secret “${name}”`
}

// After the errors are drawn: one is told what is wrong where it is wrong.
function focusFirstError(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}
