import type { LabelSelector } from './label-selector.ts'

/** The kind and name of a policy; `namespace` is absent where it belongs to the cluster. */
export type PolicyRef = {
  kind:
    | 'NetworkPolicy'
    | 'AdminNetworkPolicy'
    | 'BaselineAdminNetworkPolicy'
    | 'CiliumNetworkPolicy'
    | 'CiliumClusterwideNetworkPolicy'
  namespace?: string
  name: string
}

export const directions = ['ingress', 'egress'] as const
export type Direction = (typeof directions)[number]

export type IpBlock = { cidr: string; except?: readonly string[] }

export type StandardPeer = {
  podSelector?: LabelSelector
  namespaceSelector?: LabelSelector
  ipBlock?: IpBlock
}

export type StandardPort = { protocol?: string; port?: number | string; endPort?: number }
export type StandardRule = {
  ports?: readonly StandardPort[]
  from?: readonly StandardPeer[]
  to?: readonly StandardPeer[]
}

/** A NetworkPolicy of `networking.k8s.io/v1`, with `spec` as the API has it. */
export type StandardPolicy = {
  namespace: string
  name: string
  spec: {
    podSelector?: LabelSelector
    policyTypes?: readonly string[]
    ingress?: readonly StandardRule[]
    egress?: readonly StandardRule[]
  }
}

export type AdminPeer = {
  namespaces?: LabelSelector
  pods?: { namespaceSelector: LabelSelector; podSelector: LabelSelector }
  networks?: readonly string[]
  nodes?: LabelSelector
}

export type AdminPort = {
  portNumber?: { protocol?: string; port: number }
  portRange?: { protocol?: string; start: number; end: number }
  namedPort?: string
}

export type AdminRule = {
  name?: string
  action: 'Allow' | 'Deny' | 'Pass'
  from?: readonly AdminPeer[]
  to?: readonly AdminPeer[]
  ports?: readonly AdminPort[]
}

/** An AdminNetworkPolicy or BaselineAdminNetworkPolicy of `policy.networking.k8s.io/v1alpha1`. */
export type AdminPolicy = {
  name: string
  isBaseline?: boolean
  spec: {
    /** Lower ones come first; a baseline has none. */
    priority?: number
    subject: { namespaces?: LabelSelector; pods?: AdminPeer['pods'] }
    ingress?: readonly AdminRule[]
    egress?: readonly AdminRule[]
  }
}

export type CiliumPorts = {
  ports?: readonly { port: string; endPort?: number; protocol?: string }[]
  /** Rules about what is inside of packets, which are not modelled. */
  rules?: unknown
}

export type CiliumRule = {
  fromEndpoints?: readonly LabelSelector[]
  toEndpoints?: readonly LabelSelector[]
  fromCIDR?: readonly string[]
  toCIDR?: readonly string[]
  fromCIDRSet?: readonly IpBlock[]
  toCIDRSet?: readonly IpBlock[]
  fromEntities?: readonly string[]
  toEntities?: readonly string[]
  toFQDNs?: readonly unknown[]
  toServices?: readonly unknown[]
  toPorts?: readonly CiliumPorts[]
}

/** A CiliumNetworkPolicy, or a clusterwide one where it has no namespace, of `cilium.io/v2`. */
export type CiliumPolicy = {
  namespace?: string
  name: string
  spec: {
    endpointSelector?: LabelSelector
    ingress?: readonly CiliumRule[]
    ingressDeny?: readonly CiliumRule[]
    egress?: readonly CiliumRule[]
    egressDeny?: readonly CiliumRule[]
    enableDefaultDeny?: { ingress?: boolean; egress?: boolean }
  }
}

/** `shop/allow-web`, or the name alone where the policy belongs to the cluster. */
export function policyText({ namespace, name }: PolicyRef): string {
  return namespace === undefined ? name : `${namespace}/${name}`
}

/** The same for equal references, different for different ones. */
export function policyKey({ kind, namespace, name }: PolicyRef): string {
  return `${kind}/${namespace ?? ''}/${name}`
}
