import type { Secret } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { toast } from '../../ui/toast.ts'
import { ShownValue } from './revealed-value.tsx'
import { useReveal } from './use-reveal.ts'

export interface RevealFormProps {
  secret: Pick<Secret, 'id' | 'type' | 'name'>
  /** The current version unless given. */
  version?: number
  /** Why the value may not be read; the buttons say so. */
  disabledReason?: string | undefined
  onCopied?: () => void
  /** Fields that are no secret are shown beside it already. */
  isBesideFacts?: boolean
}

/** Asks for a reason before a value is shown or copied; the reason is recorded before the value leaves the server. */
export function RevealForm(props: RevealFormProps) {
  const { secret, version, disabledReason, onCopied, isBesideFacts = false } = props
  const [reason, setReason] = useState('')
  const { shown, isPending, error, reveal, copy, hide } = useReveal(secret.id)
  const isReady = reason.trim().length >= 3
  if (shown) return <ShownValue type={secret.type} shown={shown} isCurrent={isBesideFacts} onHide={hide} />

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isReady && !isPending && disabledReason === undefined) void reveal(reason.trim(), version)
  }
  const copyValue = async () => {
    if (!(await copy(reason.trim(), version))) return
    toast('success', 'Copied to clipboard', {
      description: 'It is removed from the clipboard after 60 s where the browser allows.',
    })
    onCopied?.()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <p
        aria-label="The value is hidden"
        // Always of the same length: how long a value is says something of it.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn with characters
        role="img"
        className="flex h-8 items-center rounded-control border border-line bg-sunken px-2.5 font-mono tracking-widest text-text-3"
      >
        ••••••••••••••••
      </p>
      <Field
        label="Reason"
        required
        hint={
          disabledReason ??
          'It goes to the audit log first. The value is hidden again after 30 s; a copy leaves the clipboard after 60 s where the browser allows.'
        }
        error={error === undefined ? undefined : causeOf(error)}
      >
        {(control) => (
          <Input
            {...control}
            data-initial-focus=""
            value={reason}
            disabled={disabledReason !== undefined}
            maxLength={500}
            autoComplete="off"
            placeholder="Why do you need to see it?"
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={isPending} disabled={!isReady} disabledReason={disabledReason}>
          Reveal
        </Button>
        <Button
          disabled={!isReady}
          busy={isPending}
          disabledReason={disabledReason}
          onClick={() => void copyValue()}
        >
          Copy Value
        </Button>
      </div>
    </form>
  )
}
