import type { EventEntry, NamespaceEntry, NodeEntry, PodEntry } from './entries.ts'
import { eventEntry, namespaceEntry, nodeEntry, podEntry } from './entries.ts'
import {
  endpointSliceEntry,
  gatewayEntry,
  httpRouteEntry,
  referenceGrantEntry,
  ingressEntry,
  type EndpointSliceEntry,
  type GatewayEntry,
  type HttpRouteEntry,
  type ReferenceGrantEntry,
  type IngressEntry,
} from './ingress-entries.ts'
import type { EndpointSlice, Gateway, HttpRoute, Ingress, ReferenceGrant } from './ingress-types.ts'
import type {
  Claim,
  CronJob,
  DaemonSet,
  Event,
  Job,
  KubeObject,
  Namespace,
  NetworkPolicy,
  Node,
  Pod,
  ReplicaWorkload,
  Service,
} from './kube-types.ts'
import { policyEntry, serviceEntry, type PolicyEntry, type ServiceEntry } from './network-entries.ts'
import type { ClaimEntry, CronJobEntry, JobEntry, ReplicaEntry } from './workload-entries.ts'
import { claimEntry, cronJobEntry, daemonSetEntry, jobEntry, replicaEntry } from './workload-entries.ts'

/** What is kept of each kind that the console reads. */
export type Entries = {
  nodes: NodeEntry
  namespaces: NamespaceEntry
  pods: PodEntry
  deployments: ReplicaEntry
  statefulsets: ReplicaEntry
  daemonsets: ReplicaEntry
  replicasets: ReplicaEntry
  jobs: JobEntry
  cronjobs: CronJobEntry
  claims: ClaimEntry
  events: EventEntry
  services: ServiceEntry
  policies: PolicyEntry
  // Called as their resources, which is how changes of them are announced.
  'ingresses.networking.k8s.io': IngressEntry
  'endpointslices.discovery.k8s.io': EndpointSliceEntry
  'gateways.gateway.networking.k8s.io': GatewayEntry
  'httproutes.gateway.networking.k8s.io': HttpRouteEntry
  'referencegrants.gateway.networking.k8s.io': ReferenceGrantEntry
}

export type KindName = keyof Entries

/** Where a kind is listed and watched over all namespaces, and what is kept of an object. */
export type Kind<K extends KindName = KindName> = {
  path: string
  isNamespaced: boolean
  entry: (object: KubeObject) => Entries[K]
}

export const kinds: { [K in KindName]: Kind<K> } = {
  nodes: { path: '/api/v1/nodes', isNamespaced: false, entry: (object: Node) => nodeEntry(object) },
  namespaces: {
    path: '/api/v1/namespaces',
    isNamespaced: false,
    entry: (object: Namespace) => namespaceEntry(object),
  },
  pods: { path: '/api/v1/pods', isNamespaced: true, entry: (object: Pod) => podEntry(object) },
  deployments: {
    path: '/apis/apps/v1/deployments',
    isNamespaced: true,
    entry: (object: ReplicaWorkload) => replicaEntry(object),
  },
  statefulsets: {
    path: '/apis/apps/v1/statefulsets',
    isNamespaced: true,
    entry: (object: ReplicaWorkload) => replicaEntry(object),
  },
  daemonsets: {
    path: '/apis/apps/v1/daemonsets',
    isNamespaced: true,
    entry: (object: DaemonSet) => daemonSetEntry(object),
  },
  replicasets: {
    path: '/apis/apps/v1/replicasets',
    isNamespaced: true,
    entry: (object: ReplicaWorkload) => replicaEntry(object),
  },
  jobs: { path: '/apis/batch/v1/jobs', isNamespaced: true, entry: (object: Job) => jobEntry(object) },
  cronjobs: {
    path: '/apis/batch/v1/cronjobs',
    isNamespaced: true,
    entry: (object: CronJob) => cronJobEntry(object),
  },
  claims: {
    path: '/api/v1/persistentvolumeclaims',
    isNamespaced: true,
    entry: (object: Claim) => claimEntry(object),
  },
  events: { path: '/api/v1/events', isNamespaced: true, entry: (object: Event) => eventEntry(object) },
  services: {
    path: '/api/v1/services',
    isNamespaced: true,
    entry: (object: Service) => serviceEntry(object),
  },
  policies: {
    path: '/apis/networking.k8s.io/v1/networkpolicies',
    isNamespaced: true,
    entry: (object: NetworkPolicy) => policyEntry(object),
  },
  'ingresses.networking.k8s.io': {
    path: '/apis/networking.k8s.io/v1/ingresses',
    isNamespaced: true,
    entry: (object: Ingress) => ingressEntry(object),
  },
  'endpointslices.discovery.k8s.io': {
    path: '/apis/discovery.k8s.io/v1/endpointslices',
    isNamespaced: true,
    entry: (object: EndpointSlice) => endpointSliceEntry(object),
  },
  'gateways.gateway.networking.k8s.io': {
    path: '/apis/gateway.networking.k8s.io/v1/gateways',
    isNamespaced: true,
    entry: (object: Gateway) => gatewayEntry(object),
  },
  'httproutes.gateway.networking.k8s.io': {
    path: '/apis/gateway.networking.k8s.io/v1/httproutes',
    isNamespaced: true,
    entry: (object: HttpRoute) => httpRouteEntry(object),
  },
  'referencegrants.gateway.networking.k8s.io': {
    path: '/apis/gateway.networking.k8s.io/v1beta1/referencegrants',
    isNamespaced: true,
    entry: (object: ReferenceGrant) => referenceGrantEntry(object),
  },
}

const kindOfPath = new Map(Object.entries(kinds).map(([name, { path }]) => [path, name as KindName]))

/** The kind as which a resource is kept that is listed at this path; undefined where it is kept as rows alone. */
export function kindAt(path: string): KindName | undefined {
  return kindOfPath.get(path)
}
