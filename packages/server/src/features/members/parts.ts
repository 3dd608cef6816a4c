import type { Role } from '@bey/contract'
import { act as record, type Act } from '../../platform/act.ts'
import type { BelongingsKind } from '../../platform/belongings.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { publish } from '../../platform/live/publish.ts'

export type MemberParts = {
  database: Database
  clock: Clock
  /** What features know of a person's belongings. */
  belongings: () => readonly BelongingsKind[]
}

export type Person = { id: number; name: string; email: string; role: Role }

/** Tells consoles that the list of members or invitations changed. */
export async function publishMembers(db: Db, organizationId: number, userId: number | null): Promise<void> {
  await publish(db, { organizationId, type: 'MEMBERS_UPDATE', data: { userId } })
}

/** Records that a rule forbade an act on a member, then throws it as `forbidden`. */
export async function refuse(
  { database }: Pick<MemberParts, 'database'>,
  caller: TenantCaller,
  member: Person,
  act: Pick<Act, 'action' | 'class' | 'diff'>,
  reason: string,
): Promise<never> {
  const target = memberTarget(member)
  await database.withTenant(caller.organizationId, (db) =>
    record(db, caller, { ...act, target, outcome: 'denied' }),
  )
  throw new AppError('forbidden', reason)
}

export const memberTarget = ({ id, email }: Pick<Person, 'id' | 'email'>) =>
  ({ type: 'member', id, name: email }) as const

export function noSuchMember(): AppError {
  return new AppError('not_found', 'There is no such member of this organization.')
}
