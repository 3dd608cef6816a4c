import type { ErrorGroup, ErrorGroupStatus } from '@bey/contract'
import { errorGroupStatuses } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'
import { UndoBar } from '../../ui/undo-bar.tsx'
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
export function StatusUndoBar({ change, onDone }: { change: StatusChange; onDone: () => void }) {
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
    <UndoBar busy={isPending} onUndo={() => void undo()} onDismiss={onDone}>
      {words[change.to]}: <span className="text-text-2">{what}</span>
    </UndoBar>
  )
}
