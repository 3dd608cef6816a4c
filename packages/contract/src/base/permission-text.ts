import { entityPermissions } from './entity-table.ts'
import {
  own,
  type PermissionGroup,
  permissionGroups,
  type PermissionText,
  run,
  see,
  work,
} from './permission-rule.ts'
import { type Permission, permissionTable, type Role, roleHas, roles } from './permissions.ts'

/** Every permission in words for people. */
export const permissionTexts: Readonly<Record<Permission, PermissionText>> = {
  'organization.read': see('see the organization and its members'),
  'analytics.read': see('see the dashboard'),
  'metrics.sources': run('Name data sources', 'change the sources of metrics'),
  'clusters.read': see('see clusters'),
  'clusters.create': run('Create and delete clusters', 'create clusters'),
  'clusters.update': run('Create and delete clusters', 'change clusters'),
  'clusters.provision': run('Create and delete clusters', 'provision clusters'),
  'clusters.delete': run('Create and delete clusters', 'delete clusters'),
  'clusters.kubeconfig': see('download a kubeconfig'),
  'sandboxes.read': run('Manage sandboxes', 'see what sandboxes use'),
  'sandboxes.break': run('Manage sandboxes', 'cause faults in sandboxes'),
  'kubernetes.read': see('see objects of clusters'),
  'kubernetes.write': work('Change workloads', 'change objects of clusters'),
  'kubernetes.delete': work('Delete Kubernetes objects', 'delete objects of clusters'),
  'kubernetes.exec': work('Open shells and ports', 'open shells and ports of pods'),
  'kubernetes.secrets': work('Read Kubernetes Secrets', 'read Secrets of Kubernetes'),
  'kubernetes.impersonate': run('Act as others in clusters', 'act as another user of a cluster'),
  'secrets.read': see('see which secrets there are'),
  'secrets.create': work('Write and delete secrets', 'create secrets'),
  'secrets.update': work('Write and delete secrets', 'change secrets'),
  'secrets.delete': work('Write and delete secrets', 'delete secrets'),
  'secrets.reveal': work('Reveal secret values', 'reveal secret values'),
  'secrets.keys': own('Encryption keys', 'see and verify the encryption keys'),
  'workflows.read': see('see workflows and runs'),
  'workflows.create': work('Write and delete workflows', 'create workflows'),
  'workflows.update': work('Write and delete workflows', 'change workflows'),
  'workflows.delete': work('Write and delete workflows', 'delete workflows'),
  'workflows.execute': work('Start and cancel runs', 'start runs'),
  'workflows.cancel': work('Start and cancel runs', 'cancel runs'),
  'workflows.approve': run('Approve steps of runs', 'approve steps of runs'),
  'engine.read': see('see the state of the workflow engine'),
  'notifications.read': see('read your notifications'),
  'notifications.update': see('mark your notifications as read'),
  'notifications.channels': work('Make channels of one’s own', 'add channels for your notifications'),
  'notifications.manage': run(
    'Notification rules and channels',
    'change rules and channels of notifications',
  ),
  'audit.read': run('Audit log', 'read the audit log'),
  'assistants.unattended': run(
    'Let assistants act unattended',
    'let an assistant destroy things without asking a person',
  ),
  'policies.update': own('Security policies', 'change the security policies'),
  'billing.read': see('see what your resources cost'),
  'billing.readAll': run('See the spend of the organization', 'see the spend of the organization'),
  'billing.manage': own('Billing', 'change prices and billing'),
  'resources.read': see('see the list of resources'),
  'resources.update': work('Tag resources', 'tag resources and save views of them'),
  'annotations.read': see('see annotations of pages'),
  'annotations.create': run('Annotate pages', 'annotate pages'),
  'annotations.update': run('Annotate pages', 'change annotations of pages'),
  'annotations.delete': run('Annotate pages', 'delete annotations of pages'),
  'errors.log': see('report errors of the console'),
  'errors.read': see('see errors of the console'),
  'errors.update': work('Resolve console errors', 'resolve errors of the console'),
  'apiKeys.read': see('see your API keys'),
  'apiKeys.create': see('make API keys for yourself'),
  'apiKeys.manage': run('API keys and webhooks', 'manage API keys of the organization'),
  'webhooks.read': see('see webhooks'),
  'webhooks.manage': run('API keys and webhooks', 'manage webhooks'),
  'members.invite': run('Manage members and roles', 'invite people'),
  'members.update': run('Manage members and roles', 'change roles'),
  'members.remove': run('Manage members and roles', 'remove members'),
  'organization.update': run('Change settings', 'change settings of the organization'),
  'organization.transfer': own('Transfer the ownership', 'transfer the ownership'),
  'organization.delete': own('Delete the organization', 'delete the organization'),
  ...entityPermissions,
}

/** Why a role may not do something and who can help, or undefined where it may. For disabled controls. */
export function deniedReason(role: Role, permission: Permission): string | undefined {
  if (roleHas(role, permission)) return undefined
  return `Needs the role ${permissionTable[permission]} or higher; yours is ${role}. To ${permissionTexts[permission].act}, ask an owner or admin of the organization.`
}

/** The permission that a text of `deniedReason` is about, with the role that lacks it; undefined for other texts. */
export function deniedPermission(reason: string): { role: Role; permission: Permission } | undefined {
  byReason ??= new Map(
    (Object.keys(permissionTable) as Permission[]).flatMap((permission) =>
      roles.flatMap((role) => {
        const text = deniedReason(role, permission)
        return text === undefined ? [] : [[text, { role, permission }] as const]
      }),
    ),
  )
  return byReason.get(reason)
}

let byReason: ReadonlyMap<string, { role: Role; permission: Permission }> | undefined

export type RoleLine = {
  text: string
  permissions: readonly Permission[]
  /** Whether each role holds it, by role. `granted`: only for secrets that were granted to the person or the role. */
  holds: Readonly<Record<Role, boolean | 'granted'>>
}

/** What roles may do, as a table: made of the permission table, which the server enforces. */
export function roleTable(): { group: PermissionGroup; lines: RoleLine[] }[] {
  const permissions = Object.keys(permissionTable) as Permission[]
  return permissionGroups.map((group) => {
    const inGroup = permissions.filter((each) => permissionTexts[each].group === group)
    const lines = [...new Set(inGroup.map((each) => permissionTexts[each].line))]
    return {
      group,
      lines: lines.map((text) => {
        const ofLine = inGroup.filter((each) => permissionTexts[each].line === text)
        return { text, permissions: ofLine, holds: holdsOf(ofLine) }
      }),
    }
  })
}

function holdsOf(permissions: readonly Permission[]): RoleLine['holds'] {
  const holds = (role: Role) => {
    const isHeld = permissions.every((each) => roleHas(role, each))
    return isHeld && role === 'MEMBER' && permissions.includes('secrets.reveal') ? 'granted' : isHeld
  }
  return { OWNER: holds('OWNER'), ADMIN: holds('ADMIN'), MEMBER: holds('MEMBER'), VIEWER: holds('VIEWER') }
}
