import type { Role } from '../base/permissions.ts'
import { entity } from '../base/entity.ts'

export type MemberEvents = {
  /** Somebody joined, left or got another role, or an invitation changed. */
  MEMBERS_UPDATE: { userId: number | null }
  /** Settings of the organization changed, or it is going to be deleted. */
  ORGANIZATION_UPDATE: { organizationId: number }
}

/** The data of a message about a new member. */
export type MemberJoinedMessage = { userId: number; name: string; email: string; role: Role }

export const memberEntity = entity({
  idKind: 'number',
  singular: 'member',
  plural: 'members',
  icon: 'users',
  paths: { list: '/workspaces/members' },
  readPermission: 'organization.read',
  statuses: {},
  label: (row: { name: string }) => row.name,
  subtitle: (row: { email: string }) => row.email,
  events: { MEMBERS_UPDATE: { audience: 'organization' }, ORGANIZATION_UPDATE: { audience: 'organization' } },
  asCode: {
    noun: 'members',
    update: 'members.setRole',
    nameField: 'email',
  },
  subscriptions: {},
  messages: [
    {
      name: 'member.joined',
      about: 'Somebody accepted an invitation to the organization.',
      sample: {
        userId: 7,
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        role: 'MEMBER',
      } satisfies MemberJoinedMessage,
    },
  ],
})
