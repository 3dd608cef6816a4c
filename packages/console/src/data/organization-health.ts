import type { HealthState } from '@bey/contract'
import { useSyncExternalStore } from 'react'
import { useOrganizationId } from './session.ts'

type Known = { organizationId: number; state: HealthState }

let known: Known | undefined
const listeners = new Set<() => void>()

/** Stores the worst health of an organization, as the server derived it; the tab's icon follows it. */
export function setOrganizationHealth(organizationId: number, state: HealthState): void {
  if (known?.organizationId === organizationId && known.state === state) return
  known = { organizationId, state }
  for (const listener of listeners) listener()
}

/** Worst health of the current organization; undefined until the server has sent it. */
export function useOrganizationHealth(): HealthState | undefined {
  const organizationId = useOrganizationId()
  const current = useSyncExternalStore(subscribe, () => known)
  return current?.organizationId === organizationId ? current.state : undefined
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
