import { useState } from 'react'
import type { ReactNode } from 'react'
import { laterPart } from '../lib/later-part.tsx'

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  /** Buttons, at the end of the dialog; the primary one last. */
  footer?: ReactNode
  size?: 'small' | 'normal' | 'wide'
  /** Clicking outside does not close it: something in it would be lost. */
  isModalStrict?: boolean
  /** It has to be answered: neither Escape nor a cross closes it. */
  isRequired?: boolean
  /** Nobody asked for it, and somebody may be typing: see `focusAfterPause`. */
  opensByItself?: boolean
  children?: ReactNode
}

const [DialogPanel, load] = laterPart(async () => (await import('./dialog-panel.tsx')).DialogPanel)

/** Loads what an open dialog consists of, so that the first opens at once. */
export const loadDialogs = load

/** Nothing until it is opened for the first time: pages that have a dialog then load without its parts. */
export function Dialog(props: DialogProps) {
  const [wasOpen, setWasOpen] = useState(props.open)
  if (props.open && !wasOpen) setWasOpen(true)
  return wasOpen ? <DialogPanel {...props} /> : null
}
