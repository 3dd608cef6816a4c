import type { Cluster } from '../api/context.ts'
import { equal } from '../json.ts'
import { suffix } from '../random.ts'
import {
  endpoints,
  endpointSlices,
  nodes,
  pods,
  services,
  type EndpointSlice,
  type Endpoints,
  type Pod,
  type Service,
} from '../types.ts'
import { runController, type Controller } from './controller.ts'
import { isReady } from './pod-state.ts'

const managedBy = 'endpointslice-controller.k8s.io'
const perSlice = 100
const balancerMs = 3000

type Port = { name?: string; port: number; protocol?: string; appProtocol?: string }

function selected(cluster: Cluster, service: Service): Pod[] {
  const wanted = Object.entries(service.spec.selector ?? {})
  return cluster.store.list(pods, service.metadata.namespace).filter((pod) => {
    if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed' || !pod.status?.podIP)
      return false
    return wanted.every(([key, value]) => pod.metadata.labels?.[key] === value)
  })
}

function portsFor(service: Service, pod: Pod | undefined): Port[] {
  return (service.spec.ports ?? []).flatMap((one) => {
    let port = typeof one.targetPort === 'number' ? one.targetPort : undefined
    if (typeof one.targetPort === 'string') {
      const named = pod?.spec.containers
        .flatMap((container) => container.ports ?? [])
        .find((other) => other.name === one.targetPort)
      port = named?.containerPort
    }
    if (port === undefined) return []
    return [{ ...(one.name ? { name: one.name } : {}), port, protocol: one.protocol ?? 'TCP' }]
  })
}

type Endpoint = NonNullable<EndpointSlice['endpoints']>[number]

function endpointOf(cluster: Cluster, pod: Pod, isPublished: boolean): Endpoint {
  const node = cluster.store.get(nodes, undefined, pod.spec.nodeName ?? '')
  const zone = node?.metadata.labels?.['topology.kubernetes.io/zone']
  const isTerminating = pod.metadata.deletionTimestamp !== undefined
  const isServing = isReady(pod)
  return {
    addresses: [pod.status?.podIP ?? ''],
    conditions: {
      ready: (isServing && !isTerminating) || isPublished,
      serving: isServing,
      terminating: isTerminating,
    },
    ...(pod.spec.hostname && pod.spec.subdomain ? { hostname: pod.spec.hostname } : {}),
    nodeName: pod.spec.nodeName,
    targetRef: {
      kind: 'Pod',
      name: pod.metadata.name,
      namespace: pod.metadata.namespace,
      uid: pod.metadata.uid,
    },
    ...(zone ? { zone } : {}),
  }
}

function syncSlices(cluster: Cluster, service: Service, found: Pod[]): void {
  const { store, resources } = cluster
  const { name, namespace = '', uid } = service.metadata
  const old = store
    .indexed(endpointSlices, 'service', `${namespace}/${name}`)
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  const isPublished = service.spec.publishNotReadyAddresses ?? false
  const all = found
    .map((pod) => endpointOf(cluster, pod, isPublished))
    .toSorted((a, b) => ((a.addresses[0] ?? '') < (b.addresses[0] ?? '') ? -1 : 1))
  const ports = portsFor(service, found[0])
  const chunks: Endpoint[][] = []
  for (let i = 0; i < all.length; i += perSlice) chunks.push(all.slice(i, i + perSlice))
  if (chunks.length === 0) chunks.push([])
  for (const [i, chunk] of chunks.entries()) {
    const slice = old[i]
    const body = { endpoints: chunk, ports: ports.map((port) => ({ name: '', ...port })) }
    if (slice) {
      resources.change(endpointSlices, slice, (draft) => {
        draft.endpoints = body.endpoints
        draft.ports = body.ports
      })
      continue
    }
    const labels = {
      ...service.metadata.labels,
      'kubernetes.io/service-name': name,
      'endpointslice.kubernetes.io/managed-by': managedBy,
    }
    resources.make(endpointSlices, namespace, {
      metadata: {
        name: `${name}-${suffix(cluster.random)}`,
        generateName: `${name}-`,
        labels,
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Service', name, uid, controller: true, blockOwnerDeletion: true },
        ],
      },
      addressType: 'IPv4',
      ...body,
    })
  }
  for (const slice of old.slice(chunks.length))
    store.remove(endpointSlices.key, namespace, slice.metadata.name)
}

