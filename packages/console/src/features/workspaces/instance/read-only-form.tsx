import type { Instance } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useSetReadOnly } from '../../../data/instance.ts'
import { errorMessage } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'

/** Makes Bey read-only for everybody, and ends that. */
export function ReadOnlyForm({ readOnly }: { readOnly: Instance['readOnly'] }) {
  const { isOn, since } = readOnly
  const [reason, setReason] = useState('')
  const change = useSetReadOnly()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!change.isPending) change.mutate(isOn ? { isOn: false } : { isOn: true, reason })
  }
  return (
    <form onSubmit={submit} className="flex max-w-xl flex-col gap-4">
      {isOn && since !== null ? (
        <p>
          Read-only since <RelativeTime at={since} />
          {readOnly.reason ? `: ${readOnly.reason}` : '.'}
        </p>
      ) : (
        <Field label="Reason" hint="Everybody reads it in the banner and in refusals.">
          {(control) => (
            <Input
              {...control}
              maxLength={200}
              placeholder="Moving to another machine until 14:00."
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
      )}
      <div role="alert" className={change.error ? 'text-danger' : 'hidden'}>
        {change.error ? errorMessage(change.error, 'The mode could not be changed') : undefined}
      </div>
      <div>
        <Button type="submit" busy={change.isPending}>
          {isOn ? 'End read-only mode' : 'Make Bey read-only'}
        </Button>
      </div>
    </form>
  )
}
