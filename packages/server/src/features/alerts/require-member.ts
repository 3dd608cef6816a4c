import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/prepared.ts'
import { AppError } from '../../platform/errors.ts'

/** Throws AppError `invalid_request` unless the person, if there is one, is a member of the organization. */
export async function requireMember(db: Db, organizationId: number, userId: number | null): Promise<void> {
  if (userId === null) return
  const rows = await membership(db, [organizationId, userId])
  if (rows.length > 0) return
  throw new AppError(
    'invalid_request',
    'The owner is not a member of this organization. Choose a member, or no owner.',
  )
}

const membership = statement<{ found: number }>(
  'membership_of_alert_owner',
  'select 1 as found from memberships where organization_id = $1 and user_id = $2',
)
