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
  const wish = text.trim()
  const wrong = wish === '' ? 'Enter your name.' : nameError(wish)
  useUnsaved(wish === '' || wish === name ? undefined : `your name as “${wish}”`)
  const error = rename.error
    ? (fieldErrorsOf(rename.error)['name'] ?? errorMessage(rename.error, 'The name could not be changed'))
    : undefined

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (wrong !== undefined || wish === name || rename.isPending) return
    // A failure is shown below the field.
    const isDone = await rename.mutateAsync(wish).then(
      () => true,
      () => false,
    )
    if (isDone) toast('success', `You are now called ${wish}`)
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
        <Button type="submit" disabled={wrong !== undefined || wish === name} busy={rename.isPending}>
          Save name
        </Button>
      </div>
    </form>
  )
}
