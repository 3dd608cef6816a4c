import { AsyncLocalStorage } from 'node:async_hooks'
import type { KeyResource, LimitableType, Permission, Role } from '@bey/contract'
import { coversResources, deniedReason, roleHas } from '@bey/contract'

/** What an API key may do, within the role that bounds it. */
export type KeyRights = {
  id: string
  name: string
  /** Of the secret that was sent. */
  secretId: string
  isPersonal: boolean
  permissions: ReadonlySet<Permission>
  /** Empty: the whole organization. */
  resources: readonly KeyResource[]
  requestsPerMinute: number | null
  /** When the key, or the replaced secret that was sent, ends. */
  expiresAt: Date | null
}

/** Somebody with a role in an organization, by a session or by an API key. */
export type Rights = { role: Role; key?: KeyRights | undefined }

/** Whether somebody may do something: the role must hold the permission, and so must the key if there is one. */
export function mayDo({ role, key }: Rights, permission: Permission): boolean {
  return roleHas(role, permission) && (key === undefined || key.permissions.has(permission))
}

/** Whether somebody may touch all of these things, of which there is at least one. */
export function mayTouch({ key }: Pick<Rights, 'key'>, named: readonly KeyResource[]): boolean {
  return key === undefined || coversResources(key.resources, named)
}

/** Why somebody may not do something, as a sentence; undefined where they may. */
export function whyNot({ role, key }: Rights, permission: Permission): string | undefined {
  if (mayDo({ role, key }, permission)) return undefined
  if (key === undefined) return `Your role ${role} does not hold the permission ${permission}.`
  return key.permissions.has(permission)
    ? `The API key "${key.name}" is bounded by the role ${role}, which does not hold the permission ${permission}.`
    : `The API key "${key.name}" was not given the permission ${permission}. Make a key that has it.`
}

const current = new AsyncLocalStorage<KeyRights>()

/** Runs something in the name of an API key: its audit entries name the key, and `mayNow` asks for its permissions. */
export function actingByKey<T>(key: KeyRights | undefined, work: () => T): T {
  return key === undefined ? work() : current.run(key, work)
}

/** The API key of the present request; undefined for a session. */
export function currentKey(): KeyRights | undefined {
  return current.getStore()
}

/** The ids of the things of a type to which the key of the present request is limited; undefined where it is not. */
export function limitNow(type: LimitableType): string[] | undefined {
  const resources = current.getStore()?.resources ?? []
  if (resources.length === 0) return undefined
  return resources.flatMap((each) => (each.type === type ? [each.id] : []))
}

/** Whether the caller of the present request may do something beside what its endpoint needs. */
export function mayNow(role: Role, permission: Permission): boolean {
  return mayDo({ role, key: current.getStore() }, permission)
}

/** Why not, as a sentence; undefined where they may. */
export function whyNotNow(role: Role, permission: Permission): string | undefined {
  const key = current.getStore()
  return key === undefined ? deniedReason(role, permission) : whyNot({ role, key }, permission)
}