function syncEndpoints(cluster: Cluster, service: Service, found: Pod[]): void {
  const { store, resources } = cluster
  const { name, namespace = '' } = service.metadata
  const address = (pod: Pod) => ({
    ip: pod.status?.podIP ?? '',
    nodeName: pod.spec.nodeName,
    targetRef: { kind: 'Pod', name: pod.metadata.name, namespace, uid: pod.metadata.uid },
  })
  const live = found.filter((pod) => !pod.metadata.deletionTimestamp)
  const isPublished = service.spec.publishNotReadyAddresses ?? false
  const ready = live.filter((pod) => isPublished || isReady(pod)).map(address)
  const waiting = live.filter((pod) => !isPublished && !isReady(pod)).map(address)
  const ports = portsFor(service, found[0])
  const subsets =
    ready.length + waiting.length === 0
      ? []
      : [
          {
            ...(ready.length > 0 ? { addresses: ready } : {}),
            ...(waiting.length > 0 ? { notReadyAddresses: waiting } : {}),
            ports,
          },
        ]
  const old = store.get(endpoints, namespace, name)
  if (!old) {
    resources.make<Endpoints>(endpoints, namespace, {
      metadata: { name, labels: { ...service.metadata.labels } },
      subsets,
    })
  } else if (!equal(old.subsets ?? [], subsets)) {
    resources.change(endpoints, old, (draft) => {
      draft.subsets = subsets
    })
  }
}

function syncBalancer(cluster: Cluster, service: Service, again: (delayMs: number) => void): void {
  const { resources, recorder, clock } = cluster
  const has = (service.status?.loadBalancer?.ingress?.length ?? 0) > 0
  if (service.spec.type !== 'LoadBalancer') {
    if (has)
      resources.changeStatus(services, service, (draft) => {
        draft.status = { loadBalancer: {} }
      })
    return
  }
  if (has) return
  const dueMs = Date.parse(service.metadata.creationTimestamp) + balancerMs / cluster.speed
  recorder.normal('service-controller', service, 'EnsuringLoadBalancer', 'Ensuring load balancer')
  if (clock.now() < dueMs) return again(dueMs - clock.now())
  const place = Number(service.spec.clusterIP?.split('.')[3] ?? 10)
  const taken = new Set(
    cluster.store
      .list(services)
      .flatMap((one) => (one.status?.loadBalancer?.ingress ?? []).map((entry) => entry.ip)),
  )
  let last = place
  // 203.0.113.0/24 is set aside for documentation: it leads nowhere by accident.
  while (taken.has(`203.0.113.${last}`) && taken.size < 250) last = (last % 253) + 1
  resources.changeStatus(services, service, (draft) => {
    draft.status = {
      ...draft.status,
      loadBalancer: { ingress: [{ ip: `203.0.113.${last}`, ipMode: 'VIP' }] },
    }
  })
  recorder.normal('service-controller', service, 'EnsuredLoadBalancer', 'Ensured load balancer')
}

export function runEndpoints(cluster: Cluster): Controller {
  const { store } = cluster
  store.addIndex(endpointSlices, 'service', ({ metadata }) => {
    const name = metadata.labels?.['kubernetes.io/service-name']
    return name === undefined ? [] : [`${metadata.namespace}/${name}`]
  })
  return runController(cluster, {
    kind: services,
    watches: [
      {
        kind: pods,
        keys({ object, old }) {
          return store
            .list(services, object.metadata.namespace)
            .filter(({ spec }) => {
              const wanted = Object.entries(spec.selector ?? {})
              const matches = (labels: Record<string, string> | undefined) =>
                wanted.every(([key, value]) => labels?.[key] === value)
              return wanted.length > 0 && (matches(object.metadata.labels) || matches(old?.metadata.labels))
            })
            .map((service) => `${service.metadata.namespace}/${service.metadata.name}`)
        },
      },
    ],
    sync(service, again) {
      syncBalancer(cluster, service, again)
      if (!service.spec.selector || service.spec.type === 'ExternalName') return
      const found = selected(cluster, service)
      syncSlices(cluster, service, found)
      syncEndpoints(cluster, service, found)
    },
    gone(namespace, name) {
      store.remove(endpoints.key, namespace, name)
    },
  })
}
