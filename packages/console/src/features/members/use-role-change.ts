import type { Member, Role } from '@bey/contract'
import { toastCause } from '../../lib/error-text.ts'
import { toast } from '../../ui/toast.ts'
import { useChange } from '../../data/use-change.ts'

/** A role that was changed, and can be changed back. */
export interface RoleChange {
  /** As it was before. */
  member: Member
  to: Role
}

/** Changes a role at once; a failure is shown in a toast. */
export function useRoleChange() {
  const { mutateAsync, isPending } = useChange('members.setRole')
  /** Whether it was changed. */
  async function change({ id, name }: Member, to: Role): Promise<boolean> {
    try {
      await mutateAsync({ params: { id }, body: { role: to } })
      return true
    } catch (error) {
      toast('error', `Failed to change the role of ${name}`, toastCause(error))
      return false
    }
  }
  return { change, isPending }
}
