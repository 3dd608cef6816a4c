import type { Cluster } from '../api/context.ts'
import { StatusError } from '../status-error.ts'
import { nodes, type Pod } from '../types.ts'

/** Whether the machine of a pod is switched off, so that its kubelet and its programs answer nobody. */
export function isUnreachable({ power }: Cluster, { spec }: Pod): boolean {
  return spec.nodeName !== undefined && power.isOff(spec.nodeName)
}

/** Where a kubelet listens. */
function kubeletAddress({ store }: Cluster, node: string): string {
  const { status } = store.get(nodes, undefined, node) ?? {}
  const address = status?.addresses?.find((one) => one.type === 'InternalIP')?.address ?? node
  return `${address}:${status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 10_250}`
}

/** Throws as an API server does that cannot get through to the kubelet of a pod; `before` says what it tried. */
export function requireKubelet(cluster: Cluster, pod: Pod, before: (address: string) => string): void {
  if (!isUnreachable(cluster, pod)) return
  const address = kubeletAddress(cluster, pod.spec.nodeName ?? '')
  throw new StatusError(500, '', `${before(address)}: dial tcp ${address}: connect: no route to host`)
}
