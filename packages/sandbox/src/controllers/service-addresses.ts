import type { Cluster } from '../api/context.ts'
import { parseCidr, parseIp } from '../cel/ip-address.ts'
import { listAt, plain } from '../json.ts'
import {
  ipAddresses,
  serviceRanges,
  services,
  type IPAddress,
  type Service,
  type ServiceCIDR,
} from '../types.ts'
import { withCondition } from './conditions.ts'
import { runController, type Controller } from './controller.ts'

const finalizer = 'networking.k8s.io/service-cidr-finalizer'
const managedBy = 'ipaddress.kubernetes.io/managed-by'
const allocator = 'ipallocator.k8s.io'

function isWithin(range: ServiceCIDR, address: string): boolean {
  const ip = parseIp(address)
  return ip !== undefined && (range.spec.cidrs ?? []).some((text) => parseCidr(text)?.contains(ip) ?? false)
}

/** Keeps an IPAddress for every address of a service, as the API server's allocator does, and the ranges ready. */
export function runServiceAddresses(cluster: Cluster): Controller[] {
  const { store, resources, clock } = cluster

  function keep({ metadata, spec }: Service): void {
    for (const address of spec.clusterIPs ?? []) {
      if (address === 'None' || store.get(ipAddresses, undefined, address)) continue
      const family = address.includes(':') ? 'IPv6' : 'IPv4'
      resources.make(ipAddresses, undefined, {
        metadata: {
          name: address,
          labels: { 'ipaddress.kubernetes.io/ip-family': family, [managedBy]: allocator },
        },
        spec: {
          parentRef: { group: '', resource: 'services', namespace: metadata.namespace, name: metadata.name },
        },
      })
    }
  }

  function isHeld({ metadata, spec }: IPAddress): boolean {
    if (metadata.labels?.[managedBy] !== allocator) return true
    const service = store.get(services, spec.parentRef.namespace, spec.parentRef.name ?? '')
    return service?.spec.clusterIPs?.includes(metadata.name) ?? false
  }

  function release(address: IPAddress): void {
    if (!isHeld(address)) store.remove(ipAddresses.key, undefined, address.metadata.name)
  }

  /** A range goes once no address in use is left without another one. */
  function retire(range: ServiceCIDR): void {
    const others = store
      .list(serviceRanges)
      .filter((one) => one.metadata.uid !== range.metadata.uid && !one.metadata.deletionTimestamp)
    const stranded = store
      .list(ipAddresses)
      .some(
        ({ metadata: { name } }) => isWithin(range, name) && !others.some((other) => isWithin(other, name)),
      )
    if (stranded) {
      const text =
        'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR'
      return tell(range, { status: 'False', reason: 'Terminating', message: text })
    }
    resources.change(
      serviceRanges,
      range,
      (draft) => {
        draft.metadata.finalizers = draft.metadata.finalizers?.filter((one) => one !== finalizer)
      },
      { subresource: 'all' },
    )
  }

  function tell(range: ServiceCIDR, said: { status: string; reason: string; message: string }): void {
    resources.changeStatus(serviceRanges, range, (draft) => {
      const conditions = withCondition(
        draft.status?.conditions,
        { type: 'Ready', lastTransitionTime: '', ...said },
        clock.now(),
      )
      draft.status = { ...draft.status, conditions }
    })
  }

  const ranges = () => store.list(serviceRanges).map((one) => `/${one.metadata.name}`)
  return [
    runController(cluster, { kind: services, sync: keep }),
    runController(cluster, {
      kind: ipAddresses,
      watches: [
        {
          kind: services,
          keys: ({ object, old }) =>
            [object, old].flatMap((one) => listAt(one, 'spec', 'clusterIPs').map((ip) => `/${plain(ip)}`)),
        },
      ],
      sync: release,
    }),
    runController(cluster, {
      kind: serviceRanges,
      watches: [{ kind: ipAddresses, keys: ({ type }) => (type === 'DELETED' ? ranges() : []) }],
      sync(range) {
        if (range.metadata.deletionTimestamp) return retire(range)
        tell(range, { status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' })
      },
    }),
  ]
}
