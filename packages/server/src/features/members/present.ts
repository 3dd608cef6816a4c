import { presentPerson } from '../../platform/present-actor.ts'
import type { Member } from '@bey/contract'
import type { MemberRow } from './store.ts'

export function presentMember({
  origin,
  invitedBy,
  inviterName,
  inviterEmail,
  provider,
  ...row
}: MemberRow): Member {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    joinedAt: row.joinedAt.toISOString(),
    lastSeenAt: row.lastSeenAt === null ? null : new Date(row.lastSeenAt).toISOString(),
    secondFactor: row.secondFactor,
    origin: originOf({ origin, invitedBy, inviterName, inviterEmail, provider }),
  }
}

function originOf({
  origin,
  invitedBy,
  inviterName,
  inviterEmail,
  provider,
}: Pick<MemberRow, 'origin' | 'invitedBy' | 'inviterName' | 'inviterEmail' | 'provider'>): Member['origin'] {
  switch (origin) {
    case 'founder':
      return { type: 'founder' }
    case 'invitation':
      return { type: 'invitation', by: presentPerson(invitedBy, inviterName, inviterEmail) }
    case 'provider':
      return { type: 'provider', provider: provider ?? 'a sign-in provider' }
  }
}
