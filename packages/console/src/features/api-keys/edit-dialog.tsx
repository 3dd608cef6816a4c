import type { ApiKey } from '@bey/contract'
import { nameError } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { causeOf, codeOf, fieldErrorListOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { toast } from '../../ui/toast.ts'
import { isRate, rateError } from './key-draft.ts'
import { splitList } from './key-text.ts'
import { useChange } from '../../data/use-change.ts'

/** Changes the name of a key, where it may be used from, and how often. What it may do is fixed when it is made. */
export function EditDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [name, setName] = useState(apiKey.name)
  const [addresses, setAddresses] = useState(apiKey.allowedAddresses.join('\n'))
  const [rate, setRate] = useState(apiKey.requestsPerMinute?.toString() ?? '')
  const update = useChange('apiKeys.update')
  const requestsPerMinute = rate.trim() === '' ? null : Number(rate)
  const wrongName = name.trim() === '' ? 'Enter a name for the key.' : nameError(name)
  const isValid = wrongName === undefined && isRate(requestsPerMinute)
  const taken = codeOf(update.error) === 'name_taken' ? causeOf(update.error) : undefined
  const refused =
    update.error && !taken ? (fieldErrorListOf(update.error)[0] ?? causeOf(update.error)) : undefined
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isValid || update.isPending) return
    update.mutate(
      {
        params: { id: apiKey.id },
        body: { name: name.trim(), allowedAddresses: splitList(addresses), requestsPerMinute },
      },
      {
        onSuccess: (key) => {
          toast('success', `${key.name} is changed`)
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Edit API key"
      description="What it may do cannot be changed: make another key for that."
      isModalStrict
    >
      <form onSubmit={submit} className="flex flex-col gap-4 pb-1">
        <Field label="Name" required error={wrongName ?? taken}>
          {(control) => (
            <Input
              {...control}
              data-initial-focus=""
              value={name}
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Allowed addresses"
          required={false}
          hint="Networks in CIDR notation. What is open from elsewhere ends at once."
          error={refused}
        >
          {(control) => (
            <TextArea
              {...control}
              rows={3}
              spellCheck={false}
              className="font-mono text-small"
              value={addresses}
              onChange={(event) => setAddresses(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Requests per minute"
          required={false}
          hint="Empty: as many as a person may send."
          error={isRate(requestsPerMinute) ? undefined : rateError}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={rate}
              onChange={(event) => setRate(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={update.isPending} disabled={!isValid}>
            Save changes
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
