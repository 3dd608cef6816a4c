import { entityPermissions } from './entity-table.ts'

/** Roles of a member, mightiest first. */
export const roles = ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] as const
export type Role = (typeof roles)[number]

const ownPermissions = {
  'organization.read': 'VIEWER',
  'apiKeys.read': 'VIEWER',
  // Everybody makes keys for themselves; for the organization only who manages them.
  'apiKeys.create': 'VIEWER',
  'apiKeys.manage': 'ADMIN',
  'webhooks.read': 'VIEWER',
  'webhooks.manage': 'ADMIN',
  'organization.update': 'ADMIN',
  'organization.transfer': 'OWNER',
  'organization.delete': 'OWNER',
  'members.invite': 'ADMIN',
  'members.update': 'ADMIN',
  'members.remove': 'ADMIN',
  'analytics.read': 'VIEWER',
  // Whoever names a source lets the server call an address of theirs, with a secret.
  'metrics.sources': 'ADMIN',
  'clusters.read': 'VIEWER',
  'clusters.create': 'ADMIN',
  'clusters.update': 'ADMIN',
  'clusters.provision': 'ADMIN',
  'clusters.delete': 'ADMIN',
  'clusters.kubeconfig': 'VIEWER',
  'sandboxes.read': 'ADMIN',
  'sandboxes.break': 'ADMIN',
  'kubernetes.read': 'VIEWER',
  'kubernetes.write': 'MEMBER',
  'kubernetes.delete': 'MEMBER',
  'kubernetes.exec': 'MEMBER',
  'kubernetes.secrets': 'MEMBER',
  'kubernetes.impersonate': 'ADMIN',
  'secrets.read': 'VIEWER',
  'secrets.create': 'MEMBER',
  'secrets.update': 'MEMBER',
  'secrets.delete': 'MEMBER',
  // Members reveal only what was granted to them; see the grants of each secret.
  'secrets.reveal': 'MEMBER',
  'secrets.keys': 'OWNER',
  'workflows.read': 'VIEWER',
  'workflows.create': 'MEMBER',
  'workflows.update': 'MEMBER',
  'workflows.delete': 'MEMBER',
  'workflows.execute': 'MEMBER',
  'workflows.cancel': 'MEMBER',
  // Whoever a step names may approve besides.
  'workflows.approve': 'ADMIN',
  'engine.read': 'VIEWER',
  'notifications.read': 'VIEWER',
  'notifications.update': 'VIEWER',
  // Whoever makes a channel lets the server call an address of theirs.
  'notifications.channels': 'MEMBER',
  'notifications.manage': 'ADMIN',
  'audit.read': 'ADMIN',
  // Of keys alone: a person at an assistant is always asked.
  'assistants.unattended': 'ADMIN',
  'policies.update': 'OWNER',
  // Whoever may not read all of it reads what belongs to them.
  'billing.read': 'VIEWER',
  'billing.readAll': 'ADMIN',
  'billing.manage': 'OWNER',
  // Each kind of resource besides needs the permission to read it.
  'resources.read': 'VIEWER',
  'resources.update': 'MEMBER',
  'annotations.read': 'VIEWER',
  'annotations.create': 'ADMIN',
  'annotations.update': 'ADMIN',
  'annotations.delete': 'ADMIN',
  // Whoever works with a console meets its errors.
  'errors.log': 'VIEWER',
  'errors.read': 'VIEWER',
  'errors.update': 'MEMBER',
} as const satisfies Record<string, Role>

type EntityRoles = { [P in keyof typeof entityPermissions]: (typeof entityPermissions)[P]['role'] }

/** The least role that holds each permission; mightier roles hold it as well. */
export const permissionTable: Readonly<typeof ownPermissions & EntityRoles> = {
  ...ownPermissions,
  // The keys and roles are those of the rules.
  ...(Object.fromEntries(
    Object.entries<{ role: Role }>(entityPermissions).map(([name, { role }]) => [name, role]),
  ) as EntityRoles),
}

export type Permission = keyof typeof permissionTable

const rank: Record<Role, number> = { OWNER: 3, ADMIN: 2, MEMBER: 1, VIEWER: 0 }

export function roleHas(role: Role, permission: Permission): boolean {
  return rank[role] >= rank[permissionTable[permission]]
}
