import type { Role } from './permissions.ts'

/** Groups of the table of roles, in its order. */
export const permissionGroups = ['See', 'Work', 'Run the organization', 'Own'] as const
export type PermissionGroup = (typeof permissionGroups)[number]

export type PermissionText = {
  group: PermissionGroup
  /** The line of the table of roles that it belongs to; permissions of one line need the same role. */
  line: string
  /** What it permits, so that "To …, ask an owner" is a sentence. */
  act: string
}

/** Permissions that an entity brings: the least role that holds each, and its words. */
export type PermissionRules = Readonly<Record<string, PermissionText & { role: Role }>>

export const see = (act: string): PermissionText => ({ group: 'See', line: 'All but secret values', act })
export const work = (line: string, act: string): PermissionText => ({ group: 'Work', line, act })
export const run = (line: string, act: string): PermissionText => ({
  group: 'Run the organization',
  line,
  act,
})
export const own = (line: string, act: string): PermissionText => ({ group: 'Own', line, act })
