import { resourceLimits } from '@bey/contract'
import { useState } from 'react'
import { useChange } from '../../data/use-change.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'

export interface SaveViewDialogProps {
  query: string
  onClose: () => void
}

/** Saves the query under a name. */
export function SaveViewDialog({ query, onClose }: SaveViewDialogProps) {
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  const create = useChange('resources.createView')
  const save = () =>
    create.mutate({ body: { name: name.trim(), query, isShared } }, { onSuccess: () => onClose() })
  return (
    <Dialog
      open
      size="small"
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title="Save view"
      description={query}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={create.isPending}
            disabledReason={name.trim() === '' ? 'Enter a name for the view.' : undefined}
            onClick={save}
          >
            Save view
          </Button>
        </>
      }
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') save()
        }}
      >
        <Field label="Name" error={create.error ? causeOf(create.error) : undefined}>
          {(field) => (
            <Input
              {...field}
              value={name}
              maxLength={resourceLimits.viewName}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <Checkbox
          label="Share it with everyone in the organization"
          checked={isShared}
          onChange={({ target }) => setShared(target.checked)}
        />
      </form>
    </Dialog>
  )
}
