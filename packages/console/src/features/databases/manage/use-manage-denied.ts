import { deniedReason } from '@bey/contract'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'

/** Why nothing inside a server can be changed at the moment, or undefined. */
export function useManageDenied(): string | undefined {
  const stale = useStaleReason()
  const role = useRole()
  return stale ?? deniedReason(role, 'databases.manage')
}
