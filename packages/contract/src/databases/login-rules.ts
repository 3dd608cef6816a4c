import type { DatabaseProviderId } from './statuses.ts'

/** `read`: everything can be read, nothing changed. `write`: with the rights of the owner of the database. */
export const loginModes = ['read', 'write'] as const
export type LoginMode = (typeof loginModes)[number]

/** `active`: it works. `ending`: it takes no new connection, and is removed once its server answers. */
export const loginStatuses = ['active', 'ending', 'ended'] as const
export type LoginStatus = (typeof loginStatuses)[number]

export const loginLimits = {
  minMinutes: 5,
  maxMinutes: 480,
  defaultMinutes: 60,
  /** Logins of a database at a time. */
  perDatabase: 20,
  /** Connections of one login at a time. */
  connections: 5,
  reason: 500,
  /** How many a list answers. */
  listed: 50,
} as const

/** How a login stands at a moment; the times are in ms since 1970. */
export function loginStatus(
  { expiresAtMs, hasEnded }: { expiresAtMs: number; hasEnded: boolean },
  nowMs: number,
): LoginStatus {
  if (hasEnded) return 'ended'
  return expiresAtMs > nowMs ? 'active' : 'ending'
}

/** Why a database has no logins for a while, or undefined. */
export function loginRefusal({ provider }: { provider: DatabaseProviderId }): string | undefined {
  return provider !== 'embedded'
    ? 'Its server is not run by Bey, which makes no users there. Make one there, and remove it afterwards.'
    : undefined
}
