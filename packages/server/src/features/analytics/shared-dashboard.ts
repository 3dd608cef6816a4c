import type { Dashboard, LivePosition } from '@bey/contract'
import type { Clock } from '../../platform/clock.ts'

type SharedParts = {
  read: (organizationId: number) => Promise<Dashboard>
  /** How far the events of an organization have been heard. */
  position: (organizationId: number) => LivePosition
  clock: Clock
}

/** Use of nodes and pods is measured without an event: figures are this old at most. */
export const sharedForMs = 5_000

/**
 * One dashboard for all readers of an organization: it depends on nothing else. Read anew once an event of the
 * organization was heard, so that nobody who was told of a change is answered with what was before it.
 */
export function shareDashboard({ read, position, clock }: SharedParts) {
  const shared = new Map<number, { position: LivePosition; dashboard: Promise<Dashboard> }>()

  return (organizationId: number): Promise<Dashboard> => {
    const now = position(organizationId)
    const found = shared.get(organizationId)
    if (found?.position === now) return found.dashboard
    const dashboard = read(organizationId)
    const entry = { position: now, dashboard }
    shared.set(organizationId, entry)
    const forget = () => {
      if (shared.get(organizationId) === entry) shared.delete(organizationId)
    }
    clock.setTimeout(forget, sharedForMs)
    dashboard.catch(forget)
    return dashboard
  }
}
