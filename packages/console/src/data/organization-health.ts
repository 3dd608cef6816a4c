import { useSyncExternalStore } from 'react'

/** The worst health of the organization, as the server derives it; undefined while nobody has told it. */
export type OrganizationHealth = 'healthy' | 'starting' | 'degraded' | 'failing' | 'unknown' | undefined

let current: OrganizationHealth
const listeners = new Set<() => void>()

/** The one place where the organization's health arrives from the server's answer; the tab's icon follows it. */
export function setOrganizationHealth(next: OrganizationHealth): void {
  if (next === current) return
  current = next
  for (const listener of listeners) listener()
}

export function useOrganizationHealth(): OrganizationHealth {
  return useSyncExternalStore(subscribe, () => current)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
