import type { ApiKey } from '@bey/contract'
import { useState } from 'react'
import { useRotateApiKey } from '../../data/api-keys.ts'
import { causeOf } from '../../lib/error-text.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { ShownToken } from './shown-token.tsx'

const overlaps = [
  { value: '24', label: 'works for 24 hours more' },
  { value: '1', label: 'works for 1 hour more' },
  { value: '0', label: 'ends at once' },
]

/** Gives a key a new secret, and shows it once. */
export function RotateDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [hours, setHours] = useState('24')
  const rotate = useRotateApiKey(apiKey.id)
  if (rotate.data) return <ShownToken made={rotate.data} onDone={onClose} />
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Give this key a new secret?"
      name={apiKey.name}
      action="Rotate key"
      isDestructive={false}
      busy={rotate.isPending}
      error={rotate.error ? causeOf(rotate.error) : undefined}
      onConfirm={() => rotate.mutate(Number(hours))}
    >
      <Field
        label={`The present secret, ${apiKey.start}…`}
        hint={
          apiKey.previousValidUntil
            ? 'The secret before it, which still works, ends at once.'
            : 'Put the new secret in place while both work.'
        }
      >
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={hours}
            options={overlaps}
            onChange={(event) => setHours(event.target.value)}
          />
        )}
      </Field>
    </ConfirmDialog>
  )
}
