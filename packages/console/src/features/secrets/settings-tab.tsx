import type { SecretDetail } from '@bey/contract'
import { deniedReason, isValidSecretName, secretLimits, secretNameRule } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import type { SecretChange } from '../../data/secrets.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { causeOf, codeOf, fieldErrorsOf, toastCause } from '../../lib/error-text.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { toast } from '../../ui/toast.ts'
import { formatLabels, parseLabels } from '../../lib/label-text.ts'

/** What of a secret can be changed beside its value. */
export function SettingsTab({ secret }: { secret: SecretDetail }) {
  const denied = deniedReason(useRole(), 'secrets.update')
  const stale = useStaleReason()
  const reason =
    denied ??
    (secret.status === 'pending_deletion' ? 'The secret is being deleted. Restore it first.' : stale)
  return (
    <>
      <SettingsSection title="Description" hint="What people see of it. Workflows name it by its name.">
        {/* Made anew when somebody else has changed it. */}
        <DescriptionForm key={secret.rowVersion} secret={secret} disabledReason={reason} />
      </SettingsSection>
      <SettingsSection title="Versions" hint="How many are kept, and who may overwrite whom.">
        <VersionSettings secret={secret} disabledReason={reason} />
      </SettingsSection>
      <SettingsSection title="Use" hint="A disabled secret keeps its value and gives it to nobody.">
        <StatusSetting secret={secret} disabledReason={reason} />
      </SettingsSection>
    </>
  )
}

type Part = { secret: SecretDetail; disabledReason: string | undefined }

function DescriptionForm({ secret, disabledReason }: Part) {
  const [draft, setDraft] = useState({
    name: secret.name,
    description: secret.description,
    labels: formatLabels(secret.labels),
    expiresOn: secret.expiresAt?.slice(0, 10) ?? '',
  })
  const update = useChange('secrets.update', { isSecret: true })
  const labels = parseLabels(draft.labels)
  const change = changeOf(secret, draft, 'labels' in labels ? labels.labels : secret.labels)
  const isChanged = Object.keys(change).length > 0
  useUnsaved(isChanged ? `changes of “${secret.name}”` : undefined)
  const refused =
    codeOf(update.error) === 'name_taken' ? { name: causeOf(update.error) } : fieldErrorsOf(update.error)
  const nameError = isValidSecretName(draft.name) ? refused['name'] : secretNameRule
  const labelError = 'error' in labels ? labels.error : refused['labels']

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isChanged || update.isPending || 'error' in labels || !isValidSecretName(draft.name)) return
    update.mutate(
      { params: { id: secret.id }, body: change },
      { onSuccess: () => toast('success', `${draft.name} saved`) },
    )
  }
  return (
    <form onSubmit={submit} className="flex max-w-xl flex-col gap-4">
      <Field label="Name" error={nameError}>
        {(control) => (
          <Input
            {...control}
            value={draft.name}
            maxLength={secretLimits.name}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setDraft({ ...draft, name: event.target.value })}
          />
        )}
      </Field>
      <Field label="Description" error={refused['description']}>
        {(control) => (
          <TextArea
            {...control}
            rows={3}
            maxLength={secretLimits.description}
            value={draft.description}
            onChange={(event) => setDraft({ ...draft, description: event.target.value })}
          />
        )}
      </Field>
      <Field label="Labels" hint="For example: team=web, app=shop" error={labelError}>
        {(control) => (
          <Input
            {...control}
            value={draft.labels}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setDraft({ ...draft, labels: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Expires on"
        hint="From 30 days before, the list shows it as expiring."
        error={refused['expiresAt']}
      >
        {(control) => (
          <Input
            {...control}
            type="date"
            className="max-w-48"
            value={draft.expiresOn}
            onChange={(event) => setDraft({ ...draft, expiresOn: event.target.value })}
          />
        )}
      </Field>
      <div>
        <Button type="submit" disabled={!isChanged} busy={update.isPending} disabledReason={disabledReason}>
          Save changes
        </Button>
      </div>
    </form>
  )
}

function changeOf(
  secret: SecretDetail,
  draft: { name: string; description: string; expiresOn: string },
  labels: Record<string, string>,
): SecretChange {
  const isExpiryChanged = draft.expiresOn !== (secret.expiresAt?.slice(0, 10) ?? '')
  return {
    ...(draft.name === secret.name ? {} : { name: draft.name }),
    ...(draft.description === secret.description ? {} : { description: draft.description }),
    ...(formatLabels(labels) === formatLabels(secret.labels) ? {} : { labels }),
    ...(isExpiryChanged
      ? { expiresAt: draft.expiresOn === '' ? null : new Date(`${draft.expiresOn}T23:59:59Z`).toISOString() }
      : {}),
  }
}

function VersionSettings({ secret, disabledReason }: Part) {
  const update = useChange('secrets.update', { isSecret: true })
  const [kept, setKept] = useState(String(secret.maxVersions))
  const number = Number(kept)
  const isValid = Number.isInteger(number) && number >= 1 && number <= secretLimits.versions
  const save = (change: SecretChange) =>
    update.mutate(
      { params: { id: secret.id }, body: change },
      {
        onError: (error) => toast('error', 'Failed to change the secret', toastCause(error)),
      },
    )
  return (
    <div className="flex max-w-xl flex-col gap-5">
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (isValid && disabledReason === undefined) save({ maxVersions: number })
        }}
      >
        <Field
          label="Versions to keep"
          hint="Older ones are wiped when a new value is stored."
          error={isValid ? undefined : `Enter a number from 1 to ${secretLimits.versions}.`}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              className="max-w-24"
              value={kept}
              onChange={(event) => setKept(event.target.value)}
            />
          )}
        </Field>
        <Button
          type="submit"
          disabled={!isValid || number === secret.maxVersions}
          disabledReason={disabledReason}
        >
          Save
        </Button>
      </form>
      <Switch
        label="A new value must name the version that it replaces"
        hint="Of two who change it at once, the second is refused."
        checked={secret.requireCas}
        disabled={disabledReason !== undefined || update.isPending}
        onChange={(event) => save({ requireCas: event.target.checked })}
      />
    </div>
  )
}

function StatusSetting({ secret, disabledReason }: Part) {
  const update = useChange('secrets.update', { isSecret: true })
  const isDisabled = secret.status === 'disabled'
  return (
    <Switch
      className="max-w-xl"
      label="Enabled"
      hint={
        isDisabled
          ? 'It can be neither revealed nor used.'
          : 'It can be revealed and used by those it is granted to.'
      }
      checked={!isDisabled}
      disabled={disabledReason !== undefined || update.isPending}
      onChange={(event) =>
        update.mutate(
          { params: { id: secret.id }, body: { status: event.target.checked ? 'active' : 'disabled' } },
          { onError: (error) => toast('error', 'Failed to change the secret', toastCause(error)) },
        )
      }
    />
  )
}
