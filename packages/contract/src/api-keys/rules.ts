import type { EntityType } from '../base/entity-table.ts'
import type { Permission, Role } from '../base/permissions.ts'
import { permissionTable, roleHas } from '../base/permissions.ts'

/** Bounds of API keys. */
export const apiKeyBounds = {
  defaultDays: 90,
  maxDays: 730,
  /** How long the old secret of a key may work beside the new one. */
  maxOverlapHours: 24,
  maxAddresses: 50,
  maxResources: 100,
  maxRequestsPerMinute: 6_000,
  /** Keys of one person, and of the organization itself, that have not ended. */
  livePerOwner: 100,
} as const

/** What a key can be limited to, with the path of the API below which each of them lies. */
export const limitablePaths = {
  cluster: '/api/kubernetes/clusters/{id}',
  workflow: '/api/v1/workflows/{id}',
  secret: '/api/secrets/{id}',
} as const satisfies Partial<Record<EntityType, string>>

export type LimitableType = keyof typeof limitablePaths
export const limitableTypes = Object.keys(limitablePaths) as readonly LimitableType[]

/** One thing that a key is limited to. */
export type KeyResource = { type: LimitableType; id: string }

/** Fields of a body, a query or an event that name one of these things. */
const idFields: Readonly<Record<string, LimitableType>> = {
  clusterId: 'cluster',
  workflowId: 'workflow',
  secretId: 'secret',
}

/** The type of thing that `{id}` of an endpoint's path names; undefined where it is none that keys are limited to. */
export function limitedBy(path: string): LimitableType | undefined {
  return limitableTypes.find(
    (type) => path === limitablePaths[type] || path.startsWith(`${limitablePaths[type]}/`),
  )
}

/** The type of thing that a path lists; undefined where it is none that keys are limited to. */
export function listedAt(path: string): LimitableType | undefined {
  return limitableTypes.find((type) => limitablePaths[type] === `${path}/{id}`)
}

/** Every thing that a body, a query or the data of an event names at its top level. */
export function namedResources(fields: object): KeyResource[] {
  return Object.entries(idFields).flatMap(([field, type]) => {
    const value: unknown = Reflect.get(fields, field)
    return typeof value === 'string' || typeof value === 'number' ? [{ type, id: String(value) }] : []
  })
}

/** Whether a key that is limited to `resources` may touch all of these, which must be one at least. An unlimited key may. */
export function coversResources(resources: readonly KeyResource[], named: readonly KeyResource[]): boolean {
  if (resources.length === 0) return true
  if (named.length === 0) return false
  return named.every(({ type, id }) => resources.some((each) => each.type === type && each.id === id))
}

export const allPermissions = Object.keys(permissionTable) as readonly Permission[]

/** Whether a permission is one that only admins or owners hold: giving it to a key asks for a recent confirmation. */
export function isAdministrative(permission: Permission): boolean {
  return !roleHas('MEMBER', permission)
}

/** Nouns whose permissions decide who else gets access: a key receives them only where each is chosen by itself. */
const accessNouns: ReadonlySet<string> = new Set([
  'apiKeys',
  'members',
  'invitations',
  'organization',
  'security',
  'webhooks',
])

/** Whether a permission lets its holder give access to others. "Everything" does not include it for a key. */
export function givesAccess(permission: Permission): boolean {
  const [noun = '', verb] = permission.split('.')
  return accessNouns.has(noun) && verb !== 'read'
}

/** Permissions that a role can give a key, those apart that give access to others or let an assistant act unattended. */
export function ordinaryPermissions(role: Role): Permission[] {
  return allPermissions.filter(
    (permission) =>
      roleHas(role, permission) && !givesAccess(permission) && permission !== 'assistants.unattended',
  )
}

/** The same of those that only read. */
export function readPermissions(role: Role): Permission[] {
  return ordinaryPermissions(role).filter((permission) => permission.endsWith('.read'))
}
