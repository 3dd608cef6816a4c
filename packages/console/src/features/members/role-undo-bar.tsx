import { UndoBar } from '../../ui/undo-bar.tsx'
import type { RoleChange } from './use-role-change.ts'
import { useRoleChange } from './use-role-change.ts'

/** Says which role was given to whom, and takes it back. */
export function RoleUndoBar({ change: { member, to }, onDone }: { change: RoleChange; onDone: () => void }) {
  const { change, isPending } = useRoleChange()
  const undo = async () => {
    if (await change(member, member.role)) onDone()
  }
  return (
    <UndoBar busy={isPending} onUndo={() => void undo()} onDismiss={onDone}>
      {member.name} is {to} now. <span className="text-text-2">Before: {member.role}</span>
    </UndoBar>
  )
}
