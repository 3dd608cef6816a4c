import { useId, useState } from 'react'
import type { SubmitEvent } from 'react'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { annotationParam, drawerParam } from './page-url.ts'

export interface WriteFormProps {
  label: string
  initial?: string
  maxLength: number
  /** The word on the button. */
  action: string
  isBusy: boolean
  /** What is lost where one leaves without sending: "your reply". */
  lost: string
  onSubmit: (text: string) => void
  onCancel?: () => void
}

/** A note stands beside the list or on its page for as long as one of these names it. */
const noteParams = [drawerParam, annotationParam]

/** A few lines of text and the button that sends them; Ctrl or ⌘ with Enter does too. */
export function WriteForm(props: WriteFormProps) {
  const { label, initial = '', maxLength, action, isBusy, lost, onSubmit, onCancel } = props
  const [text, setText] = useState(initial)
  const id = useId()
  const trimmed = text.trim()
  const isChanged = trimmed !== '' && trimmed !== initial
  const stale = useStaleReason()
  useUnsaved(isChanged ? lost : undefined, noteParams)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // By key it is sent without the button.
    if (isChanged && !isBusy && stale === undefined) onSubmit(trimmed)
  }
  return (
    <form onSubmit={submit} data-discardable="" className="flex flex-col gap-2">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <TextArea
        id={id}
        rows={initial === '' ? 2 : 5}
        maxLength={maxLength}
        placeholder={initial === '' ? `${label}…` : undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit()
        }}
      />
      <div className="flex justify-end gap-2">
        {onCancel ? (
          <Button size="small" onClick={onCancel}>
            Cancel
          </Button>
        ) : null}
        <Button
          type="submit"
          size="small"
          busy={isBusy}
          disabled={!isChanged && !isBusy}
          disabledReason={stale}
        >
          {action}
        </Button>
      </div>
    </form>
  )
}
