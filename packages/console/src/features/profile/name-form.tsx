import { nameError } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useRename } from '../../data/account.ts'
import { errorMessage, fieldErrorsOf } from '../../lib/error-text.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { toast } from '../../ui/toast.ts'

/** The name that colleagues see. */
export function NameForm({ name }: { name: string }) {
  const [text, setText] = useState(name)
  const rename = useRename()
  const newName = text.trim()
  const wrong = newName === '' ? 'Enter your name.' : nameError(newName)
  useUnsaved(newName === '' || newName === name ? undefined : `your name as “${newName}”`)
  const error = rename.error
    ? (fieldErrorsOf(rename.error)['name'] ?? errorMessage(rename.error, 'The name could not be changed'))
    : undefined

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (wrong !== undefined || newName === name || rename.isPending) return
    // A failure is shown below the field.
    const isDone = await rename.mutateAsync(newName).then(
      () => true,
      () => false,
    )
    if (isDone) toast('success', `You are now called ${newName}`)
  }

  return (
    <form onSubmit={(event) => void submit(event)} className="flex max-w-md flex-col gap-3">
      <Field label="Name" error={wrong ?? error}>
        {(control) => (
          <Input
            {...control}
            autoComplete="name"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button type="submit" disabled={wrong !== undefined || newName === name} busy={rename.isPending}>
          Save name
        </Button>
      </div>
    </form>
  )
}
