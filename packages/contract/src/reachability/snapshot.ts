import type { AdminPolicy, CiliumPolicy, StandardPolicy } from './policy.ts'
import type { LabelSelector, Labels } from './label-selector.ts'

export const protocols = ['TCP', 'UDP', 'SCTP'] as const
export type Protocol = (typeof protocols)[number]

/** Where a packet goes to: a protocol and a port from 1 to 65,535. */
export type PortNumber = { protocol: Protocol; port: number }

export type NamespaceFacts = { name: string; labels: Labels }

/** A pod that has or will have an address; leave out pods that have ended. */
export type PodFacts = {
  namespace: string
  name: string
  labels: Labels
  /** IPv4 or IPv6, without a prefix length. */
  ips: readonly string[]
  ports: readonly { name?: string; port: number; protocol: Protocol }[]
  node?: string
  /** In the network of its node: policies do not hold for it. */
  hostNetwork?: boolean
  /** What made it, the Deployment rather than its ReplicaSet. Pods without one stand for themselves. */
  workload?: { kind: string; name: string }
}

export type ServicePort = {
  name?: string
  port: number
  protocol: Protocol
  /** A number, or the name of a port of the pods, which may differ from pod to pod. The same port where absent. */
  targetPort?: number | string
}

export type ServiceFacts = {
  namespace: string
  name: string
  type: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName'
  /** Addresses of the service; none where it is headless. */
  clusterIPs: readonly string[]
  /** Absent or empty: the service chooses no pods, and its endpoints are not known here. */
  selector?: Labels
  ports: readonly ServicePort[]
  /** Of type LoadBalancer: addresses and names that it was given so far. */
  balancerAddresses?: readonly string[]
  /** Only `Local` keeps the address of a client outside the cluster. */
  externalTrafficPolicy?: 'Cluster' | 'Local'
}

export type IngressFacts = {
  namespace: string
  name: string
  /** Where its controller says that it is reached: usually those of the service in front of the controller. */
  addresses?: readonly string[]
}

/** Pods that take requests for ingresses which have the address of no service of the cluster. */
export type IngressControllerFacts = { namespace: string; selector: LabelSelector }

export type NodeFacts = { name: string; addresses: readonly string[]; labels?: Labels }

/** A database outside the cluster, or one that a service of the cluster leads to. */
export type DatabaseFacts = {
  id: string
  name: string
  port: number
  addresses: readonly string[]
  service?: { namespace: string; name: string }
  /** Networks that it lets in; everybody where absent. */
  allowList?: readonly string[]
}

/** Everything that an answer depends on. Plain data: nothing of it is read later. */
export type ClusterSnapshot = {
  namespaces: readonly NamespaceFacts[]
  pods: readonly PodFacts[]
  services: readonly ServiceFacts[]
  policies: readonly StandardPolicy[]
  adminPolicies?: readonly AdminPolicy[]
  ciliumPolicies?: readonly CiliumPolicy[]
  ingresses?: readonly IngressFacts[]
  ingressControllers?: readonly IngressControllerFacts[]
  databases?: readonly DatabaseFacts[]
  nodes?: readonly NodeFacts[]
  /** `cilium`: blocks of addresses never match pods of the cluster. `none`: no plug-in enforces policies. */
  plugin?: 'standard' | 'cilium' | 'none'
}

/** The parts of a snapshot that hold policies, which a proposed change replaces. */
export type PolicySet = Pick<ClusterSnapshot, 'policies' | 'adminPolicies' | 'ciliumPolicies'>
