import { nameError } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { errorMessage, fieldErrorsOf } from '../../lib/error-text.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { toast } from '../../ui/toast.ts'
import { session } from '../../data/session.ts'
import { useChange } from '../../data/use-change.ts'

interface OrganizationNameFormProps {
  name: string
  disabledReason: string | undefined
}

/** The name that everybody in the organization sees. */
export function OrganizationNameForm({ name, disabledReason }: OrganizationNameFormProps) {
  const [text, setText] = useState(name)
  const update = useChange('organization.update', { onReply: () => session.refresh() })
  const newName = text.trim()
  const wrong = newName === '' ? 'Enter a name.' : nameError(newName)
  const saved = useUnsaved(newName === '' || newName === name ? undefined : `the name “${newName}”`)
  const error = update.error
    ? (fieldErrorsOf(update.error)['name'] ?? errorMessage(update.error, 'The name could not be changed'))
    : undefined

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (disabledReason !== undefined || wrong !== undefined || newName === name || update.isPending) return
    update.mutate(
      { body: { name: newName } },
      {
        onSuccess: () => {
          saved()
          toast('success', `The organization is now called ${newName}`)
        },
      },
    )
  }
  return (
    <form onSubmit={submit} className="flex max-w-md flex-col gap-3">
      <Field label="Name" error={wrong ?? error}>
        {(control) => (
          <Input
            {...control}
            autoComplete="organization"
            readOnly={disabledReason !== undefined}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button
          type="submit"
          disabled={disabledReason === undefined && (wrong !== undefined || newName === name)}
          disabledReason={disabledReason}
          busy={update.isPending}
        >
          Save name
        </Button>
      </div>
    </form>
  )
}
