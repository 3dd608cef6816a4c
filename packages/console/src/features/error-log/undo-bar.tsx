import type { ErrorGroup, ErrorGroupStatus } from '@bey/contract'
import { errorGroupStatuses } from '@bey/contract'
import { Undo2, X } from 'lucide-react'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useErrorStatus } from './use-error-status.ts'

export interface StatusChange {
  /** As they were before, at least one. */
  groups: readonly ErrorGroup[]
  to: ErrorGroupStatus
}

const words: Readonly<Record<ErrorGroupStatus, string>> = {
  open: 'Opened again',
  resolved: 'Resolved',
  ignored: 'Ignored',
}

/** Says what was done to errors that may have left the list, and takes it back. */
export function UndoBar({ change, onDone }: { change: StatusChange; onDone: () => void }) {
  const { set, isPending } = useErrorStatus()
  const undo = async () => {
    let back = 0
    for (const status of errorGroupStatuses) {
      const groups = change.groups.filter((group) => group.status === status)
      if (groups.length > 0) back += (await set(groups, status)).length
    }
    if (back === change.groups.length) onDone()
  }
  const [first, second] = change.groups
  const what = second ? formatCount(change.groups.length, 'error') : first?.message
  return (
    <div className="flex items-center gap-2 border-b border-line bg-raised px-(--gutter) py-1.5">
      <output className="min-w-0 truncate">
        {words[change.to]}: <span className="text-text-2">{what}</span>
      </output>
      <Button
        size="small"
        icon={<Undo2 size={14} aria-hidden />}
        busy={isPending}
        onClick={() => void undo()}
        className="ml-auto"
      >
        Undo
      </Button>
      <IconButton label="Dismiss" size="small" icon={<X size={14} aria-hidden />} onClick={onDone} />
    </div>
  )
}
