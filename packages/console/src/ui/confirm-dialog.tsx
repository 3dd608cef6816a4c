import { useId, useState } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Input } from './input.tsx'

export interface ConfirmDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The question, as in "Are you sure you want to delete this cluster?". */
  title: string
  /** The thing's own name, shown verbatim. */
  name: string
  /** What is typed to confirm; by default the name as it is shown. */
  typedName?: string
  /** What goes with it, each a short line with its count: "3 nodes", "41 pods". */
  impact?: readonly ReactNode[]
  /** What the lines above are; by default what cannot be brought back. */
  impactTitle?: string
  /** The verb on the button: "Delete cluster". */
  action: string
  /** The button that does nothing; another word than "Cancel" where that is what the act does. */
  dismiss?: string
  /** Asks to type the name; for clusters, databases and organizations. */
  mustTypeName?: boolean
  isDestructive?: boolean
  busy?: boolean
  /** Shown in the dialog when the act failed. */
  error?: ReactNode
  onConfirm: () => void
  /** Between what goes with it and the answer: a choice, or the command that does the same. */
  children?: ReactNode
}

/** Names the thing, lists what goes with it, and puts the verb on the button. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onOpenChange, title } = props
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} size="normal" isModalStrict>
      <ConfirmForm {...props} />
    </Dialog>
  )
}

function ConfirmForm(props: ConfirmDialogProps) {
  const {
    onOpenChange,
    name,
    typedName = name,
    impact = [],
    impactTitle = 'This is deleted with it and cannot be restored:',
    action,
    dismiss = 'Cancel',
    mustTypeName,
    isDestructive = true,
    busy,
    error,
    onConfirm,
    children,
  } = props
  const [typed, setTyped] = useState('')
  const inputId = useId()
  const isAllowed = !mustTypeName || typed === typedName
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isAllowed && !busy) onConfirm()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 pb-1">
      <p className="font-medium break-all">{name}</p>
      {impact.length > 0 ? (
        <div>
          <p className="text-text-2">{impactTitle}</p>
          <ul className="mt-1.5 divide-y divide-line rounded-control border border-line">
            {impact.map((line, index) => (
              <li key={index} className="px-3 py-1.5 tabular-nums">
                {line}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {children}
      {mustTypeName ? (
        <div data-discardable="" className="flex flex-col gap-1.5">
          <label htmlFor={inputId} className="text-text-2">
            Type <span className="font-medium text-text">{typedName}</span> to confirm
          </label>
          <Input
            id={inputId}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
      ) : null}
      <div role="alert" className={error ? 'text-danger' : 'hidden'}>
        {error}
      </div>
      <div className="mt-1 flex justify-end gap-2">
        <Button onClick={() => onOpenChange(false)}>{dismiss}</Button>
        <Button
          type="submit"
          variant={isDestructive ? 'danger' : 'primary'}
          disabled={!isAllowed}
          busy={busy ?? false}
        >
          {action}
        </Button>
      </div>
    </form>
  )
}
