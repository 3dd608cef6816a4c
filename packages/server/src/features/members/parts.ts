import type { Role } from '@bey/contract'
import { audit, type AuditEntry } from '../../platform/audit/audit.ts'
import type { MemberBelongings } from '../../platform/belongings.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Caller, TenantCaller } from '../../platform/http/handlers.ts'
import { publish } from '../../platform/live/publish.ts'

export type MemberParts = {
  database: Database
  clock: Clock
  /** What features know of a person's belongings. */
  belongings: () => readonly MemberBelongings[]
}

export type Person = { id: number; name: string; email: string; role: Role }

type Act = Pick<AuditEntry, 'action' | 'class'> & Partial<Pick<AuditEntry, 'diff' | 'outcome' | 'target'>>

/** Writes an act of somebody with a session to the organization's trail. */
export async function recordAct(db: Db, organizationId: number, caller: Caller, act: Act): Promise<void> {
  await audit(db, {
    organizationId,
    actor: { type: 'user', id: caller.user.id, display: caller.user.email },
    via: 'console',
    ip: caller.ip,
    userAgent: caller.userAgent,
    requestId: caller.requestId,
    ...act,
  })
}

/** Tells consoles that the list of members or invitations changed. */
export async function publishMembers(db: Db, organizationId: number, userId: number | null): Promise<void> {
  await publish(db, { organizationId, type: 'MEMBERS_UPDATE', data: { userId } })
}

/** Records that a rule forbade an act on a member, then throws it as `forbidden`. */
export async function refuse(
  { database }: Pick<MemberParts, 'database'>,
  caller: TenantCaller,
  member: Person,
  act: Act,
  reason: string,
): Promise<never> {
  const target = memberTarget(member)
  await database.withTenant(caller.organizationId, (db) =>
    recordAct(db, caller.organizationId, caller, { ...act, target, outcome: 'denied' }),
  )
  throw new AppError('forbidden', reason)
}

export const memberTarget = ({ id, email }: Pick<Person, 'id' | 'email'>) =>
  ({ type: 'member', id, name: email }) as const

export function noSuchMember(): AppError {
  return new AppError('not_found', 'There is no such member of this organization.')
}
