import { type ErrorGroupStatus, errorGroupMoves } from '@bey/contract'
import { act, type Who } from '../../platform/act.ts'
import { AppError } from '../../platform/errors.ts'
import { type ErrorLogParts, existing, only, publishErrors, withTrends } from './parts.ts'
import { findGroup, lockGroup, updateGroup } from './store.ts'

const acts: Record<ErrorGroupStatus, string> = {
  open: 'error.reopen',
  resolved: 'error.resolve',
  ignored: 'error.ignore',
}

/** Moves an error to another status; asked for the one that it has, leaves it alone. */
export function changeStatus(parts: ErrorLogParts, id: string, status: ErrorGroupStatus, who: Who) {
  const { organizationId } = who
  return parts.database.withTenant(organizationId, async (db) => {
    const before = existing(await lockGroup(db, organizationId, id))
    if (before.status !== status) {
      if (!errorGroupMoves[before.status].includes(status)) {
        throw new AppError('conflict', `An error that is ${before.status} cannot become ${status}.`)
      }
      await updateGroup(db, organizationId, id, {
        status,
        statusChangedAt: parts.clock.now(),
        statusChangedBy: who.user.id,
      })
      await publishErrors(parts, db, organizationId)
      await act(db, who, {
        action: acts[status],
        class: 'update',
        target: { type: 'error', id, name: before.message.slice(0, 200) },
        diff: { status: [before.status, status] },
      })
    }
    const row = existing(await findGroup(db, organizationId, id))
    return { group: only(await withTrends(parts, db, organizationId, [row], '24h')) }
  })
}
