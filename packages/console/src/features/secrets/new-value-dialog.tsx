import type { SecretDetail } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { causeOf, fieldErrorsOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { knownValue, readValue } from './value-draft.ts'
import { ValueFields } from './value-fields.tsx'

/** Stores a new value as the next version. What was changed by somebody else meanwhile is not overwritten. */
export function NewValueDialog({ secret, onClose }: { secret: SecretDetail; onClose: () => void }) {
  const [draft, setDraft] = useState(() => knownValue(secret.facts.fields))
  const [reason, setReason] = useState('')
  const [wasSubmitted, setSubmitted] = useState(false)
  // The version that was current when this opened: a refusal says that it is no longer.
  const [expectedVersion] = useState(secret.currentVersion)
  const update = useChange('secrets.update', { isSecret: true })
  const denied = deniedReason(useRole(), 'secrets.update')
  const stale = useStaleReason()
  const value = readValue(secret.type, draft)
  const refused = fieldErrorsOf(update.error)
  const errors = { ...refused, ...(wasSubmitted && 'errors' in value ? value.errors : {}) }

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if ('errors' in value || update.isPending) return
    update.mutate(
      { params: { id: secret.id }, body: { value: value.value, reason: reason.trim(), expectedVersion } },
      {
        onSuccess: ({ currentVersion }) => {
          toast('success', `${secret.name} is at version ${currentVersion}`)
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="New value"
      description={`${secret.name} becomes version ${expectedVersion + 1}; version ${expectedVersion} is kept.`}
      isModalStrict
    >
      <form onSubmit={submit} className="flex flex-col gap-4 pb-1">
        <ValueFields type={secret.type} draft={draft} onChange={setDraft} errors={errors} isChange />
        <Field label="Reason" required={false} hint="Kept with the version and in the audit trail.">
          {(control) => (
            <Input
              {...control}
              value={reason}
              maxLength={500}
              autoComplete="off"
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        {update.error && Object.keys(refused).length === 0 ? (
          <Notice tone="danger" title="The value was not stored">
            {causeOf(update.error)}
          </Notice>
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={update.isPending} disabledReason={denied ?? stale}>
            Store value
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
