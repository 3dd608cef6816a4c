import type { NodeRow } from '@bey/contract'
import type { DeploymentEntry, Entry, EventEntry, PodEntry } from '../watch/entries.ts'
import type { Compare } from '../watch/table.ts'
import { byText } from '../watch/table.ts'

const byName: Compare<Entry> = (a, b) => byText(a.name, b.name)
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

export const deploymentOrders: Record<
  'name' | 'namespace' | 'ready' | 'createdAt',
  Compare<DeploymentEntry>
> = {
  name: byName,
  namespace: (a, b) => byText(a.namespace, b.namespace),
  ready: (a, b) => a.ready - b.ready,
  createdAt: byAge,
}

/** The newest first. */
export const eventOrder: Compare<EventEntry> = (a, b) => byText(b.lastSeenAt, a.lastSeenAt)

export const nodeOrders: Record<
  'name' | 'status' | 'pods' | 'cpu' | 'memory' | 'createdAt',
  Compare<NodeRow>
> = {
  name: (a, b) => byText(a.name, b.name),
  status: (a, b) => byText(a.status, b.status),
  pods: (a, b) => a.podCount - b.podCount,
  cpu: (a, b) => share(a.cpu) - share(b.cpu),
  memory: (a, b) => share(a.memory) - share(b.memory),
  createdAt: byAge,
}

/** Full nodes matter more than large ones. */
function share({ requested, allocatable }: { requested: number; allocatable: number }): number {
  return allocatable > 0 ? requested / allocatable : 0
}
