import { secretLimits } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import type { NewShare } from '../../data/secret-shares.ts'
import { useCreateShare } from '../../data/secret-shares.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'

const expiries = [
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: String(secretLimits.shareHours), label: '7 days' },
]

export interface ShareFormProps {
  /** Whose value is shared; without one a text is asked for. */
  secret?: { id: string; name: string }
  disabledReason?: string | undefined
  onClose?: () => void
}

/** Makes a link that gives a value to somebody once, and shows the link until it is closed. */
export function ShareForm({ secret, disabledReason, onClose }: ShareFormProps) {
  const [text, setText] = useState('')
  const [reason, setReason] = useState('')
  const [hours, setHours] = useState('24')
  const create = useCreateShare()
  const isReady = secret ? reason.trim().length >= 3 : text !== ''
  const tooLarge = new TextEncoder().encode(text).length > secretLimits.valueBytes
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isReady || tooLarge || create.isPending || disabledReason !== undefined) return
    const share: NewShare = secret
      ? { secret, reason: reason.trim(), hours: Number(hours) }
      : { text, hours: Number(hours) }
    create.mutate(share, { onSuccess: () => setText('') })
  }
  if (create.data !== undefined)
    return (
      <ShareLink
        link={create.data}
        onDone={() => {
          create.reset()
          onClose?.()
        }}
      />
    )
  return (
    <form onSubmit={submit} className="flex flex-col gap-4 pb-1">
      {secret ? (
        <Field
          label="Reason"
          required
          hint="It goes to the audit log before the value is read."
          error={create.error ? causeOf(create.error) : undefined}
        >
          {(control) => (
            <Input
              {...control}
              data-initial-focus=""
              value={reason}
              maxLength={secretLimits.reason}
              autoComplete="off"
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
      ) : (
        <Field
          label="Text"
          required
          hint="It is encrypted in this browser. The server never gets the key, which is a part of the link."
          error={
            tooLarge ? 'The text is larger than 64 KB.' : create.error ? causeOf(create.error) : undefined
          }
        >
          {(control) => (
            <TextArea
              {...control}
              rows={5}
              spellCheck={false}
              autoComplete="off"
              className="font-mono text-small"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
      )}
      <Field label="Expires after" hint="Opened or not, the link works until then at most.">
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={hours}
            options={expiries}
            onChange={(event) => setHours(event.target.value)}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        {onClose ? <Button onClick={onClose}>Cancel</Button> : null}
        <Button
          type="submit"
          variant="primary"
          busy={create.isPending}
          disabled={!isReady || tooLarge}
          disabledReason={disabledReason}
        >
          Create link
        </Button>
      </div>
    </form>
  )
}

function ShareLink({ link, onDone }: { link: string; onDone: () => void }) {
  return (
    <div className="flex flex-col gap-4 pb-1">
      <Field
        label="Link"
        hint="It opens once, for anyone who has it. It is shown only here and only now: the server does not know its key."
      >
        {(control) => (
          <Input
            {...control}
            readOnly
            className="font-mono text-small"
            value={link}
            trailing={<CopyButton text={link} label="Copy link" />}
            onFocus={(event) => event.target.select()}
          />
        )}
      </Field>
      <div className="flex justify-end">
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}
