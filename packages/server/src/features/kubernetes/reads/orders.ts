import type { Health, NamespaceRow, NodeRow, WorkloadRow } from '@bey/contract'
import { healthRank } from '@bey/contract'
import type { Entry, EventEntry, PodEntry } from '../watch/entries.ts'
import type { Compare } from '../watch/table.ts'
import { byText } from '../watch/table.ts'

const byName: Compare<Pick<Entry, 'name'>> = (a, b) => byText(a.name, b.name)
const byAge: Compare<{ createdAt: string | null }> = (a, b) => byText(a.createdAt, b.createdAt)

/** Orders that lists can be asked for; the table breaks ties by namespace and name. */
export const podOrders: Record<
  'name' | 'namespace' | 'status' | 'restarts' | 'node' | 'createdAt',
  Compare<PodEntry>
> = {
  name: byName,
  namespace: (a, b) => byText(a.namespace, b.namespace),
  status: (a, b) => byText(a.status, b.status),
  restarts: (a, b) => a.restarts - b.restarts,
  node: (a, b) => byText(a.node, b.node),
  createdAt: byAge,
}

/** What needs somebody first; of equals the one that has lasted longest. */
export function byHealth(a: { health: Health }, b: { health: Health }): number {
  return healthRank(a.health.state) - healthRank(b.health.state) || byText(a.health.since, b.health.since)
}

export const workloadOrders: Record<
  'name' | 'kind' | 'namespace' | 'health' | 'ready' | 'createdAt',
  Compare<WorkloadRow>
> = {
  name: byName,
  kind: (a, b) => byText(a.kind, b.kind),
  namespace: (a, b) => byText(a.namespace, b.namespace),
  health: byHealth,
  ready: (a, b) => a.ready - b.ready,
  createdAt: byAge,
}

export const namespaceOrders: Record<'name' | 'health' | 'pods' | 'createdAt', Compare<NamespaceRow>> = {
  name: byName,
  health: byHealth,
  pods: (a, b) => a.podCount - b.podCount,
  createdAt: byAge,
}

/** The newest first. */
export const eventOrder: Compare<EventEntry> = (a, b) => byText(b.lastSeenAt, a.lastSeenAt)

export const nodeOrders: Record<
  'name' | 'status' | 'health' | 'pods' | 'cpu' | 'memory' | 'createdAt',
  Compare<NodeRow>
> = {
  name: (a, b) => byText(a.name, b.name),
  status: (a, b) => byText(a.status, b.status),
  health: byHealth,
  pods: (a, b) => a.podCount - b.podCount,
  cpu: (a, b) => share(a.cpu) - share(b.cpu),
  memory: (a, b) => share(a.memory) - share(b.memory),
  createdAt: byAge,
}

/** Full nodes matter more than large ones: by what is used where that is measured, else by what is requested. */
function share({ used, requested, allocatable }: NodeRow['cpu']): number {
  return allocatable > 0 ? (used ?? requested) / allocatable : 0
}
