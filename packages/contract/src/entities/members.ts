import { entity } from './entity.ts'

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
  events: {},
  subscriptions: {},
})
