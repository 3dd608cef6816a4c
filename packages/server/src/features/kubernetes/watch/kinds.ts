import type { DeploymentEntry, Entry, EventEntry, NamespaceEntry, NodeEntry, PodEntry } from './entries.ts'
import { baseEntry, deploymentEntry, eventEntry, namespaceEntry, nodeEntry, podEntry } from './entries.ts'
import type { Deployment, Event, KubeObject, Namespace, Node, Pod } from './kube-types.ts'

/** What is kept of each kind that the console reads. */
export type Entries = {
  nodes: NodeEntry
  namespaces: NamespaceEntry
  pods: PodEntry
  deployments: DeploymentEntry
  events: EventEntry
  statefulsets: Entry
  daemonsets: Entry
  services: Entry
}

export type KindName = keyof Entries

/** Where a kind is listed and watched over all namespaces, and what is kept of an object. */
export type Kind<K extends KindName = KindName> = { path: string; entry: (object: KubeObject) => Entries[K] }

export const kinds: { [K in KindName]: Kind<K> } = {
  nodes: { path: '/api/v1/nodes', entry: (object: Node) => nodeEntry(object) },
  namespaces: { path: '/api/v1/namespaces', entry: (object: Namespace) => namespaceEntry(object) },
  pods: { path: '/api/v1/pods', entry: (object: Pod) => podEntry(object) },
  deployments: { path: '/apis/apps/v1/deployments', entry: (object: Deployment) => deploymentEntry(object) },
  events: { path: '/api/v1/events', entry: (object: Event) => eventEntry(object) },
  statefulsets: { path: '/apis/apps/v1/statefulsets', entry: baseEntry },
  daemonsets: { path: '/apis/apps/v1/daemonsets', entry: baseEntry },
  services: { path: '/api/v1/services', entry: baseEntry },
}
