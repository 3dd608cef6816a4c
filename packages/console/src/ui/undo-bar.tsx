import { Undo2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'

export interface UndoBarProps {
  /** What was just done. */
  children: ReactNode
  onUndo: () => void
  onDismiss: () => void
  busy: boolean
}

/** Says what was just done to rows of a list, and takes it back. */
export function UndoBar({ children, onUndo, onDismiss, busy }: UndoBarProps) {
  return (
    <div className="flex items-center gap-2 border-b border-line bg-raised px-(--gutter) py-1.5">
      <output className="min-w-0 truncate">{children}</output>
      <Button
        size="small"
        icon={<Undo2 size={14} aria-hidden />}
        busy={busy}
        onClick={onUndo}
        className="ml-auto"
      >
        Undo
      </Button>
      <IconButton label="Dismiss" size="small" icon={<X size={14} aria-hidden />} onClick={onDismiss} />
    </div>
  )
}
