import { useEffect, useRef } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { useUser } from '../../../data/session.ts'
import { Button } from '../../../ui/button.tsx'
import { KubectlPreview } from './kubectl-preview.tsx'

export interface ActionFormProps {
  /** The verb on the button. */
  action: string
  /** On the button that does nothing. */
  keep?: string
  isDanger?: boolean
  /** Why it cannot be done; the button then says so. */
  refusal?: string | undefined
  isValid?: boolean
  isBusy: boolean
  error?: unknown
  kubectl: string
  onSubmit: () => void
  onClose: () => void
  children?: ReactNode
}

/** What every dialog of an action ends with: the line for a shell, what went wrong, and the answer. */
export function ActionForm(props: ActionFormProps) {
  const { action, keep = 'Cancel', refusal, isValid = true, isBusy, error, kubectl, onClose } = props
  const user = useUser()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // The form comes after its dialog, which has given the focus to its cross by then.
    const first = form.current?.querySelector<HTMLElement>('[data-initial-focus]')
    const submitButton = form.current?.querySelector<HTMLElement>('[type="submit"]:not(:disabled)')
    ;(first ?? submitButton)?.focus()
  }, [])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isValid && !isBusy && refusal === undefined) props.onSubmit()
  }
  return (
    <form ref={form} onSubmit={submit} className="flex flex-col gap-4 pb-1">
      {props.children}
      {kubectl ? <KubectlPreview line={kubectl} /> : null}
      <div role="alert" className={error ? 'break-words text-danger' : 'hidden'}>
        {error instanceof Error ? error.message : null}
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2">
        {user ? <span className="mr-auto text-small text-text-3">Recorded as {user.name}</span> : null}
        <Button onClick={onClose}>{keep}</Button>
        <Button
          type="submit"
          variant={props.isDanger ? 'danger' : 'primary'}
          disabled={!isValid}
          disabledReason={refusal}
          busy={isBusy}
        >
          {action}
        </Button>
      </div>
    </form>
  )
}
