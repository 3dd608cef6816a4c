import type { StandardPolicy } from '@bey/contract/reachability/policy'
import type { ServiceFacts } from '@bey/contract/reachability/snapshot'
import { baseEntry, type Entry, type Labels, labelsOf } from './entries.ts'
import type { NetworkPolicy, Service } from './kube-types.ts'

/** Services and network policies, as far as reachability and ingress depend on them. */
export type ServiceEntry = Entry & {
  labels: Labels
  network: Omit<ServiceFacts, 'namespace' | 'name'>
  /** The name outside that a service of type ExternalName stands for. */
  externalName?: string
  /** Of type LoadBalancer: addresses and names that it was given so far. */
  balancerAddresses?: readonly string[]
}
export type PolicyEntry = Entry & { labels: Labels; spec: StandardPolicy['spec'] }

export function serviceEntry(service: Service): ServiceEntry {
  const { spec = {}, status } = service
  const addresses = spec.clusterIPs ?? (spec.clusterIP ? [spec.clusterIP] : [])
  const ports = (spec.ports ?? []).flatMap(({ name, port, protocol = 'TCP', targetPort }) =>
    port === undefined ? [] : { name, port, protocol, targetPort },
  )
  return {
    ...baseEntry(service),
    labels: labelsOf(service),
    network: {
      type: spec.type ?? 'ClusterIP',
      clusterIPs: addresses.filter((address) => address !== 'None' && address !== ''),
      selector: spec.selector,
      ports,
      externalTrafficPolicy: spec.externalTrafficPolicy,
    },
    ...(spec.externalName && { externalName: spec.externalName }),
    ...(spec.type === 'LoadBalancer' && {
      balancerAddresses: (status?.loadBalancer?.ingress ?? []).flatMap(
        ({ ip, hostname }) => ip ?? hostname ?? [],
      ),
    }),
  }
}

export function policyEntry(policy: NetworkPolicy): PolicyEntry {
  return { ...baseEntry(policy), labels: labelsOf(policy), spec: policy.spec ?? {} }
}
