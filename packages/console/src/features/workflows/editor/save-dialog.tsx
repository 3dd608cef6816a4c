import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { diffText } from '../../../entities/kubernetes/yaml/diff-text.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { formatChangedLines } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DiffLines } from '../../../ui/diff-lines.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'

export interface SaveDialogProps {
  /** Undefined: a new workflow. */
  nextVersion: number | undefined
  /** The saved text and the one that replaces it. */
  before: string
  after: string
  /** The text has comments, which a version does not keep. */
  losesComments: boolean
  busy: boolean
  error: unknown
  onSave: (choice: { reason: string; isDraft: boolean }) => void
  onClose: () => void
}

/** Asks why, and shows what changes. */
export function SaveDialog(props: SaveDialogProps) {
  const { nextVersion, before, after, losesComments, busy, error, onSave, onClose } = props
  const [reason, setReason] = useState('')
  const [isDraft, setDraft] = useState(false)
  const diff = diffText(before, after)
  const isNew = nextVersion === undefined
  const title = isNew ? 'Create workflow' : `Save version ${nextVersion}`
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!busy) onSave({ reason: reason.trim(), isDraft })
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={title}
      description={
        isNew
          ? 'Its first version is kept with your reason.'
          : 'Runs that go on keep their version; new ones take this one.'
      }
      size="wide"
      isModalStrict
    >
      <form onSubmit={submit} className="flex flex-col gap-4 pb-1">
        <Field
          label="Reason"
          required={false}
          hint="The reason for the change, shown with the version."
          error={error ? causeOf(error) : undefined}
        >
          {(control) => (
            <Input
              {...control}
              data-initial-focus=""
              value={reason}
              maxLength={500}
              autoComplete="off"
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Field>
        {isNew ? (
          <Checkbox
            label="Keep it as a draft"
            hint="Its triggers start nothing until it is activated."
            checked={isDraft}
            onChange={({ target }) => setDraft(target.checked)}
          />
        ) : (
          <div>
            <p className="mb-1.5 text-text-2">
              {formatChangedLines(diff)} since version {nextVersion - 1}
            </p>
            <DiffLines label="Changes" lines={diff.lines} />
          </div>
        )}
        {losesComments ? (
          <p className="text-small text-text-2">
            Comments stay in this editor only: a version keeps the definition without them.
          </p>
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {title}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
