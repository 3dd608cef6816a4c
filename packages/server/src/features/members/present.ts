import type { Member } from '@bey/contract'
import type { MemberRow } from './store.ts'

export function presentMember({ origin, invitedBy, provider, ...row }: MemberRow): Member {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    joinedAt: row.joinedAt.toISOString(),
    lastSeenAt: row.lastSeenAt === null ? null : new Date(row.lastSeenAt).toISOString(),
    secondFactor: row.secondFactor,
    origin: originOf({ origin, invitedBy, provider }),
  }
}

function originOf({
  origin,
  invitedBy,
  provider,
}: Pick<MemberRow, 'origin' | 'invitedBy' | 'provider'>): Member['origin'] {
  switch (origin) {
    case 'founder':
      return { type: 'founder' }
    case 'invitation':
      return { type: 'invitation', by: invitedBy }
    case 'provider':
      return { type: 'provider', provider: provider ?? 'a sign-in provider' }
  }
}
