import { NetworkReach } from '../../entities/networks/network-reach.tsx'
import { asKubernetesObject } from './kubernetes-object.ts'
import { networkEndOf } from './network-end.ts'
import type { ObjectSubject } from './object-tabs.tsx'

/** Who reaches an object, what it reaches, and the rules that hold for it. */
export function ObjectNetwork({ cluster, detail }: ObjectSubject) {
  const { resource } = detail.resource
  const { namespace = '', name = '' } = asKubernetesObject(detail.object).metadata ?? {}
  const of = networkEndOf(resource, namespace, name)
  if (of === undefined) return null
  const isTarget = resource !== 'ingresses.networking.k8s.io'
  return <NetworkReach key={of} clusterId={cluster.id} of={of} isTarget={isTarget} />
}
