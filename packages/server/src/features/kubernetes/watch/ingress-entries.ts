import { baseEntry, type Entry, type Labels, labelsOf } from './entries.ts'
import type {
  EndpointSlice,
  Gateway,
  HttpRoute,
  Ingress,
  RawIngressBackend,
  RawParentRef,
  ReferenceGrant,
} from './ingress-types.ts'
import type { KubeCondition } from './kube-types.ts'

/** Where a path leads. `port`: a number, or the name of a port of the service; null where none is named. */
export type BackendRef =
  | { kind: 'Service'; namespace: string; name: string; port: number | string | null; weight: number }
  | { kind: 'other'; text: string }

type PathEntry = { path: string; pathType: string; backends: readonly BackendRef[] }

export type IngressEntry = Entry & {
  labels: Labels
  className: string | null
  /** `host` is empty where a rule holds for any. The default backend is a rule of its own. */
  rules: readonly { host: string; paths: readonly PathEntry[]; isDefault: boolean }[]
  tls: readonly { hosts: readonly string[]; secretName: string | null }[]
  addresses: readonly string[]
}

/** Endpoints of a service in one family of addresses. */
export type EndpointSliceEntry = Entry & {
  service: string
  addressType: string
  ready: number
  total: number
}

/** What a condition says; `isTrue` null where it is Unknown. */
type ConditionEntry = { isTrue: boolean | null; reason: string; message: string; since: string | null }

type ListenerEntry = {
  name: string
  hostname: string
  port: number | null
  protocol: string
  /** Secrets with certificates that it shows. */
  certificates: readonly { namespace: string; name: string }[]
  /** Null where the gateway does not say. */
  attachedRoutes: number | null
  problem: ConditionEntry | null
}

export type GatewayEntry = Entry & {
  className: string
  addresses: readonly string[]
  listeners: readonly ListenerEntry[]
  accepted: ConditionEntry | null
  programmed: ConditionEntry | null
}

export type ParentEntry = {
  namespace: string
  name: string
  /** Empty for all listeners. */
  sectionName: string
  accepted: ConditionEntry | null
  resolved: ConditionEntry | null
}

export type HttpRouteEntry = Entry & {
  hostnames: readonly string[]
  parents: readonly ParentEntry[]
  paths: readonly PathEntry[]
}

/** Lets objects of other namespaces lead to Services of its own. `name` null: to each of them. */
export type ReferenceGrantEntry = Entry & {
  from: readonly { group: string; kind: string; namespace: string }[]
  services: readonly { name: string | null }[]
}

const serviceLabel = 'kubernetes.io/service-name'
/** Where classes were named before `ingressClassName`. */
const oldClass = 'kubernetes.io/ingress.class'

export function ingressEntry(ingress: Ingress): IngressEntry {
  const { spec = {}, status, metadata } = ingress
  const namespace = metadata?.namespace ?? ''
  const fallback = spec.defaultBackend ? [ingressBackend(namespace, spec.defaultBackend)] : []
  const all = { path: '/', pathType: 'Prefix', backends: fallback }
  const rules = (spec.rules ?? []).map(({ host = '', http }) => ({
    host: host.toLowerCase(),
    isDefault: false,
    // A rule without paths sends all of its host to the default backend (Kubernetes API reference).
    paths: (http?.paths ?? [undefined]).map((each) => {
      if (each === undefined) return all
      const { path = '', pathType = '', backend } = each
      return {
        path: path === '' ? '/' : path,
        pathType,
        backends: [ingressBackend(namespace, backend)],
      }
    }),
  }))
  const byDefault = spec.defaultBackend ? [{ host: '', isDefault: true, paths: [all] }] : []
  return {
    ...baseEntry(ingress),
    labels: labelsOf(ingress),
    className: spec.ingressClassName ?? metadata?.annotations?.[oldClass] ?? null,
    rules: [...rules, ...byDefault],
    tls: (spec.tls ?? []).map(({ hosts = [], secretName }) => ({
      hosts: hosts.map((host) => host.toLowerCase()),
      secretName: secretName ?? null,
    })),
    addresses: (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip ?? hostname ?? []),
  }
}

function ingressBackend(namespace: string, backend: RawIngressBackend | undefined): BackendRef {
  const { service, resource } = backend ?? {}
  if (!service?.name)
    return { kind: 'other', text: `${resource?.kind ?? 'nothing'} ${resource?.name ?? ''}`.trim() }
  const { number, name } = service.port ?? {}
  return { kind: 'Service', namespace, name: service.name, port: number ?? name ?? null, weight: 1 }
}

