import type { KubeCondition, KubeObject } from './kube-types.ts'

/** Objects that lead requests from outside to services, as the Kubernetes and Gateway APIs have them. */

export type RawIngressBackend = {
  service?: { name?: string; port?: { name?: string; number?: number } }
  resource?: { kind?: string; name?: string }
}

export type Ingress = KubeObject & {
  spec?: {
    ingressClassName?: string
    defaultBackend?: RawIngressBackend
    rules?: {
      host?: string
      http?: { paths?: { path?: string; pathType?: string; backend?: RawIngressBackend }[] }
    }[]
    tls?: { hosts?: string[]; secretName?: string }[]
  }
  status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } }
}

export type EndpointSlice = KubeObject & {
  addressType?: string
  endpoints?: { addresses?: string[]; conditions?: { ready?: boolean } }[]
  ports?: { name?: string; port?: number }[]
}

export type Gateway = KubeObject & {
  spec?: {
    gatewayClassName?: string
    listeners?: {
      name?: string
      hostname?: string
      port?: number
      protocol?: string
      tls?: {
        mode?: string
        certificateRefs?: { group?: string; kind?: string; namespace?: string; name?: string }[]
      }
    }[]
  }
  status?: {
    addresses?: { value?: string }[]
    conditions?: KubeCondition[]
    listeners?: { name?: string; attachedRoutes?: number; conditions?: KubeCondition[] }[]
  }
}

export type RawParentRef = {
  group?: string
  kind?: string
  namespace?: string
  name?: string
  sectionName?: string
}

/** `gateway.networking.k8s.io/v1beta1`. */
export type ReferenceGrant = KubeObject & {
  spec?: {
    from?: { group?: string; kind?: string; namespace?: string }[]
    to?: { group?: string; kind?: string; name?: string }[]
  }
}

export type HttpRoute = KubeObject & {
  spec?: {
    hostnames?: string[]
    parentRefs?: RawParentRef[]
    rules?: {
      matches?: { path?: { type?: string; value?: string } }[]
      backendRefs?: {
        group?: string
        kind?: string
        namespace?: string
        name?: string
        port?: number
        weight?: number
      }[]
      filters?: { type?: string }[]
    }[]
  }
  status?: { parents?: { parentRef?: RawParentRef; conditions?: KubeCondition[] }[] }
}
