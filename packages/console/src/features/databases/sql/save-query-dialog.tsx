import type { SavedQuery } from '@bey/contract'
import { queryLimits } from '@bey/contract'
import { useState } from 'react'
import { useChange } from '../../../data/use-change.ts'
import { type FieldErrors, useSubmission } from '../../../lib/use-submission.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { FormFoot } from '../../../ui/form-foot.tsx'

interface SaveQueryDialogProps {
  databaseId: string
  statement: string
  /** The saved query that was opened, which is changed where it is one's own. */
  opened: SavedQuery | undefined
  onClose: () => void
  onSaved: (query: SavedQuery) => void
}

/** Saves the statement under a name: a new one, or the one that was opened. */
export function SaveQueryDialog({ databaseId, statement, opened, onClose, onSaved }: SaveQueryDialogProps) {
  const own = opened?.isMine === true ? opened : undefined
  const [name, setName] = useState(opened?.name ?? '')
  const [isShared, setShared] = useState(own?.isShared ?? false)
  const [isNew, setNew] = useState(own === undefined)
  const create = useChange('databases.savedQueries.create')
  const update = useChange('databases.savedQueries.update')
  const isValid = name.trim() !== ''
  const body = { name: name.trim(), statement, isShared }
  const invalid: FieldErrors = isValid ? {} : { name: 'Enter a name.' }
  const common = {
    invalid,
    lost: undefined,
    fieldOfCode: { name_taken: 'name' },
    onSaved,
  } as const
  const params = { id: databaseId }
  const asNew = useSubmission({ ...common, mutation: create, input: isValid ? { params, body } : undefined })
  const asChange = useSubmission({
    ...common,
    mutation: update,
    input: isValid && own ? { params: { ...params, queryId: own.id }, body } : undefined,
  })
  const form = isNew ? asNew : asChange
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={isNew ? 'Save the query' : `Save ${own?.name ?? ''}`}
      description="You find it beside the editor of this database."
      isModalStrict
    >
      <form
        className="flex flex-col gap-4 pb-1"
        onSubmit={(event) => {
          event.preventDefault()
          form.onSubmit()
        }}
      >
        <Field label="Name" required error={form.errors['name']}>
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={queryLimits.name}
              onChange={({ target }) => {
                setName(target.value)
                form.onChange()
              }}
            />
          )}
        </Field>
        <div className="max-h-40 overflow-auto">
          <CodeBlock label="Statement" text={statement} />
        </div>
        <Checkbox
          label="Share with the organization"
          hint="Every member who may read the database sees it and can run it."
          checked={isShared}
          onChange={({ target }) => setShared(target.checked)}
        />
        {own === undefined ? null : (
          <Checkbox
            label="Save as a new query"
            checked={isNew}
            onChange={({ target }) => {
              setNew(target.checked)
              form.onChange()
            }}
          />
        )}
        <FormFoot form={form} submit="Save" onCancel={onClose} />
      </form>
    </Dialog>
  )
}