/** An endpoint that does not say whether it is ready is to be taken for ready (Kubernetes API reference). */
export function endpointSliceEntry(slice: EndpointSlice): EndpointSliceEntry {
  const endpoints = slice.endpoints ?? []
  return {
    ...baseEntry(slice),
    service: slice.metadata?.labels?.[serviceLabel] ?? '',
    addressType: slice.addressType ?? '',
    ready: endpoints.filter(({ conditions }) => conditions?.ready !== false).length,
    total: endpoints.length,
  }
}

export function gatewayEntry(gateway: Gateway): GatewayEntry {
  const { spec = {}, status, metadata } = gateway
  const ownNamespace = metadata?.namespace ?? ''
  return {
    ...baseEntry(gateway),
    className: spec.gatewayClassName ?? '',
    addresses: (status?.addresses ?? []).flatMap(({ value }) => value ?? []),
    accepted: conditionOf(status?.conditions, 'Accepted'),
    programmed: conditionOf(status?.conditions, 'Programmed'),
    listeners: (spec.listeners ?? []).map(({ name = '', hostname = '', port, protocol = '', tls }) => {
      const said = status?.listeners?.find((each) => each.name === name)
      const problem = ['Accepted', 'ResolvedRefs', 'Programmed']
        .map((type) => conditionOf(said?.conditions, type))
        .find((condition) => condition?.isTrue === false)
      return {
        name,
        hostname: hostname.toLowerCase(),
        port: port ?? null,
        protocol,
        certificates: (tls?.certificateRefs ?? []).flatMap(
          ({ group = '', kind = 'Secret', namespace = ownNamespace, name: secret }) =>
            group === '' && kind === 'Secret' && secret ? { namespace, name: secret } : [],
        ),
        attachedRoutes: said?.attachedRoutes ?? null,
        problem: problem ?? null,
      }
    }),
  }
}

export function referenceGrantEntry(grant: ReferenceGrant): ReferenceGrantEntry {
  const { from = [], to = [] } = grant.spec ?? {}
  return {
    ...baseEntry(grant),
    from: from.map(({ group = '', kind = '', namespace = '' }) => ({ group, kind, namespace })),
    services: to
      .filter(({ group = '', kind }) => group === '' && kind === 'Service')
      .map(({ name }) => ({ name: name ?? null })),
  }
}

export function httpRouteEntry(route: HttpRoute): HttpRouteEntry {
  const { spec = {}, status, metadata } = route
  const ownNamespace = metadata?.namespace ?? ''
  return {
    ...baseEntry(route),
    hostnames: (spec.hostnames ?? []).map((host) => host.toLowerCase()),
    parents: (spec.parentRefs ?? [])
      .filter(({ kind = 'Gateway' }) => kind === 'Gateway')
      .map((parent) => {
        const place = placeOf(parent, ownNamespace)
        const said = status?.parents?.find(
          ({ parentRef }) => parentRef && samePlace(placeOf(parentRef, ownNamespace), place),
        )
        return {
          ...place,
          accepted: conditionOf(said?.conditions, 'Accepted'),
          resolved: conditionOf(said?.conditions, 'ResolvedRefs'),
        }
      }),
    paths: (spec.rules ?? []).flatMap(({ matches, backendRefs = [], filters = [] }) => {
      const isRedirect = filters.some(({ type }) => type === 'RequestRedirect')
      const backends: BackendRef[] = isRedirect
        ? [{ kind: 'other', text: 'a redirect' }]
        : backendRefs.map((ref): BackendRef => {
            const {
              group = '',
              kind = 'Service',
              namespace = ownNamespace,
              name = '',
              port,
              weight = 1,
            } = ref
            return group === '' && kind === 'Service'
              ? { kind: 'Service', namespace, name, port: port ?? null, weight }
              : { kind: 'other', text: `${kind} ${name}` }
          })
      // No match stands for every path (Gateway API reference).
      return (matches?.length ? matches : [{}]).map(({ path }) => ({
        path: path?.value ?? '/',
        pathType: path?.type === 'PathPrefix' || path?.type === undefined ? 'Prefix' : path.type,
        backends,
      }))
    }),
  }
}

const placeOf = ({ namespace, name = '', sectionName = '' }: RawParentRef, ownNamespace: string) => ({
  namespace: namespace ?? ownNamespace,
  name,
  sectionName,
})

type Place = ReturnType<typeof placeOf>
const samePlace = (a: Place, b: Place) =>
  a.namespace === b.namespace && a.name === b.name && a.sectionName === b.sectionName

function conditionOf(conditions: KubeCondition[] | undefined, type: string): ConditionEntry | null {
  const found = conditions?.find((each) => each.type === type)
  if (!found) return null
  const isTrue = found.status === 'True' ? true : found.status === 'False' ? false : null
  return {
    isTrue,
    reason: found.reason ?? '',
    message: found.message ?? '',
    since: found.lastTransitionTime ?? null,
  }
}
