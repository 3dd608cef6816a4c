import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { noSuchInvitation } from './invitation-errors.ts'
import { presentInvitation } from './present.ts'
import { lockInvitation, mailOutcomes } from './store.ts'

/** An invitation as the API shows it, with the outcome of its mail. Throws AppError `not_found`. */
export async function readInvitation(
  { clock }: { clock: Clock },
  db: Db,
  organizationId: number,
  id: string,
) {
  const row = await lockInvitation(db, organizationId, id)
  if (row === undefined) throw noSuchInvitation()
  const outcomes = await mailOutcomes(db, row.mailId === null ? [] : [row.mailId])
  return presentInvitation(row, row.mailId === null ? undefined : outcomes.get(row.mailId), clock.now())
}
